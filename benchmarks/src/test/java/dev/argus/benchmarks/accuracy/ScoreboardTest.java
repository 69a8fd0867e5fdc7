package dev.argus.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.Cost;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.simulator.Layout;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Truth;
import dev.argus.simulator.Wish;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScoreboardTest {
    private static final Layout LAYOUT =
            Layout.builder().size(Layout.Dimension.DP, 16).build();
    private static final Truth SLOW = truth(ScenarioKind.COMPUTE);
    private static final Truth CAPPED = truth(ScenarioKind.GLOBAL);
    private static final Truth HEALTHY = truth(ScenarioKind.HEALTHY);

    /** Rank 3, or all, slower from step 23 to 28. */
    private static Scenario scenario(ScenarioKind kind) {
        Wish wish = Wish.of(4, kind)
                .layout(LAYOUT)
                .factor(1.3)
                .firstStep(20)
                .stepCount(9)
                .noise(NoiseLevel.QUIET);
        return Scenarios.draw(kind.faulty() ? wish.onset(23).rank(3) : wish);
    }

    private static Truth truth(ScenarioKind kind) {
        return Truth.of(Simulation.run(scenario(kind)), "case");
    }

    private static Incident says(IncidentKind kind, RankSet ranks, int first, int last) {
        return new Incident(
                "id",
                kind,
                ranks.isEmpty() ? Scope.JOB : Scope.RANK,
                Severity.WARNING,
                0.9,
                Set.of(),
                IncidentState.ONGOING,
                0,
                null,
                0,
                ranks,
                List.of(),
                List.of(),
                List.of(),
                first,
                last,
                List.of(),
                null,
                "",
                "",
                "",
                List.of(),
                Cost.NONE);
    }

    private static Score score(Truth truth, boolean strong, List<Incident> alarms, List<Incident> observed) {
        return Scoreboard.score(LAYOUT, strong, truth, new Answer(alarms, observed, List.of()));
    }

    private static FaultScore fault(IncidentKind kind, RankSet ranks, int first, int last) {
        return score(SLOW, true, List.of(says(kind, ranks, first, last)), List.of())
                .faults()
                .getFirst();
    }

    @Test
    void theRightRankKindAndSteps() {
        FaultScore right = fault(IncidentKind.COMPUTE_STRAGGLER, RankSet.of(3), 23, 28);

        assertThat(right.exact()).isTrue();
        assertThat(right.kindRight()).isTrue();
        assertThat(right.stepsRight()).isTrue();
    }

    private static double price(RankSet ranks, Cost cost) {
        Incident said = says(IncidentKind.COMPUTE_STRAGGLER, ranks, 23, 28).with(cost, "");
        return score(SLOW, true, List.of(said), List.of()).faults().getFirst().price();
    }

    @Test
    void aPriceIsHeldAgainstWhatTheSameJobTakesWithoutTheFault() {
        Scenario scenario = scenario(ScenarioKind.COMPUTE);
        double with = Simulation.run(scenario).totalNanos();
        double without = Simulation.run(scenario.withFaults(List.of())).totalNanos();
        Cost right = new Cost((with - without) / with, 1);
        assertThat(price(RankSet.of(3), right)).isCloseTo(1, within(1e-9));
        assertThat(price(RankSet.of(3), right.ofMeasured(right.stepRatio() / 2)))
                .isCloseTo(0.5, within(1e-9));
        assertThat(price(RankSet.of(3, 4), right)).as("with an innocent").isNaN();
        assertThat(price(RankSet.of(3), new Cost(right.stepRatio(), 1, 0.1, true)))
                .as("a bound")
                .isNaN();
    }

    @Test
    void stepsHaveAToleranceOfOneAndMustCoverHalf() {
        assertThat(fault(IncidentKind.STRAGGLER, RankSet.of(3), 22, 29).stepsRight())
                .isTrue();
        assertThat(fault(IncidentKind.STRAGGLER, RankSet.of(3), 21, 28).stepsRight())
                .isFalse();
        assertThat(fault(IncidentKind.STRAGGLER, RankSet.of(3), 26, 28).stepsRight())
                .isTrue();
        assertThat(fault(IncidentKind.STRAGGLER, RankSet.of(3), 27, 28).stepsRight())
                .isFalse();
    }

    @Test
    void innocentsSpoilTheExactnessAndTooManyTheHit() {
        FaultScore coarse = fault(IncidentKind.COMPUTE_STRAGGLER, RankSet.of(3, 4), 23, 28);
        assertThat(coarse.hit()).isTrue();
        assertThat(coarse.exact()).isFalse();
        assertThat(fault(IncidentKind.COMPUTE_STRAGGLER, RankSet.range(0, 3), 23, 28)
                        .hit())
                .as("a quarter of the job")
                .isTrue();
        assertThat(fault(IncidentKind.COMPUTE_STRAGGLER, RankSet.range(0, 4), 23, 28)
                        .hit())
                .isFalse();
    }

    @Test
    void whatNamesNoFaultIsAFalseAlarm() {
        Incident wrong = says(IncidentKind.COMPUTE_STRAGGLER, RankSet.of(5), 23, 28);
        Incident right = says(IncidentKind.COMPUTE_STRAGGLER, RankSet.of(3), 23, 28);

        Score both = score(SLOW, true, List.of(wrong, right), List.of());

        assertThat(both.falseAlarms()).containsExactly(wrong);
        assertThat(both.costliestFirst()).isFalse();
        assertThat(both.findings()).extracting(Score.Finding::right).containsExactly(false, true);
        assertThat(score(HEALTHY, true, List.of(wrong), List.of()).falseAlarms())
                .containsExactly(wrong);
        assertThat(score(HEALTHY, true, List.of(), List.of(wrong)).falseAlarms())
                .isEmpty();
    }

    @Test
    void anObservationWillDoForAWeakFaultOnly() {
        List<Incident> observed = List.of(says(IncidentKind.COMPUTE_STRAGGLER, RankSet.of(3), 23, 28));

        assertThat(score(SLOW, false, List.of(), observed).faults().getFirst().exact())
                .isTrue();
        FaultScore strong = score(SLOW, true, List.of(), observed).faults().getFirst();
        assertThat(strong.hit()).isFalse();
        assertThat(strong.onlyObserved()).isTrue();
    }

    @Test
    void aFaultOfAllIsFoundByItsKindNamingNobodyOrHalf() {
        for (RankSet named : List.of(RankSet.EMPTY, RankSet.range(0, 7))) {
            Incident said = says(IncidentKind.GLOBAL_SLOWDOWN, named, 23, 28);
            assertThat(score(CAPPED, true, List.of(said), List.of())
                            .faults()
                            .getFirst()
                            .exact())
                    .isTrue();
        }
        Incident one = says(IncidentKind.GLOBAL_SLOWDOWN, RankSet.of(3), 23, 28);
        assertThat(score(CAPPED, true, List.of(one), List.of())
                        .faults()
                        .getFirst()
                        .hit())
                .isFalse();
        Incident other = says(IncidentKind.LINK_DEGRADED, RankSet.EMPTY, 23, 28);
        assertThat(score(CAPPED, true, List.of(other), List.of())
                        .faults()
                        .getFirst()
                        .hit())
                .isFalse();
    }
}
