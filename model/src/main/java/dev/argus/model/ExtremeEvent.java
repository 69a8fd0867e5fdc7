package dev.argus.model;

/**
 * One event kept exactly because it was unusually long.
 *
 * @param name name id of the kernel
 * @param stream stream number as in the trace
 * @param startNanos start, nanoseconds since the Unix epoch by the clock of the host
 * @param durationNanos duration in nanoseconds
 */
public record ExtremeEvent(int name, int stream, long startNanos, long durationNanos) {}
