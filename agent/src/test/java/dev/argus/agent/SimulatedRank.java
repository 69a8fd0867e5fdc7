package dev.argus.agent;

import dev.argus.ring.RingHeader;
import dev.argus.ring.RingRecords;
import dev.argus.ring.RingWriter;
import java.io.IOException;
import java.nio.file.Path;

/** A rank of a job without GPUs, as a producer writes it: data, forward, backward with an all_reduce in it, optimizer. */
public final class SimulatedRank implements AutoCloseable {
    public static final long MILLI = 1_000_000L;
    private static final int THREAD = 1;
    private static final int ANNOTATION = 1;
    private static final int ALL_REDUCE = 1;
    private static final int DP = 2;

    private final RingWriter ring;
    private final int group;
    private final int world;

    /**
     * Makes a ring.
     *
     * @param process process id and
     * @param startTicks start that it states
     * @param namespace of process ids that it states; another one than ours for a process that is not there
     */
    public SimulatedRank(
            Path rings, String job, int rank, int world, int process, long startTicks, long namespace, long capacity)
            throws IOException {
        this.world = world;
        this.ring = RingWriter.create(
                rings,
                new RingHeader(
                        0,
                        RingHeader.SIMULATED,
                        capacity,
                        1,
                        process,
                        RingHeader.MONOTONIC,
                        startTicks,
                        rank,
                        rank,
                        world,
                        namespace));
        ring.identity(1, 0, rank);
        ring.identity(3, 0, world);
        ring.identity(4, ring.name("n1"), 0);
        ring.identity(5, ring.name(job), 0);
        ring.identity(11, ring.name("gloo"), 0);
        group = ring.group(
                DP, ring.name("0"), ring.name("default_pg"), ring.name(world == 1 ? "0" : "0-" + (world - 1)), world);
    }

    /** When this rank comes to its all_reduce. */
    public static long arrives(long start, long loadNanos, long computeNanos) {
        return start + loadNanos + computeNanos;
    }

    /** A step; its all_reduce ends when all have come. Gives its end. */
    public long step(long number, long start, long loadNanos, long computeNanos, long reducedNanos) {
        ring.step(RingRecords.STEP_BEGIN, start, 0, THREAD, number);
        long loaded = start + loadNanos;
        span("data_loading", start, loaded);
        long forward = loaded + computeNanos / 2;
        span("forward", loaded, forward);
        long arrived = loaded + computeNanos;
        collective(RingRecords.BEGIN, arrived, 0, number);
        collective(RingRecords.TIMES_OF_WORK, arrived, reducedNanos - arrived, number);
        span("backward", forward, reducedNanos);
        long end = reducedNanos + 5 * MILLI;
        span("optimizer", reducedNanos, end);
        ring.step(0, start, end - start, THREAD, number);
        ring.tick(end, end, end);
        return end;
    }

    /** The begin of a step that does not end. */
    public void begin(long number, long start) {
        ring.step(RingRecords.STEP_BEGIN, start, 0, THREAD, number);
        ring.tick(start, start, start);
    }

    private void span(String name, long from, long to) {
        ring.span(ANNOTATION, 0, 0, ring.name(name), from, to - from, THREAD, 0, 0);
    }

    private void collective(int flags, long start, long duration, long number) {
        ring.collective(
                ALL_REDUCE,
                flags,
                group,
                start,
                duration,
                THREAD,
                0,
                -1,
                1,
                1 << 20,
                number,
                world,
                ring.name("all_reduce"));
    }

    /** The ring. */
    public RingWriter ring() {
        return ring;
    }

    @Override
    public void close() {
        ring.close();
    }
}
