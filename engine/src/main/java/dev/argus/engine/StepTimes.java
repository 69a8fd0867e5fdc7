package dev.argus.engine;

/**
 * When the steps of an attempt were.
 *
 * @param attempt attempt of the job
 * @param steps steps, ascending
 * @param startNanos earliest start over ranks, nanoseconds since the epoch, each by its own host's clock
 * @param endNanos latest end over ranks
 */
@SuppressWarnings("ArrayRecordComponent")
public record StepTimes(int attempt, long[] steps, long[] startNanos, long[] endNanos) implements Partial {}
