package dev.argus.model;

/**
 * The durations of one kernel on one rank in one step, over its streams of one role.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param step the framework's step number
 * @param name name id of the kernel
 * @param kernelClass class
 * @param count number of events, exact
 * @param sumNanos sum of durations, exact
 * @param workItems threads launched, summed, exact; 0 when unknown
 * @param quantilesNanos quantile function at (i + 0.5) / {@value #KNOTS}; owned by the record, not to be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record KernelSummary(
        int attempt,
        int rank,
        long step,
        int name,
        KernelClass kernelClass,
        long count,
        long sumNanos,
        long workItems,
        double[] quantilesNanos) {

    /** Knots of the quantile function. */
    public static final int KNOTS = 16;

    /** The same summary of another attempt and rank. */
    public KernelSummary of(int newAttempt, int newRank) {
        return new KernelSummary(
                newAttempt, newRank, step, name, kernelClass, count, sumNanos, workItems, quantilesNanos);
    }
}
