package dev.argus.testkit;

import static dev.argus.testkit.JsonBytes.bytes;

import dev.argus.testkit.KernelMix.Kernel;

/** Writes the work of the GPU with its launches and the arrows between them, and sums up what a reader should find. */
final class GpuHalf implements TimelineVisitor {
    private static final byte[] CORRELATION = bytes(", \"correlation\": ");
    private static final byte[] CONTEXT = bytes(", \"context\": 1, \"stream\": ");
    private static final byte[] COMMA = bytes(", ");
    private static final byte[] QUEUED = bytes(", \"queued\": 0, \"device\": ");
    private static final byte[] COMM_SHAPE = bytes("\"registers per thread\": 96, \"shared memory\": 82240, "
            + "\"blocks per SM\": 0.181818, \"warps per SM\": 3.090909, \"grid\": [24, 1, 1], \"block\": [544, 1, 1], "
            + "\"est. achieved occupancy %\": 5");

    private final KinetoEvents events;
    private final byte[] external;
    private final CollectiveWords bucket;
    private final CollectiveWords gather;
    private final BusyUnion busy = new BusyUnion();
    private long kernels;
    private long kernelNanos;
    private long commNanos;
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;

    GpuHalf(KinetoEvents events) {
        this.events = events;
        this.external = bytes(events.externalKey());
        this.bucket = CollectiveWords.bucket(events.job);
        this.gather = CollectiveWords.gather(events.job);
    }

    @Override
    public void copy(long launch, long start, long nanos, long size, long externalId, long correlation) {
        events.openGpu("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", COMPUTE_STREAM, start, nanos);
        events.out.put(external).number(externalId).put(", \"device\": ").number(events.device);
        events.out.put(CONTEXT).number(COMPUTE_STREAM).put(CORRELATION).number(correlation);
        events.out.put(", \"bytes\": ").number(size).put(", \"memory bandwidth (GB/s)\": 21.845333333333333");
        events.close();
        launched("cuda_runtime", "cudaMemcpyAsync", 41, MAIN, launch, COMPUTE_STREAM, start, externalId, correlation);
    }

    @Override
    public void kernel(
            Kernel kernel, int thread, long launch, long start, long nanos, long externalId, long correlation) {
        events.openKernel(kernel.name, COMPUTE_STREAM, start, nanos);
        device(externalId, COMPUTE_STREAM, correlation);
        events.out.put(kernel.shape);
        events.close();
        count(start, nanos);
        if (kernel.driverLaunch) {
            launched(
                    "cuda_driver",
                    "cuLaunchKernelEx",
                    652,
                    thread,
                    launch,
                    COMPUTE_STREAM,
                    start,
                    externalId,
                    correlation);
        } else {
            launched(
                    "cuda_runtime",
                    "cudaLaunchKernel",
                    211,
                    thread,
                    launch,
                    COMPUTE_STREAM,
                    start,
                    externalId,
                    correlation);
        }
    }

    @Override
    public void collectiveKernel(
            boolean isGather,
            int thread,
            long launch,
            long start,
            long nanos,
            long externalId,
            long correlation,
            long sequence) {
        CollectiveWords words = isGather ? gather : bucket;
        events.openKernel(words.kernelName, COMM_STREAM, start, nanos);
        device(externalId, COMM_STREAM, correlation);
        events.out.put(COMM_SHAPE);
        if (events.job.dialect().groupArgs()) {
            events.out.put(words.arguments).number(sequence);
        }
        events.close();
        count(start, nanos);
        commNanos += events.cut(nanos);
        launched(
                "cuda_runtime",
                "cudaLaunchKernelExC",
                430,
                thread,
                launch,
                COMM_STREAM,
                start,
                externalId,
                correlation);
    }

    private void device(long externalId, int stream, long correlation) {
        events.out.put(external).number(externalId).put(QUEUED).number(events.device);
        events.out
                .put(CONTEXT)
                .number(stream)
                .put(CORRELATION)
                .number(correlation)
                .put(COMMA);
    }

    private void count(long start, long nanos) {
        long from = events.written(start);
        long length = events.cut(nanos);
        kernels++;
        kernelNanos += length;
        busy.add(from, from + length);
        firstNanos = Math.min(firstNanos, from);
        lastNanos = Math.max(lastNanos, from + length);
    }

    private void launched(
            String category,
            String name,
            int callId,
            int thread,
            long launch,
            int stream,
            long start,
            long externalId,
            long correlation) {
        events.flow(false, correlation, events.device, stream, start);
        events.openCpu(category, name, events.thread(thread), launch, 4_300);
        events.out.put(external).number(externalId).put(", \"cbid\": ").number(callId);
        events.out.put(CORRELATION).number(correlation);
        events.close();
        events.flow(true, correlation, events.process, events.thread(thread), launch);
    }

    @Override
    public void runtimeCall(String name, int thread, long start, long nanos, long correlation) {
        events.openCpu("cuda_runtime", name, events.thread(thread), start, nanos);
        events.out.put("\"cbid\": 131").put(CORRELATION).number(correlation);
        events.close();
    }

    @Override
    public void gpuAnnotation(String name, int stream, long start, long end, long externalId) {
        if (events.job.dialect().oldCategories()) {
            return;
        }
        events.openGpu("gpu_user_annotation", name, stream, start, end - start);
        events.out.put(external).number(externalId);
        events.close();
    }

    @Override
    public void stepDone(int step, long start, long end) {
        busy.closeBatch();
    }

    long kernels() {
        return kernels;
    }

    long kernelNanos() {
        return kernelNanos;
    }

    long commNanos() {
        return commNanos;
    }

    long busyNanos() {
        return busy.nanos();
    }

    long firstNanos() {
        return firstNanos;
    }

    long lastNanos() {
        return lastNanos;
    }
}
