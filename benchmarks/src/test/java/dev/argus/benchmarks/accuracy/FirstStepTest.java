package dev.argus.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.Concluded;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Severity;
import dev.argus.simulator.Simulation;
import org.junit.jupiter.api.Test;

/** Recorders start in the first recorded step, on each CPU for another time: what pauses there alone is no rank's fault, also where it has one peer alone. */
class FirstStepTest {
    @Test
    void accusesNobodyWhereRecordersStart() {
        JobRecords records = JobRecords.of(
                Simulation.run(Scenarios.random(10_300_012, ScenarioKind.PROFILER_START, Severity.STRONG, 32)));
        Concluded c = records.conclude(records.steps().getLast());
        assertThat(c.incidents()).isEmpty();
    }
}
