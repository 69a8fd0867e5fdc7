package dev.argus.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.Concluded;
import dev.argus.model.Incident;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Severity;
import dev.argus.simulator.SimulatedJob;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Truth;
import dev.argus.simulator.Wish;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Faults that hold in all recorded steps: the price against what the same job, same seed, takes without them. */
class WhatIfPriceTest {
    private static final int FIRST = 20;
    private static final int STEPS = 8;

    @Test
    void aReplayKnowsWhatAFaultCosts() {
        double bounds = 0;
        double prices = 0;
        int lowered = 0;
        for (ScenarioKind kind : List.of(ScenarioKind.COMPUTE, ScenarioKind.HBM, ScenarioKind.FAMILY)) {
            for (long seed = 600_000; seed < 600_004; seed++) {
                Scenario scenario = Scenarios.draw(Wish.of(seed, kind)
                        .severity(Severity.STRONG)
                        .maxRanks(24)
                        .firstStep(FIRST)
                        .stepCount(STEPS)
                        .onset(FIRST)
                        .duration(STEPS));
                SimulatedJob job = Simulation.run(scenario);
                JobRecords records = JobRecords.of(job);
                double truth = Truth.of(job, "price").faults().getFirst().nanos() / job.totalNanos();
                Concluded bound = records.unpriced(records.steps().getLast());
                Concluded priced = records.diagnose();
                bounds += Math.abs(cost(bound) - truth);
                prices += Math.abs(cost(priced) - truth);
                lowered += cost(priced) < cost(bound) ? 1 : 0;
                assertThat(cost(priced)).isLessThanOrEqualTo(cost(bound) + 1e-12);
                assertThat(priced.claimedNanos()).isLessThanOrEqualTo(bound.claimedNanos() + 1);
                assertThat(priced.lostNanos()).isGreaterThanOrEqualTo(priced.claimedNanos() - 1);
            }
        }
        assertThat(lowered).as("jobs of 12 whose price was lowered").isGreaterThanOrEqualTo(8);
        assertThat(prices).as("sum of errors, against that of bounds").isLessThan(bounds / 3);
    }

    private static double cost(Concluded c) {
        return Stream.concat(c.incidents().stream(), c.observations().stream())
                .filter(i -> i.kind().isIncident())
                .mapToDouble((Incident i) -> i.cost().stepRatio())
                .sum();
    }
}
