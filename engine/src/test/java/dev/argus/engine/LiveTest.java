package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A job that goes on, with one conclusion after the other: when an incident begins, how long it is the same one, and when it ends. */
class LiveTest {
    private static final int WINDOW = 4;

    private static List<Concluded> live(int steps, Consumer<FakeJob.Cell> fault) {
        return FakeJob.of(16, 3).steps(100, steps).fault(fault).live(WINDOW);
    }

    private static Stream<Incident> all(List<Concluded> said) {
        return said.stream().flatMap(c -> c.incidents().stream());
    }

    private static Consumer<FakeJob.Cell> slow(int rank, double factor, long from, long to) {
        return c -> {
            if (c.rank == rank && c.step >= from && c.step < to) {
                c.compute(factor);
            }
        };
    }

    @Test
    void aFaultIsOneIncidentFromItsFirstWindowOn() {
        List<Concluded> said = live(160, slow(5, 1.1, 140, 1000));
        assertThat(said.subList(0, 10))
                .allSatisfy(c -> assertThat(c.incidents()).isEmpty());
        assertThat(said.subList(12, said.size()))
                .allSatisfy(c -> assertThat(c.incidents())
                        .singleElement()
                        .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(5))));
        assertThat(all(said).map(Incident::id).distinct()).hasSize(1);
        assertThat(all(said).map(Incident::firstStep).distinct()).hasSize(1);
        assertThat(all(said).map(Incident::state).distinct())
                .containsExactly(IncidentState.OPEN, IncidentState.ONGOING);
    }

    @Test
    void aFaultThatIsOverIsResolvedAfterAWhile() {
        List<Concluded> said = live(160, slow(5, 1.1, 140, 180));
        assertThat(all(said).map(Incident::id).distinct()).hasSize(1);
        assertThat(all(said).map(Incident::state).distinct())
                .containsExactly(IncidentState.OPEN, IncidentState.ONGOING, IncidentState.RESOLVED);
        Incident last = said.getLast().incidents().getFirst();
        assertThat(last.lastStep()).isBetween(178L, 181L);
        assertThat(last.untilEpochNanos()).isNotNull();
        long held = said.stream()
                .filter(c ->
                        c.incidents().stream().anyMatch(i -> i.state() == IncidentState.ONGOING && i.lastStep() < 181))
                .count();
        assertThat(held * WINDOW).as("it may come back").isBetween(12L, 60L);
    }

    /** Ten steps of fault, and quiet in between for longer than an incident is held. */
    @Test
    void aFaultThatComesAndGoesIsOneIncident() {
        Consumer<FakeJob.Cell> fault = c -> {
            if (c.rank == 5 && c.step >= 140 && (c.step - 140) % 45 < 10) {
                c.compute(1.3);
            }
        };
        List<Concluded> said = live(300, fault);
        assertThat(all(said).map(Incident::id).distinct()).hasSize(1);
        assertThat(all(said).map(Incident::firstStep).distinct()).hasSize(1);
        assertThat(said).allSatisfy(c -> assertThat(c.incidents()).hasSizeLessThan(2));
        List<IncidentState> states = new ArrayList<>();
        all(said).map(Incident::state).forEach(s -> {
            if (states.isEmpty() || states.getLast() != s) {
                states.add(s);
            }
        });
        assertThat(states.stream().filter(s -> s == IncidentState.RESOLVED).count())
                .as("each time it takes longer to be over: %s", states)
                .isBetween(1L, 2L);
        assertThat(said.getLast().incidents().getFirst().summary()).endsWith(", on and off");
    }

    /** What is found late, as after an outage, is not over before it was said. */
    @Test
    void anIncidentIsNeverOverWhenItIsFirstSaid() {
        for (int late = 0; late < 12; late++) {
            List<Concluded> said = FakeJob.of(16, 3)
                    .steps(100, 140)
                    .fault(slow(5, 1.3, 130 + late, 134 + late))
                    .live(WINDOW);
            assertThat(all(said).map(Incident::state).findFirst()).contains(IncidentState.OPEN);
            assertThat(all(said).map(Incident::firstStep).distinct()).containsExactly(130L + late);
        }
    }

    /** Of a recording it is an incident: there it is a large share of what is known of the job. */
    @Test
    void oneLongPauseOfAJobThatGoesOnIsNone() {
        Consumer<FakeJob.Cell> pause = c -> {
            if (c.rank == 5 && c.step == 130) {
                c.gap(200, false, "");
            }
        };
        assertThat(all(live(80, pause))).isEmpty();
        assertThat(FakeJob.of(16, 3).steps(100, 80).fault(pause).diagnose().incidents())
                .hasSize(1);
    }

    @Test
    void aHealthyJobStaysSilent() {
        assertThat(all(live(240, c -> {}))).isEmpty();
    }
}
