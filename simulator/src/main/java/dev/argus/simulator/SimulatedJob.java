package dev.argus.simulator;

import java.util.List;

/**
 * What happened in a simulated job, by the true clock.
 *
 * <p>Footprint: 24 bytes per operation, rank and step; about 15 KB per rank and step of a small model.
 */
public final class SimulatedJob {
    private final Scenario scenario;
    private final List<List<RankStep>> steps;

    SimulatedJob(Scenario scenario, List<List<RankStep>> steps) {
        this.scenario = scenario;
        this.steps = steps;
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

    /** Duration of a recorded step, mean over the ranks, from its begin to the next one's; of the last, to its mark's end. */
    public double stepNanos(int position) {
        double sum = 0;
        int world = scenario.layout().world();
        for (int rank = 0; rank < world; rank++) {
            RankStep own = steps.get(position).get(rank);
            long end = position + 1 < steps.size()
                    ? steps.get(position + 1).get(rank).begin()
                    : own.finish();
            sum += end - own.begin();
        }
        return sum / world;
    }

    /** Duration of all recorded steps. */
    public double totalNanos() {
        double sum = 0;
        for (int i = 0; i < steps.size(); i++) {
            sum += stepNanos(i);
        }
        return sum;
    }
}
