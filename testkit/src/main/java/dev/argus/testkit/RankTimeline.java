package dev.argus.testkit;

import dev.argus.testkit.KernelMix.Kernel;
import dev.argus.testkit.KinetoJob.SlowRank;
import dev.argus.testkit.KinetoJob.Stall;
import java.util.List;

/**
 * The clockwork of one rank of a data-parallel job: its CPU, its compute stream, its communication stream.
 *
 * <p>The CPU launches ahead of the GPU and waits for it once a step, before the optimizer. Work on a stream begins when
 * the stream is free and its launch has arrived. Between {@link #advance} and {@link #finish} stands what only the
 * whole job knows: when the last member arrived. So the same class plans a job (all ranks in lockstep) and replays one rank.
 *
 * <p>A step is {@code beginStep}, then for each collective {@code advance} and {@code finish}, then {@code endStep}.
 */
final class RankTimeline {
    private static final long OPERATOR = 9_000;
    private static final long LAUNCH_LATENCY = 4_600;
    private static final long STREAM_GAP = 1_000;
    private static final long TRANSFER = 640_000;
    private static final long BATCH_BYTES = 4L * 8192 * 8;

    private final KinetoJob job;
    private final int rank;
    private final TimelineVisitor visitor;
    private final double ownSpeed;
    private double factor;
    private int step;
    private long stepStart;
    private long cpu;
    private long compute;
    private long comm;
    private long work;
    private long external = 1;
    private long correlation;
    private long sequence;
    private long arrival;
    private long commLaunch;
    private long commExternal;
    private long commCorrelation;
    private long backwardStart;
    private long backwardGpuStart;
    private long stepGpuStart;
    private long optimizerStart;
    private long optimizerGpuStart;

    RankTimeline(KinetoJob job, int rank, TimelineVisitor visitor) {
        this.job = job;
        this.rank = rank;
        this.visitor = visitor;
        this.ownSpeed = 1 + 0.004 * Noise.bell(job.seed(), rank, -1, 0);
        this.correlation = 1000 + 31L * rank;
        this.cpu = Math.floorMod(Noise.bits(job.seed(), rank, -2, 0), 50_000L);
    }

    /** Collectives of one step. */
    static int collectives(KinetoJob job) {
        return job.layers() + (job.sharded() ? 1 : 0);
    }

    /** Length of the transfer of one collective, the same for all members. */
    static long transferNanos(KinetoJob job, int step, int index) {
        return (long) (TRANSFER * (1 + 0.02 * Noise.bell(job.seed(), -3, step, index)));
    }

    void beginStep(int number) {
        step = number;
        stepStart = cpu;
        SlowRank slow = job.slowRank();
        factor = ownSpeed * (slow != null && slow.rank() == rank && step >= slow.fromStep() ? slow.factor() : 1);
        loadData();
        long start = cpu;
        long gpuStart = compute + STREAM_GAP;
        long id = ++external;
        for (int layer = 0; layer < job.layers(); layer++) {
            for (int k = 0; k < job.kernelsPerLayer(); k++) {
                long began = launch(pick(KernelMix.FORWARD, k), TimelineVisitor.MAIN);
                gpuStart = layer + k == 0 ? began : gpuStart;
            }
        }
        visitor.annotation("forward_step", TimelineVisitor.MAIN, start, cpu - start, id);
        visitor.gpuAnnotation("forward_step", TimelineVisitor.COMPUTE_STREAM, gpuStart, compute, id);
        cpu += 20_000;
        backwardStart = cpu;
        backwardGpuStart = -1;
    }

    private void loadData() {
        Stall stall = job.stall();
        long nanos = 60_000 + Math.floorMod(Noise.bits(job.seed(), rank, step, -4), 30_000L);
        if (stall != null && stall.rank() == rank && stall.step() == step) {
            nanos += stall.millis() * 1_000_000;
        }
        cpu += 15_000;
        String loader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
        visitor.annotation(loader, TimelineVisitor.MAIN, cpu, nanos, ++external);
        cpu += nanos + 5_000;
        long id = ++external;
        visitor.operator("aten::copy_", TimelineVisitor.MAIN, cpu, 14_000, id);
        long launch = cpu + 3_000;
        stepGpuStart = Math.max(compute + STREAM_GAP, launch + LAUNCH_LATENCY);
        correlation += 3;
        visitor.copy(launch, stepGpuStart, 12_000, BATCH_BYTES, id, correlation);
        compute = stepGpuStart + 12_000;
        cpu += 16_000;
    }

    private static Kernel pick(List<Kernel> kernels, int index) {
        return kernels.get(index % kernels.size());
    }

    /** Launches a compute kernel; returns its start on the GPU. */
    private long launch(Kernel kernel, int thread) {
        long id = ++external;
        long noise = ++work;
        visitor.operator(kernel.operator, thread, cpu, OPERATOR, id);
        long launch = cpu + 3_000;
        long start = Math.max(compute + STREAM_GAP, launch + LAUNCH_LATENCY);
        double length = kernel.nanos * factor * (1 + 0.01 * Noise.bell(job.seed(), rank, noise, 5));
        long nanos = (long) length;
        correlation += 3;
        visitor.kernel(kernel, thread, launch, start, nanos, id, correlation);
        compute = start + nanos;
        cpu += OPERATOR + 1_000 + (noise & 7) * 250;
        return start;
    }

    /** Runs up to a collective of the step, in order from 0; returns when this rank's kernel starts. */
    long advance(int index) {
        if (index == job.layers()) {
            optimizer();
            callCollective(true, TimelineVisitor.MAIN);
            return arrival;
        }
        for (int k = 0; k < job.kernelsPerLayer(); k++) {
            long began = launch(pick(KernelMix.BACKWARD, k), TimelineVisitor.AUTOGRAD);
            backwardGpuStart = backwardGpuStart < 0 ? began : backwardGpuStart;
        }
        callCollective(false, TimelineVisitor.AUTOGRAD);
        return arrival;
    }

    private void callCollective(boolean gather, int thread) {
        commExternal = ++external;
        sequence++;
        visitor.collectiveCall(gather, thread, cpu, 42_000, commExternal, sequence);
        String name =
                gather ? "nccl:_all_gather_base" : job.sharded() ? "nccl:_reduce_scatter_base" : "nccl:all_reduce";
        visitor.annotation(name, thread, cpu + 2_000, 39_000, ++external);
        commLaunch = cpu + 30_000;
        correlation += 4;
        commCorrelation = correlation;
        arrival = Math.max(Math.max(comm + STREAM_GAP, compute + 1_500), commLaunch + LAUNCH_LATENCY);
        cpu += 45_000;
    }

    /** Ends the collective that {@link #advance} began, given when the last member's kernel started. */
    void finish(int index, long lastArrival) {
        boolean gather = index == job.layers();
        long lag = Math.floorMod(Noise.bits(job.seed(), rank, sequence, 6), 1_500L);
        long end = lastArrival + transferNanos(job, step, index) + lag;
        int thread = gather ? TimelineVisitor.MAIN : TimelineVisitor.AUTOGRAD;
        visitor.collectiveKernel(
                gather, thread, commLaunch, arrival, end - arrival, commExternal, commCorrelation, sequence);
        String name =
                gather ? "nccl:_all_gather_base" : job.sharded() ? "nccl:_reduce_scatter_base" : "nccl:all_reduce";
        visitor.gpuAnnotation(name, TimelineVisitor.COMM_STREAM, arrival, end, commExternal + 1);
        comm = end;
        if (gather) {
            compute = Math.max(compute, end);
        }
    }

    private void optimizer() {
        long id = ++external;
        visitor.annotation("backward_step", TimelineVisitor.MAIN, backwardStart, cpu - backwardStart, id);
        visitor.gpuAnnotation("backward_step", TimelineVisitor.COMPUTE_STREAM, backwardGpuStart, compute, id);
        compute = Math.max(compute, comm);
        correlation += 2;
        long wait = Math.max(cpu + 6_000, compute + 3_000);
        visitor.runtimeCall("cudaStreamSynchronize", TimelineVisitor.MAIN, cpu, wait - cpu, correlation);
        cpu = wait + 12_000;
        optimizerStart = cpu;
        long optimizerId = ++external;
        for (int layer = 0; layer < job.layers(); layer++) {
            long began = launch(KernelMix.OPTIMIZER, TimelineVisitor.MAIN);
            optimizerGpuStart = layer == 0 ? began : optimizerGpuStart;
        }
        String name = "Optimizer.step#FusedAdam.step";
        visitor.annotation(name, TimelineVisitor.MAIN, optimizerStart, cpu - optimizerStart, optimizerId);
        visitor.gpuAnnotation(name, TimelineVisitor.COMPUTE_STREAM, optimizerGpuStart, compute, optimizerId);
        cpu += 10_000;
    }

    void endStep() {
        if (!job.sharded()) {
            optimizer();
        }
        cpu += 18_000;
        long id = ++external;
        if (job.dialect().stepMarks()) {
            String name = "ProfilerStep#" + step;
            visitor.annotation(name, TimelineVisitor.MAIN, stepStart, cpu - stepStart, id);
            visitor.gpuAnnotation(name, TimelineVisitor.COMPUTE_STREAM, stepGpuStart, compute, id);
        }
        visitor.stepDone(step, stepStart, cpu);
        cpu += 2_000;
    }
}
