package dev.argus.model;

import org.jspecify.annotations.Nullable;

/**
 * One named interval that is not work of the GPU itself.
 *
 * @param kind origin
 * @param name name id
 * @param process process id as in the trace (device for {@link SpanKind#GPU_ANNOTATION})
 * @param thread thread id as in the trace (stream for {@link SpanKind#GPU_ANNOTATION})
 * @param startNanos start, nanoseconds since the Unix epoch by the clock of the host
 * @param durationNanos duration in nanoseconds, &gt;= 0
 * @param externalId id that joins operators with the launches they make, or 0
 * @param collective identity, when this span is a collective call or its record
 */
public record CpuSpan(
        SpanKind kind,
        int name,
        long process,
        long thread,
        long startNanos,
        long durationNanos,
        long externalId,
        @Nullable CollectiveCall collective) {

    /** End in nanoseconds since the Unix epoch. */
    public long endNanos() {
        return startNanos + durationNanos;
    }
}
