package dev.argus.stacks;

import java.util.List;

/**
 * One stack of one thread, as it was at one moment.
 *
 * @param timeNanos on the clock of whoever asked for it
 * @param thread its id on this host
 * @param threadName {@code MainThread}, else the name the kernel has for it, at most 15 bytes; empty when hidden
 * @param main true for the main thread
 * @param holdsGil true if it held the GIL, and so was the one that ran Python
 * @param active false for a thread that slept: it held no GIL, and the kernel had it neither running nor in an uninterruptible wait
 * @param cut true if there are more callers than frames
 * @param weight samples at the full rate that this one stands for
 * @param frames innermost first, such as {@code wait (threading.py:306)}; exact, so hostile
 */
public record SampledStack(
        long timeNanos,
        int thread,
        String threadName,
        boolean main,
        boolean holdsGil,
        boolean active,
        boolean cut,
        int weight,
        List<String> frames) {
    /** Copies defensively. */
    public SampledStack {
        frames = List.copyOf(frames);
    }

    /** The same at a later moment. */
    SampledStack again(long nowNanos, int newWeight) {
        return new SampledStack(nowNanos, thread, threadName, main, holdsGil, active, cut, newWeight, frames);
    }
}
