package dev.argus.testkit;

import dev.argus.testkit.KernelMix.Kernel;

/** Sees the events of one rank in the order in which they are issued. Times: nanoseconds since the start of the job. */
interface TimelineVisitor {
    /** Thread that runs Python. */
    int MAIN = 0;

    /** Thread that runs the backward pass. */
    int AUTOGRAD = 1;

    int COMPUTE_STREAM = 7;
    int COMM_STREAM = 20;

    /** An operator on the CPU. */
    default void operator(String name, int thread, long start, long nanos, long external) {}

    /** A range the program names on the CPU. */
    default void annotation(String name, int thread, long start, long nanos, long external) {}

    /** The record of a collective's call; {@code gather} tells the all-gather from the buckets' operation. */
    default void collectiveCall(boolean gather, int thread, long start, long nanos, long external, long sequence) {}

    /** A call of the runtime without work on the GPU. */
    default void runtimeCall(String name, int thread, long start, long nanos, long correlation) {}

    /** A copy to the GPU, with its launch. */
    default void copy(long launch, long start, long nanos, long bytes, long external, long correlation) {}

    /** A compute kernel, with its launch. */
    default void kernel(
            Kernel kernel, int thread, long launch, long start, long nanos, long external, long correlation) {}

    /** A collective's kernel, with its launch. */
    default void collectiveKernel(
            boolean gather,
            int thread,
            long launch,
            long start,
            long nanos,
            long external,
            long correlation,
            long sequence) {}

    /** The shadow of a range on a stream. */
    default void gpuAnnotation(String name, int stream, long start, long end, long external) {}

    /** All events of a step were shown; the interval is that of its mark on the CPU. */
    default void stepDone(int step, long start, long end) {}
}
