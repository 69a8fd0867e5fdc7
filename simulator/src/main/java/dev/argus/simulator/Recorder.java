package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import org.jspecify.annotations.Nullable;

/** Takes what a profiler would have recorded of one rank; times are nanoseconds since the epoch by its host's clock. */
interface Recorder {
    /** The mark of a step on the CPU, and its shadow on the GPU. */
    void step(int number, long start, long nanos, long gpuStart, long gpuNanos);

    /** A step begins; told only of a job that goes on. */
    default void stepBegun(int number, long start) {}

    /** A range begins; told only of a job that goes on. */
    default void rangeBegun(String name, long start) {}

    /** A collective or message is about to be launched; told only of a job that goes on. */
    default void communicationBegun(Message message, long start) {}

    /** A collective or message has been launched; told only of a job that goes on. */
    default void communicationCalled(Message message, long start, long nanos) {}

    /** A range that the framework or the user named. */
    void range(String name, long start, long nanos);

    /** A Python frame. */
    void frame(String name, long start, long nanos);

    /** A call of the GPU runtime; correlation 0 when it starts nothing. */
    void call(String name, long correlation, long start, long nanos);

    /** A compute kernel. */
    void kernel(String name, int stream, long correlation, long start, long nanos, long grid, int block);

    /** A copy. */
    void copy(String name, int stream, long correlation, long start, long nanos, long bytes);

    /** A kernel of a collective or message. */
    void communication(Message message, int stream, long correlation, long start, long nanos);

    /**
     * What is known of a collective or message.
     *
     * @param op operation
     * @param group group
     * @param sequence number in the group, -1 for messages
     * @param in bytes given
     * @param out bytes got
     * @param peer the other side, or the root of a broadcast; -1 for none
     * @param uneven parts of an uneven exchange, given and got
     */
    record Message(
            CollectiveOp op,
            Group group,
            long sequence,
            long in,
            long out,
            int peer,
            @Nullable Splits uneven) {}

    /**
     * Elements per member of an uneven exchange.
     *
     * @param in given
     * @param out got
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Splits(long[] in, long[] out) {}
}
