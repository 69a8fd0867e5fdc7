package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.simulator.Fault;
import dev.argus.simulator.Fault.Stall;
import dev.argus.simulator.LiveJobs;
import dev.argus.simulator.When;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A fault of a host or a rank that had another one long before: another incident, since its own first step, at its own price; what comes and goes stays one. */
class AnewTest {
    private static final int RANKS = 32;
    private static final double STEP_SECONDS = 2;
    private static final long PAUSE_NANOS = 700_000_000L;

    /** The second host of eight ranks. */
    private static final int[] HOST = {8, 9, 10, 11, 12, 13, 14, 15};

    private static Fault collects(int rank, int first, int last) {
        return new Fault.Stalls(Stall.GC, new int[] {rank}, PAUSE_NANOS, 0.02, false, When.always(first, last));
    }

    private static Fault crowded(int first, int last) {
        return new Fault.SlowLaunch(HOST, 8, When.always(first, last));
    }

    /** What was said last of each incident, in the order in which they were raised. */
    private static List<Incident> said(int steps, Fault... faults) {
        Played p = new Played(LiveJobs.recorded(RANKS, 7, STEP_SECONDS, steps).withFaults(List.of(faults)));
        p.declareAll();
        Map<String, Incident> all = new LinkedHashMap<>();
        for (long step : List.copyOf(p.steps.keySet())) {
            for (IncidentChange c : p.step(step)) {
                all.put(c.incident().id(), c.incident());
            }
        }
        return new ArrayList<>(all.values());
    }

    private static String of(Incident i) {
        return i.ranks() + " since " + i.firstStep();
    }

    @Test
    void anotherFaultOfAHostIsAnotherIncident() {
        List<Incident> said = said(240, collects(8, 20, 29), crowded(130, 139), collects(14, 210, 219));
        assertThat(said).extracting(AnewTest::of).containsExactly("8 since 20", "8-15 since 130", "14 since 210");
        assertThat(said.get(0).kind()).isNotEqualTo(IncidentKind.HOST_CONTENTION);
        assertThat(said.get(1).kind()).isEqualTo(IncidentKind.HOST_CONTENTION);
        Incident alone = said(160, crowded(130, 139)).getFirst();
        assertThat(said.get(1).cost().gpuSeconds())
                .as("what it would cost without the one before")
                .isBetween(0.95 * alone.cost().gpuSeconds(), 1.05 * alone.cost().gpuSeconds());
        assertThat(said.get(1).cost().duringRatio())
                .isBetween(0.9 * alone.cost().duringRatio(), 1.1 * alone.cost().duringRatio());
    }

    @Test
    void theSameFaultOfTheSameRankIsAnotherIncidentWhenTheFirstIsLongOver() {
        List<Incident> said = said(170, collects(8, 20, 29), collects(8, 130, 139));
        assertThat(said).extracting(AnewTest::of).containsExactly("8 since 20", "8 since 130");
        assertThat(said.get(1).cost().gpuSeconds())
                .isBetween(
                        0.7 * said.get(0).cost().gpuSeconds(),
                        1.4 * said.get(0).cost().gpuSeconds());
    }

    @Test
    void aHostWhoseCpusAreContendedThreeTimesIsThreeIncidents() {
        List<Incident> said = said(220, crowded(20, 29), crowded(110, 119), crowded(190, 199));
        assertThat(said)
                .filteredOn(i -> i.ranks().equals(RankSet.of(HOST)))
                .extracting(AnewTest::of)
                .containsExactly("8-15 since 20", "8-15 since 110", "8-15 since 190");
    }

    @Test
    void faultsOfManyHostsInTurnAreNoHabitOfTheJob() {
        List<Incident> said = said(
                250,
                collects(3, 20, 29),
                collects(11, 60, 69),
                collects(19, 110, 119),
                collects(27, 160, 169),
                collects(12, 210, 219));
        assertThat(said)
                .extracting(AnewTest::of)
                .containsExactly("3 since 20", "11 since 60", "19 since 110", "27 since 160", "12 since 210");
    }

    @Test
    void whatComesAndGoesStaysOne() {
        List<Fault> spells = new ArrayList<>();
        for (int first = 20; first < 140; first += 12) {
            spells.add(crowded(first, first + 3));
        }
        List<Incident> said = said(150, spells.toArray(Fault[]::new));
        assertThat(said)
                .filteredOn(i -> i.ranks().equals(RankSet.of(HOST)))
                .singleElement()
                .satisfies(i -> assertThat(i.firstStep()).isEqualTo(20));
    }
}
