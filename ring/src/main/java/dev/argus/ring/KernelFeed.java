package dev.argus.ring;

import dev.argus.sketch.KernelSketch;

/**
 * Feeds the kernels of a ring into a sketch, in batches, which takes a third of the time of single ones. Call {@link #flush} before the sketch is
 * closed or read.
 *
 * <p>Starts are placed on epoch time by the clock of the ring, whose CLOCK records it takes as well. Belongs to one thread.
 */
public final class KernelFeed implements RingConsumer {
    private static final int WORDS = 4;
    private static final int BATCH = 512 * WORDS;

    private final KernelSketch sketch;
    private final RingClock clock;
    private final long[] words = new long[BATCH];
    private int filled;

    /** Into this sketch, by this clock. */
    public KernelFeed(KernelSketch sketch, RingClock clock) {
        this.sketch = sketch;
        this.clock = clock;
    }

    @Override
    public void kernel(
            int device,
            int name,
            long startNanos,
            long durationNanos,
            int stream,
            long correlation,
            long workItems,
            int flags) {
        int at = filled;
        words[at] = clock.epoch(startNanos);
        words[at + 1] = durationNanos;
        words[at + 2] = name | ((long) stream << 32);
        words[at + 3] = workItems;
        filled = at + WORDS;
        if (filled == BATCH) {
            flush();
        }
    }

    @Override
    public void clock(long hereNanos, long monotonicNanos, long realtimeNanos) {
        clock.add(hereNanos, monotonicNanos, realtimeNanos);
    }

    /** Hands over what is collected. */
    public void flush() {
        sketch.addAll(words, 0, filled);
        filled = 0;
    }
}
