package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Cost;
import dev.argus.model.HostClock;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Severity;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The observation that clocks of hosts mislead: fires, just does not, does not apply. */
class ClockSkewTest {
    private static final JobShape SHAPE = new JobShape(
            0,
            4,
            RankSet.range(0, 3),
            Map.of(),
            Map.of(),
            Map.of(),
            Topology.UNKNOWN,
            List.of(),
            Map.of(),
            List.of(),
            List.of());
    private static final Pace PACE = new Pace(10, 20, 1_000, 2_000, 300e6, List.of());
    private static final long ERROR = 3_000;

    private static HostClock clock(int host, String reference, double millis, double ppm) {
        return new HostClock(
                0, "h" + host, reference, Math.round(millis * 1e6), ppm, ERROR, 0.5, 1_500, 100, 900, null);
    }

    private static List<HostClock> clocks(double... millis) {
        List<HostClock> list = new ArrayList<>();
        for (int i = 0; i < millis.length; i++) {
            list.add(clock(i, "h0", millis[i], 0));
        }
        return list;
    }

    private static Optional<Incident> said(List<HostClock> clocks, Pace pace) {
        return new ClockSkew(SHAPE, clocks, pace).judge().map(c -> {
            assertThat(c.incidents()).isEmpty();
            assertThat(c.claimedNanos()).isZero();
            return c.observations().getFirst();
        });
    }

    @Test
    void firesOnTheClockThatIsOffAndAccusesNobody() {
        Incident i = said(clocks(0, 1, -14, 0.5), PACE).orElseThrow();
        assertThat(i.kind()).isEqualTo(IncidentKind.CLOCK_SKEW);
        assertThat(i.severity()).isEqualTo(Severity.INFO);
        assertThat(i.hosts()).containsExactly("h2");
        assertThat(i.ranks()).isEqualTo(RankSet.EMPTY);
        assertThat(i.cost()).isEqualTo(Cost.NONE);
        assertThat(i.summary()).isEqualTo("the clock of host h2 is 14.0 ms behind the middle clock");
    }

    @Test
    void namesTheOddOneAlsoWhenItIsTheReference() {
        assertThat(said(clocks(0, 30, 30.2, 29.8), PACE).orElseThrow().hosts()).containsExactly("h0");
    }

    @Test
    void justDoesNotFireWhileTheBoundLeavesRoom() {
        assertThat(said(clocks(0, 0, 10.0 + 1.9 * ERROR / 1e6), PACE)).isEmpty();
        assertThat(said(clocks(0, 0, 10.0 + 2.1 * ERROR / 1e6), PACE)).isPresent();
    }

    @Test
    void halfAStepIsTooMuchWhereStepsAreShort() {
        Pace fast = new Pace(10, 20, 1_000, 2_000, 8e6, List.of());
        assertThat(said(clocks(0, 0, 4.2), fast)).isPresent();
        assertThat(said(clocks(0, 0, 3.9), fast)).isEmpty();
        assertThat(said(clocks(0, 0, 4.2), PACE)).isEmpty();
        Pace tiny = new Pace(10, 20, 1_000, 2_000, 1e6, List.of());
        assertThat(said(clocks(0, 0, 0.9), tiny)).isEmpty();
    }

    @Test
    void firesOnAnAbnormalDrift() {
        List<HostClock> odd = List.of(clock(0, "h0", 0, 0), clock(1, "h0", 0, 3), clock(2, "h0", 1, -120));
        assertThat(said(odd, PACE).orElseThrow().summary()).isEqualTo("the clock of host h2 loses 120 ppm");
        assertThat(said(List.of(clock(0, "h0", 0, 0), clock(1, "h0", 0, 100.4)), PACE))
                .isEmpty();
    }

    @Test
    void doesNotApplyWithoutAlignedClocksOrAcrossReferences() {
        assertThat(said(List.of(), PACE)).isEmpty();
        assertThat(said(clocks(0), PACE)).isEmpty();
        assertThat(said(
                        List.of(
                                clock(0, "h0", 0, 0),
                                clock(1, "h1", 0, 0),
                                HostClock.refused(0, "h2", HostClock.Refusal.TOO_FEW_MEETINGS)),
                        PACE))
                .isEmpty();
    }

    @Test
    void withoutStepsTheFixedLimitHolds() {
        assertThat(said(clocks(0, 0, 11), Pace.NONE)).isPresent();
        assertThat(said(clocks(0, 0, 9), Pace.NONE)).isEmpty();
    }
}
