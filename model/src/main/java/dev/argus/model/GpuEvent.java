package dev.argus.model;

import org.jspecify.annotations.Nullable;

/**
 * One interval of work on a GPU, as recorded.
 *
 * @param activity kernel, copy or set
 * @param name name id of the kernel or copy
 * @param device GPU index as in the trace
 * @param stream stream number as in the trace (0 is valid)
 * @param startNanos start, nanoseconds since the Unix epoch by the clock of the host
 * @param durationNanos duration in nanoseconds, &gt;= 0
 * @param correlation id shared with the launch, or 0 when unknown; one launch of a CUDA graph shares it with all its kernels
 * @param workItems threads launched (grid x block), or 0 when unknown: tells more work from slower work
 * @param bytes bytes copied or set, or 0
 * @param direction direction of a copy
 * @param collective identity when the trace states it beside the kernel
 */
public record GpuEvent(
        GpuActivity activity,
        int name,
        int device,
        int stream,
        long startNanos,
        long durationNanos,
        long correlation,
        long workItems,
        long bytes,
        CopyDirection direction,
        @Nullable CollectiveCall collective) {

    /** End in nanoseconds since the Unix epoch. */
    public long endNanos() {
        return startNanos + durationNanos;
    }
}
