package dev.argus.testkit;

import org.jspecify.annotations.Nullable;

/**
 * A plain data-parallel job to be written as traces by {@link KinetoTraceWriter}; equal values give equal bytes.
 *
 * <p>{@code KinetoJob.of(8).withSlowRank(3, 1.3, 22)} is a job of 8 ranks whose rank 3 computes 30 % slower from
 * step 22.
 *
 * @param ranks world size, &gt;= 1
 * @param hosts number of hosts, 1..ranks; ranks fill them in order
 * @param firstStep the framework's number of the first step
 * @param steps number of steps, &gt;= 1
 * @param layers layers of the model, &gt;= 1; one bucket of gradients each
 * @param kernelsPerLayer compute kernels per layer and direction, &gt;= 1
 * @param framesPerStep events of category {@code python_function} per rank and step; 0 = none
 * @param bytesPerFile uncompressed size to fill each file up to with Python frames (within 5 %); 0 = as it comes, and
 *     then {@code framesPerStep} decides
 * @param seed of all randomness
 * @param sharded false: one all-reduce per bucket; true: a reduce-scatter per bucket and one all-gather after the
 *     optimizer
 * @param gzip compressed ({@code .gz}) or plain files
 * @param hostClockSpreadNanos clocks of the hosts differ by up to this; 0 = all agree
 * @param slowRank a rank whose compute kernels last longer, or null
 * @param stall a pause on the CPU of one rank at the start of one step, or null
 * @param dialect spelling
 */
public record KinetoJob(
        int ranks,
        int hosts,
        int firstStep,
        int steps,
        int layers,
        int kernelsPerLayer,
        int framesPerStep,
        long bytesPerFile,
        long seed,
        boolean sharded,
        boolean gzip,
        long hostClockSpreadNanos,
        @Nullable SlowRank slowRank,
        @Nullable Stall stall,
        KinetoDialect dialect) {

    /**
     * A rank whose compute kernels last longer.
     *
     * @param rank global rank
     * @param factor of every compute kernel's duration, such as 1.3
     * @param fromStep the framework's number of the first step affected
     */
    public record SlowRank(int rank, double factor, int fromStep) {}

    /**
     * A pause of the CPU while it loads data.
     *
     * @param rank global rank
     * @param step the framework's number of the step
     * @param millis length in milliseconds
     */
    public record Stall(int rank, int step, long millis) {}

    /** Checks the numbers. */
    public KinetoJob {
        if (ranks < 1 || hosts < 1 || hosts > ranks || steps < 1 || layers < 1 || kernelsPerLayer < 1) {
            throw new IllegalArgumentException("ranks " + ranks + ", hosts " + hosts + ", steps " + steps + ", layers "
                    + layers + ", kernels per layer " + kernelsPerLayer
                    + ": each must be at least 1, and there cannot be more hosts than ranks");
        }
    }

    /** A healthy job: one host, steps 21 to 24, 8 layers of 6 kernels, no Python frames, compressed, seed 1. */
    public static KinetoJob of(int ranks) {
        return new KinetoJob(ranks, 1, 21, 4, 8, 6, 0, 0, 1, false, true, 0, null, null, KinetoDialect.CURRENT);
    }

    /** Ranks on each host but perhaps the last. */
    public int ranksPerHost() {
        return (ranks + hosts - 1) / hosts;
    }

    /** Name of the host a rank runs on. */
    public String host(int rank) {
        return "gpu-h" + rank / ranksPerHost();
    }

    /** Name of a rank's file. */
    public String fileName(int rank) {
        String digits = Integer.toString(100_000 + rank).substring(1);
        return "rank" + digits + ".pt.trace.json" + (gzip ? ".gz" : "");
    }

    /** Kernels each rank runs in one step. */
    public int kernelsPerStep() {
        return layers * (2 * kernelsPerLayer + 2) + (sharded ? 1 : 0);
    }

    /** Spread over hosts. */
    public KinetoJob withHosts(int value) {
        return new KinetoJob(
                ranks,
                value,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                framesPerStep,
                bytesPerFile,
                seed,
                sharded,
                gzip,
                hostClockSpreadNanos,
                slowRank,
                stall,
                dialect);
    }

    /** With steps {@code first}, {@code first + 1}, ... */
    public KinetoJob withSteps(int first, int count) {
        return new KinetoJob(
                ranks,
                hosts,
                first,
                count,
                layers,
                kernelsPerLayer,
                framesPerStep,
                bytesPerFile,
                seed,
                sharded,
                gzip,
                hostClockSpreadNanos,
                slowRank,
                stall,
                dialect);
    }

    /** With a model of that size. */
    public KinetoJob withLayers(int count, int kernelsEach) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                count,
                kernelsEach,
                framesPerStep,
                bytesPerFile,
                seed,
                sharded,
                gzip,
                hostClockSpreadNanos,
                slowRank,
                stall,
                dialect);
    }

    /** With that many Python frames per rank and step. */
    public KinetoJob withFramesPerStep(int value) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                value,
                bytesPerFile,
                seed,
                sharded,
                gzip,
                hostClockSpreadNanos,
                slowRank,
                stall,
                dialect);
    }

    /** With files filled up to about that many uncompressed bytes. */
    public KinetoJob withBytesPerFile(long value) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                framesPerStep,
                value,
                seed,
                sharded,
                gzip,
                hostClockSpreadNanos,
                slowRank,
                stall,
                dialect);
    }

    /** With another seed. */
    public KinetoJob withSeed(long value) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                framesPerStep,
                bytesPerFile,
                value,
                sharded,
                gzip,
                hostClockSpreadNanos,
                slowRank,
                stall,
                dialect);
    }

    /** With reduce-scatter and all-gather instead of all-reduce, or back. */
    public KinetoJob withSharded(boolean value) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                framesPerStep,
                bytesPerFile,
                seed,
                value,
                gzip,
                hostClockSpreadNanos,
                slowRank,
                stall,
                dialect);
    }

    /** Compressed or plain. */
    public KinetoJob withGzip(boolean value) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                framesPerStep,
                bytesPerFile,
                seed,
                sharded,
                value,
                hostClockSpreadNanos,
                slowRank,
                stall,
                dialect);
    }

    /** With clocks of the hosts apart by up to that much. */
    public KinetoJob withHostClockSpreadNanos(long value) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                framesPerStep,
                bytesPerFile,
                seed,
                sharded,
                gzip,
                value,
                slowRank,
                stall,
                dialect);
    }

    /** With a slow rank. */
    public KinetoJob withSlowRank(int rank, double factor, int fromStep) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                framesPerStep,
                bytesPerFile,
                seed,
                sharded,
                gzip,
                hostClockSpreadNanos,
                new SlowRank(rank, factor, fromStep),
                stall,
                dialect);
    }

    /** With a pause on one rank's CPU. */
    public KinetoJob withStall(int rank, int step, long millis) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                framesPerStep,
                bytesPerFile,
                seed,
                sharded,
                gzip,
                hostClockSpreadNanos,
                slowRank,
                new Stall(rank, step, millis),
                dialect);
    }

    /** Spelled otherwise. */
    public KinetoJob withDialect(KinetoDialect value) {
        return new KinetoJob(
                ranks,
                hosts,
                firstStep,
                steps,
                layers,
                kernelsPerLayer,
                framesPerStep,
                bytesPerFile,
                seed,
                sharded,
                gzip,
                hostClockSpreadNanos,
                slowRank,
                stall,
                value);
    }
}
