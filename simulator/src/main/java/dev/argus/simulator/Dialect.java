package dev.argus.simulator;

/**
 * How a job is written down.
 *
 * @param oldNames collective kernels are called {@code ncclKernel_...} as up to NCCL 2.18
 * @param groupArguments collectives say their group, sequence and bytes
 * @param stepMarks the profiler's step marks are present
 * @param ranges the framework's ranges (forward, backward, optimizer, data) are present
 * @param shuffledStreams stream numbers differ between ranks
 * @param clockSkewNanos offsets of host clocks lie within plus and minus this
 * @param driftPpm drift of host clocks lies within plus and minus this
 */
public record Dialect(
        boolean oldNames,
        boolean groupArguments,
        boolean stepMarks,
        boolean ranges,
        boolean shuffledStreams,
        long clockSkewNanos,
        double driftPpm) {
    /** New names, everything present, clocks within 2 ms. */
    public static final Dialect PLAIN = new Dialect(false, true, true, true, false, 2_000_000, 2);
}
