package dev.argus.engine;

/**
 * When the steps of an attempt were.
 *
 * @param attempt attempt of the job
 * @param steps steps, ascending
 * @param startNanos when they began, nanoseconds since the epoch, the median over hosts of their first rank ({@link StepClock})
 * @param endNanos when they ended, the median over hosts of their last rank
 */
@SuppressWarnings("ArrayRecordComponent")
public record StepTimes(int attempt, long[] steps, long[] startNanos, long[] endNanos) implements Partial {}
