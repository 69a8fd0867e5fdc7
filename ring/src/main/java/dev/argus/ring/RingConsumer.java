package dev.argus.ring;

/**
 * Takes the records of a ring as primitives, in the order in which they were written, on the thread that drains.
 *
 * <p>Times are nanoseconds of the producer's clock ({@link RingClock} places them), 0 to 2^62; durations nanoseconds, 0 to 2^40 - 1; threads and
 * streams 0 to 2^24 - 1; correlations and external ids 0 to 2^32 - 1. Names are ids of the agent's table of names or {@link #NONE}; a name
 * whose definition was never seen is {@link RingReader#unknownName}. Everything else is as the producer wrote it, and hostile: kinds,
 * dimensions, operations, flags and group ids may be any number.
 *
 * <p>Implementations should not throw: what a call threw is thrown on by {@code drain}, and the records of the chunk come again.
 */
public interface RingConsumer {
    /** No name. */
    int NONE = -1;

    /** A kernel; {@code workItems} threads launched, 0 unknown. */
    default void kernel(
            int device,
            int name,
            long startNanos,
            long durationNanos,
            int stream,
            long correlation,
            long workItems,
            int flags) {}

    /** A copy of {@code bytes}. */
    default void copy(
            int device,
            int direction,
            long bytes,
            long startNanos,
            long durationNanos,
            int stream,
            long correlation,
            int flags) {}

    /** A set of {@code bytes}. */
    default void set(
            int device, long bytes, long startNanos, long durationNanos, int stream, long correlation, int flags) {}

    /** A call of the GPU runtime. */
    default void launch(
            int name, long startNanos, long durationNanos, int thread, long correlation, long externalId, int flags) {}

    /** The begin or the end of a step, by its flags. */
    default void step(int flags, long startNanos, long durationNanos, int thread, long number) {}

    /** A named interval, or its begin. */
    default void span(
            int kind,
            int dimension,
            int flags,
            int name,
            long startNanos,
            long durationNanos,
            int thread,
            int enclosing,
            long externalId) {}

    /** A collective, or its begin; -1 = unknown or none for peer, bytes, sequence and group size. */
    default void collective(
            int op,
            int flags,
            int group,
            long startNanos,
            long durationNanos,
            int thread,
            long correlation,
            int peer,
            int operations,
            long bytes,
            long sequence,
            int groupSize,
            int name) {}

    /** A group of ranks; size 0 unknown. */
    default void group(int dimension, int group, int name, int description, int members, int size) {}

    /** A fact about the process. */
    default void identity(int key, int string, long value) {}

    /** What three clocks showed at one moment. */
    default void clock(long hereNanos, long monotonicNanos, long realtimeNanos) {}

    /** {@code count} of something is missing between two times; both may be 0. */
    default void loss(LossReason reason, long fromNanos, long toNanos, long count) {}

    /** All work of the GPU that had ended by then, and is recorded, has been told. */
    default void reported(long untilNanos) {}
}
