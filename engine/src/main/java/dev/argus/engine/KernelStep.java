package dev.argus.engine;

import dev.argus.model.DurationSummary;
import java.util.List;

/**
 * One compute kernel of one rank in one step, what {@link KernelShift} takes.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param step step
 * @param kernel name id
 * @param streams its durations, stream by stream; one or more
 */
public record KernelStep(int attempt, int rank, long step, int kernel, List<DurationSummary> streams) {
    /** Number of events. */
    long count() {
        return streams.stream().mapToLong(DurationSummary::count).sum();
    }

    /** Exact sum of durations. */
    long sumNanos() {
        return streams.stream().mapToLong(DurationSummary::sumNanos).sum();
    }
}
