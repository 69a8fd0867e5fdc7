package dev.argus.engine;

import dev.argus.model.DurationSummary;
import java.util.ArrayList;
import java.util.List;

/**
 * One compute kernel of one rank in one step, what {@link KernelShift} takes.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param step step
 * @param kernel name id
 * @param workItems threads launched, summed; 0 when unknown
 * @param streams its durations, stream by stream; one or more
 */
public record KernelStep(int attempt, int rank, long step, int kernel, long workItems, List<DurationSummary> streams) {
    /** With another stream's. */
    KernelStep with(KernelStep other) {
        List<DurationSummary> all = new ArrayList<>(streams);
        all.addAll(other.streams);
        return new KernelStep(attempt, rank, step, kernel, workItems + other.workItems, List.copyOf(all));
    }

    /** Number of events. */
    long count() {
        long sum = 0;
        for (DurationSummary d : streams) {
            sum += d.count();
        }
        return sum;
    }

    /** Exact sum of durations. */
    long sumNanos() {
        long sum = 0;
        for (DurationSummary d : streams) {
            sum += d.sumNanos();
        }
        return sum;
    }
}
