package dev.argus.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs scenarios. */
public final class Simulation {
    private static final int LEAD_IN = 1;

    private Simulation() {}

    /**
     * Simulates the recorded steps, after a step that fills queues and pipelines and is not recorded.
     *
     * <p>Cost: about 0.3 us per operation and rank on one core. Deterministic: equal scenarios give equal jobs.
     */
    public static SimulatedJob run(Scenario scenario) {
        List<List<RankStep>> steps = new ArrayList<>();
        run(scenario, steps::add);
        return new SimulatedJob(scenario, steps);
    }

    /** Simulates the same and keeps only how long the steps took: what a fault costs is held against it. */
    static StepTimes times(Scenario scenario) {
        StepTimes times = new StepTimes(scenario.layout().world());
        run(scenario, times::add);
        return times;
    }

    private static void run(Scenario scenario, Consumer<List<RankStep>> to) {
        Machine machine = new Machine(scenario);
        for (int step = scenario.firstStep() - LEAD_IN; step <= scenario.lastStep(); step++) {
            List<RankStep> all = machine.run(step);
            if (step >= scenario.firstStep()) {
                to.accept(all);
            }
        }
    }
}
