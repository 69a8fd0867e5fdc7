package dev.argus.model;

/**
 * One call of the GPU runtime or driver on the CPU.
 *
 * @param name name id of the call, such as {@code cudaLaunchKernel}
 * @param correlation id shared with the work it started
 * @param externalId id of the framework operator that made the call, or 0
 * @param thread thread id as in the trace
 * @param startNanos start, nanoseconds since the Unix epoch by the clock of the host
 * @param durationNanos duration in nanoseconds, &gt;= 0
 */
public record LaunchEvent(
        int name, long correlation, long externalId, long thread, long startNanos, long durationNanos) {}
