package dev.argus.benchmarks.accuracy;

import dev.argus.simulator.Scenario;
import dev.argus.simulator.SimulatedJob;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Truth;

/**
 * One published situation, simulated, diagnosed and held against the truth.
 *
 * @param situation what was tried
 * @param layout its job, for people
 * @param ranks size of the job
 * @param score how right the answer is
 * @param answer what was said
 * @param madeSeconds time to simulate the job and to assemble its records
 * @param diagnosedSeconds time from records to verdict
 */
public record PublishedTrial(
        Published situation,
        String layout,
        int ranks,
        Score score,
        Answer answer,
        double madeSeconds,
        double diagnosedSeconds) {

    /** Tries a situation. */
    public static PublishedTrial run(Published situation, boolean full) {
        long begin = System.nanoTime();
        Scenario scenario = situation.scenario(full);
        Made made = made(scenario, situation.word());
        long ready = System.nanoTime();
        Answer answer = Answer.of(made.records.conclude(made.records.steps().getLast()));
        long end = System.nanoTime();
        return new PublishedTrial(
                situation,
                scenario.layout().toString(),
                scenario.layout().world(),
                Scoreboard.score(scenario.layout(), true, made.truth, answer),
                answer,
                (ready - begin) / 1e9,
                (end - ready) / 1e9);
    }

    private record Made(JobRecords records, Truth truth) {}

    /** The simulated job itself is not kept: its records are. */
    private static Made made(Scenario scenario, String name) {
        SimulatedJob job = Simulation.run(scenario);
        Truth truth = Truth.of(job, name);
        return new Made(JobRecords.of(job), truth);
    }

    /** True when those at fault are named and nobody else, with an accepted kind and the right steps, and nothing else is said. */
    public boolean named() {
        return score.falseAlarms().isEmpty()
                && score.faults().stream().allMatch(f -> f.exact() && f.kindRight() && f.stepsRight());
    }
}
