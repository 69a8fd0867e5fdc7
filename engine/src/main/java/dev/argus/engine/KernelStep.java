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
 * @param count number of events
 * @param sumNanos exact sum of durations
 * @param streams its durations, stream by stream; one or more
 */
public record KernelStep(
        int attempt,
        int rank,
        long step,
        int kernel,
        long workItems,
        long count,
        long sumNanos,
        List<DurationSummary> streams) {
    /** Counted from the durations. */
    public KernelStep(int attempt, int rank, long step, int kernel, long workItems, List<DurationSummary> streams) {
        this(attempt, rank, step, kernel, workItems, count(streams), sumNanos(streams), streams);
    }

    private static long count(List<DurationSummary> streams) {
        long sum = 0;
        for (DurationSummary s : streams) {
            sum += s.count();
        }
        return sum;
    }

    private static long sumNanos(List<DurationSummary> streams) {
        long sum = 0;
        for (DurationSummary s : streams) {
            sum += s.sumNanos();
        }
        return sum;
    }

    /** With another stream's. */
    KernelStep with(KernelStep other) {
        List<DurationSummary> all = new ArrayList<>(streams);
        all.addAll(other.streams);
        return new KernelStep(
                attempt,
                rank,
                step,
                kernel,
                workItems + other.workItems,
                count + other.count,
                sumNanos + other.sumNanos,
                List.copyOf(all));
    }

    /** Mean duration in nanoseconds; not a number without events. */
    double meanNanos() {
        return (double) sumNanos / count;
    }
}
