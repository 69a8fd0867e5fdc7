package dev.argus.simulator;

import java.util.List;

/**
 * What happened in a simulated job, by the true clock.
 *
 * <p>Footprint: 24 bytes per operation, rank and step; about 15 KB per rank and step of a small model. Where only the times of
 * steps are wanted, {@link Simulation#times} keeps none of it.
 */
public final class SimulatedJob {
    private final Scenario scenario;
    private final List<List<RankStep>> steps;
    private final HostClocks clocks;
    private final StepTimes times;

    SimulatedJob(Scenario scenario, List<List<RankStep>> steps) {
        this.scenario = scenario;
        this.steps = steps;
        this.clocks = new HostClocks(scenario);
        this.times = new StepTimes(scenario.layout().world());
        steps.forEach(times::add);
    }

    /** What was simulated. */
    public Scenario scenario() {
        return scenario;
    }

    /** All ranks of a recorded step, by its position. */
    List<RankStep> step(int position) {
        return steps.get(position);
    }

    /** One rank in all recorded steps. */
    List<RankStep> rank(int rank) {
        return steps.stream().map(s -> s.get(rank)).toList();
    }

    /** The clocks of its hosts. */
    HostClocks clocks() {
        return clocks;
    }

    /** How long its steps took. */
    StepTimes times() {
        return times;
    }

    /** Duration of a recorded step, mean over the ranks, from its begin to the next one's; of the last, to its mark's end. */
    public double stepNanos(int position) {
        return times.nanos(position);
    }

    /** Duration of all recorded steps. */
    public double totalNanos() {
        return times.total();
    }
}
