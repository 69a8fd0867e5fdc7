package dev.argus.model;

/**
 * The framework's own mark of one training step.
 *
 * @param step the framework's step number
 * @param startNanos start, nanoseconds since the Unix epoch by the clock of the host
 * @param durationNanos duration of the mark in nanoseconds, &gt;= 0
 * @param onGpu true for the shadow of the mark on a GPU stream, false for the CPU's own
 */
public record StepMark(long step, long startNanos, long durationNanos, boolean onGpu) {

    /** End in nanoseconds since the Unix epoch. */
    public long endNanos() {
        return startNanos + durationNanos;
    }
}
