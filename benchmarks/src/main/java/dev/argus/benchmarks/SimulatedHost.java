package dev.argus.benchmarks;

import dev.argus.ring.LossReason;
import dev.argus.ring.RingHeader;
import dev.argus.ring.RingRecords;
import dev.argus.ring.RingWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The producers of a host of GPUs, in a process of their own: each rank has a ring as CUPTI's and one as Python's, and writes into them what a healthy step of
 * training is made of, at the time at which it happens. The rings say to belong to processes that are there, so that an agent may also look at those.
 *
 * <p>A step of a rank has {@value #EVENTS} events: {@value #KERNELS} kernels and as many launches, {@value #COLLECTIVES} of them collectives, which are called and
 * end for all ranks alike; two layers of parts and four phases; and itself. Written in {@value #SLICES} portions, as buffers of CUPTI come.
 */
final class SimulatedHost implements AutoCloseable {
    static final int KERNELS = 440;
    static final int COLLECTIVES = 30;
    private static final int PARTS = 48;
    private static final int PHASES = 4;

    /** Events of a step of a rank; begin and end of steps, phases and collectives are two. */
    static final int EVENTS = 2 * KERNELS + 2 * COLLECTIVES + PARTS + 2 * PHASES + 2;

    private static final int SLICES = 12;
    private static final int NAMES = 90;
    private static final int CAPACITY = 1 << 16;
    private static final int EVERY = KERNELS / COLLECTIVES;
    private static final double SPREAD = 0.01;
    private static final long TICK_NANOS = 1_000_000_000L;

    private final List<Rank> ranks = new ArrayList<>();
    private final double[] kernelShare = new double[KERNELS];
    private final SplittableRandom random = new SplittableRandom(23);
    private long step;

    private static final class Rank {
        final RingWriter gpu;
        final RingWriter python;
        final int[] kernels = new int[NAMES];
        final int[] parts = new int[2];
        final int[] phases = new int[PHASES];
        final int launch;
        final int nccl;
        final int allReduce;
        final int group;
        final int thread;
        final long[] computeAt = new long[KERNELS + 1];
        long sequence;
        int correlation;
        long tickAt;

        Rank(Path folder, int rank, int world, int process, long startTicks) throws IOException {
            thread = process;
            gpu = RingWriter.create(folder, header(RingHeader.CUPTI, rank, world, process, startTicks));
            python = RingWriter.create(folder, header(RingHeader.PYTHON, rank, world, process, startTicks));
            for (int i = 0; i < NAMES; i++) {
                kernels[i] =
                        gpu.name("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_" + i + "_align8>");
            }
            launch = gpu.name("cudaLaunchKernel");
            nccl = gpu.name("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
            parts[0] = python.name("self_attention");
            parts[1] = python.name("mlp");
            phases[0] = python.name("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
            phases[1] = python.name("forward");
            phases[2] = python.name("backward");
            phases[3] = python.name("Optimizer.step#AdamW.step");
            allReduce = python.name("all_reduce");
            python.identity(4, python.name("host0"), 0);
            python.identity(6, 0, 0);
            python.identity(11, python.name("nccl"), 0);
            python.identity(13, 0, process);
            group = python.group(
                    2, python.name("0"), python.name("default_pg"), python.name("0-" + (world - 1)), world);
        }

        private static RingHeader header(int producer, int rank, int world, int process, long startTicks) {
            long now = System.currentTimeMillis() * 1_000_000L;
            return new RingHeader(
                    0, producer, CAPACITY, now, process, RingHeader.MONOTONIC, startTicks, rank, rank, world, 0);
        }
    }

    /**
     * Opens the rings.
     *
     * @param processes process id and start in clock ticks since boot of each rank, as {@code PID:TICKS}
     */
    SimulatedHost(Path folder, List<String> processes) throws IOException {
        for (String process : processes) {
            int colon = process.indexOf(':');
            ranks.add(new Rank(
                    folder,
                    ranks.size(),
                    processes.size(),
                    Integer.parseInt(process.substring(0, colon)),
                    Long.parseLong(process.substring(colon + 1))));
        }
        double sum = 0;
        for (int i = 0; i < KERNELS; i++) {
            kernelShare[i] = 0.3 + random.nextDouble();
            sum += kernelShare[i];
        }
        for (int i = 0; i < KERNELS; i++) {
            kernelShare[i] *= 0.9 / sum;
        }
    }

    /**
     * Writes steps one after the other, each taking so long, until somebody closes standard input or so many are written; waits while a ring is half full.
     *
     * @param args folder of the rings, nanoseconds of a step, steps, then the processes
     */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        long stepNanos = Long.parseLong(args[1]);
        long steps = Long.parseLong(args[2]);
        try (SimulatedHost host = new SimulatedHost(folder, List.of(args).subList(3, args.length))) {
            System.out.println("open");
            long waited = 0;
            long begin = System.nanoTime();
            while (host.step < steps && System.in.available() == 0) {
                waited += host.step(begin, stepNanos);
                begin = Math.max(begin + stepNanos, System.nanoTime() - stepNanos);
            }
            System.out.println("written " + host.step + " waited " + waited + " dropped " + host.dropped());
            while (System.in.read() >= 0) {
                // the rings stay until everything was looked at
            }
        }
    }

    /** Records written into all rings. */
    long records() {
        long sum = 0;
        for (Rank r : ranks) {
            sum += r.gpu.published() + r.python.published();
        }
        return sum;
    }

    private long dropped() {
        long sum = 0;
        for (Rank r : ranks) {
            for (LossReason reason : LossReason.values()) {
                sum += r.gpu.dropped(reason) + r.python.dropped(reason);
            }
        }
        return sum;
    }

    /** One step of all ranks, portion by portion; returns the nanoseconds it waited for the reader. */
    long step(long begin, long length) {
        long[] ends = new long[COLLECTIVES];
        for (Rank r : ranks) {
            schedule(r, begin, length, ends);
        }
        long waited = 0;
        for (int slice = 0; slice < SLICES; slice++) {
            sleepUntil(begin + length * (slice + 1) / SLICES);
            for (Rank r : ranks) {
                waited += room(r);
                write(r, begin, length, ends, slice);
            }
        }
        step++;
        return waited;
    }

    private void schedule(Rank r, long begin, long length, long[] ends) {
        double at = begin + 0.02 * length;
        for (int k = 0; k < KERNELS; k++) {
            r.computeAt[k] = (long) at;
            at += kernelShare[k] * length * (1 + SPREAD * (random.nextDouble() + random.nextDouble() - 1));
            int c = k / EVERY;
            if (k % EVERY == EVERY - 1 && c < COLLECTIVES) {
                ends[c] = Math.max(ends[c], (long) at + length / 400);
            }
        }
        r.computeAt[KERNELS] = (long) at;
    }

    private void write(Rank r, long begin, long length, long[] ends, int slice) {
        int from = KERNELS * slice / SLICES;
        int to = KERNELS * (slice + 1) / SLICES;
        if (slice == 0) {
            r.python.step(RingRecords.STEP_BEGIN, begin, 0, r.thread, step);
        }
        phases(r, begin, length, slice);
        for (int k = from; k < to; k++) {
            kernel(r, ends, k, length);
        }
        for (int p = PARTS * slice / SLICES; p < PARTS * (slice + 1) / SLICES; p++) {
            long start = begin + length * (2 * p + 3) / (2 * PARTS + 8);
            r.python.span(
                    1,
                    1,
                    0,
                    r.parts[p % 2],
                    start,
                    length / (2 * PARTS + 9),
                    r.thread,
                    r.phases[p < PARTS / 3 ? 1 : 2],
                    0);
        }
        if (slice == SLICES - 1) {
            r.python.step(0, begin, length - length / 100, r.thread, step);
        }
        long now = System.nanoTime();
        if (now - r.tickAt >= TICK_NANOS / 2) {
            r.tickAt = now;
            long real = System.currentTimeMillis() * 1_000_000L;
            r.gpu.tick(now, now, real);
            r.python.tick(now, now, real);
        }
    }

    /** Data for a hundredth of the step, forward for a third, backward, and the optimizer in the last tenth. */
    private static void phases(Rank r, long begin, long length, int slice) {
        int[] first = {0, 0, SLICES / 3, SLICES - 1};
        int[] last = {0, SLICES / 3 - 1, SLICES - 2, SLICES - 1};
        for (int p = 0; p < PHASES; p++) {
            long start = begin + length * first[p] / SLICES + (p == 1 ? length / 100 : p == 0 ? length / 1000 : 0);
            long end = p == 0 ? begin + length / 101 : begin + length * (last[p] + 1) / SLICES - length / 50;
            if (slice == first[p]) {
                r.python.span(1, 2, RingRecords.BEGIN, r.phases[p], start, 0, r.thread, 0, 0);
            }
            if (slice == last[p]) {
                r.python.span(1, 2, 0, r.phases[p], start, end - start, r.thread, 0, 0);
            }
        }
    }

    /** A kernel with its launch; every so many, a collective beside it on the stream of communication. */
    private static void kernel(Rank r, long[] ends, int k, long length) {
        long start = r.computeAt[k];
        long launched = start - length / 200;
        int c = k / EVERY;
        boolean collective = k % EVERY == EVERY - 1 && c < COLLECTIVES;
        int correlation = ++r.correlation;
        if (collective) {
            long arrives = r.computeAt[k + 1];
            long bytes = 25L << 20;
            r.python.collective(
                    1,
                    RingRecords.BEGIN,
                    r.group,
                    launched - 2000,
                    0,
                    r.thread,
                    0,
                    -1,
                    1,
                    bytes,
                    r.sequence,
                    0,
                    r.allReduce);
            r.python.collective(
                    1,
                    RingRecords.TIMES_OF_CALL,
                    r.group,
                    launched - 2000,
                    9000,
                    r.thread,
                    0,
                    -1,
                    1,
                    bytes,
                    r.sequence++,
                    0,
                    r.allReduce);
            r.gpu.launch(r.launch, launched, 5000, r.thread, correlation, 0);
            r.gpu.kernel(0, 0, r.nccl, arrives, Math.max(1, ends[c] - arrives), 20, correlation, 1 << 14);
        } else {
            r.gpu.launch(r.launch, launched, 4000, r.thread, correlation, 0);
            r.gpu.kernel(0, 0, r.kernels[k % NAMES], start, r.computeAt[k + 1] - start, 7, correlation, 1 << 20);
        }
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Waits while a ring is half full. */
    private static long room(Rank r) {
        long begin = System.nanoTime();
        while (r.gpu.waiting() > CAPACITY / 2 || r.python.waiting() > CAPACITY / 2) {
            LockSupport.parkNanos(1_000_000);
        }
        long waited = System.nanoTime() - begin;
        return waited < 500_000 ? 0 : waited;
    }

    @Override
    public void close() {
        for (Rank r : ranks) {
            r.gpu.close();
            r.python.close();
        }
    }
}
