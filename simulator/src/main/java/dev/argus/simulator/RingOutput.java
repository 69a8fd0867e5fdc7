package dev.argus.simulator;

import dev.argus.ring.LossReason;
import dev.argus.ring.RingHeader;
import dev.argus.ring.RingWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Plays a live job into rings, one a rank, at the pace at which it happens: whoever drains them sees a fleet of hosts whose processes record what they do.
 *
 * <p>The processes do not exist. So that no agent takes them for processes of its own host, each simulated host states a pid namespace of its own; an agent of this version
 * finds nobody in it and samples no stacks.
 *
 * <p>Cost: that of the simulation, and about 0.2 us a record. Not thread-safe.
 */
public final class RingOutput implements AutoCloseable {
    /** Records that a ring has room for: some seconds of {@link LiveJobs#few}. */
    public static final int RECORDS = 1 << 11;

    /** A step is simulated so long before it begins. */
    private static final long AHEAD_NANOS = 300_000_000L;

    /** Before the first step everything must have been taken: then somebody reads. */
    private static final int MOST_WAITING = RECORDS / 4;

    /** Called later than this, the job has stood still. */
    private static final long LATE_NANOS = 3_000_000_000L;

    private static final long BEAT_NANOS = 1_000_000_000L;

    /** After so long without an end of work of the GPU everything that has ended is fetched by force, as the CUPTI producer does. */
    private static final long SILENT_NANOS = 25_000_000_000L;

    private static final int FIRST_PROCESS = 4000;
    private static final long FIRST_TICKS = 70_001;
    private static final long FIRST_NAMESPACE = 0x4000_0000_0000L;

    private final LiveSimulation job;
    private final HostClocks clocks;
    private long originNanos;
    private final List<RingWriter> rings = new ArrayList<>();
    private final List<LiveTeller> tellers = new ArrayList<>();
    private final List<RingRecorder> recorders = new ArrayList<>();
    private final List<Long> silentSince = new ArrayList<>();
    private final Deque<Begin> begins = new ArrayDeque<>();
    private long simulatedUntil;
    private long beatNanos = Long.MIN_VALUE;
    private int running;

    /** When a step begins that was simulated. */
    private record Begin(int step, long nanos) {}

    private RingOutput(LiveSimulation job, long originNanos) {
        this.job = job;
        this.originNanos = originNanos;
        this.clocks = new HostClocks(job.layout().hosts(), originNanos);
        this.simulatedUntil = job.zeroNanos();
        this.running = job.scenario().firstStep() - 1;
    }

    /** Bytes that the rings of so many ranks take. */
    public static long bytes(int ranks) {
        return ranks * (4096L + 32L * RECORDS);
    }

    /**
     * Makes the rings.
     *
     * @param folder of rings; made where it is missing
     * @param name what the job is called
     * @param beginNanos CLOCK_MONOTONIC at which the first step begins, if somebody has taken by then what was written before
     * @param realNanos CLOCK_REALTIME now, nanoseconds since the Unix epoch
     * @throws IOException if the folder is not safe or has no room
     */
    public static RingOutput open(LiveSimulation job, Path folder, String name, long beginNanos, long realNanos)
            throws IOException {
        return open(job, folder, name, beginNanos, realNanos, 0);
    }

    /**
     * The same, with what concerns the GPU told late, as CUPTI does.
     *
     * @param buffer records of launches and the GPU that are held, until all that was launched has ended; looked at once a second. 0 to write each at once
     * @throws IOException if the folder is not safe or has no room
     */
    public static RingOutput open(
            LiveSimulation job, Path folder, String name, long beginNanos, long realNanos, int buffer)
            throws IOException {
        RingOutput output = new RingOutput(job, beginNanos - job.zeroNanos());
        try {
            for (int rank = 0; rank < job.layout().world(); rank++) {
                RingWriter ring = RingWriter.create(folder, header(job.layout(), rank, realNanos));
                output.rings.add(ring);
                int[] groups = RingIntroduction.write(ring, job.scenario(), rank, name);
                RingRecorder recorder = new RingRecorder(ring, job.scenario(), rank, groups, buffer);
                output.recorders.add(recorder);
                output.silentSince.add(beginNanos);
                output.tellers.add(new LiveTeller(job.scenario(), output.clocks, rank, recorder));
            }
            return output;
        } catch (IOException | RuntimeException e) {
            output.close();
            throw e;
        }
    }

    private static RingHeader header(Layout layout, int rank, long realNanos) {
        return new RingHeader(
                0,
                RingHeader.SIMULATED,
                RECORDS,
                realNanos,
                FIRST_PROCESS + rank,
                RingHeader.MONOTONIC,
                FIRST_TICKS + rank,
                rank,
                layout.gpuOf(rank),
                layout.world(),
                FIRST_NAMESPACE + layout.hostOf(rank));
    }

    /**
     * Writes everything that has happened until now and was not written before. To be called some times a second.
     *
     * @param monoNanos CLOCK_MONOTONIC now
     * @param realNanos CLOCK_REALTIME now, nanoseconds since the Unix epoch
     */
    public void until(long monoNanos, long realNanos) {
        long now = inTime(monoNanos);
        while (simulatedUntil - AHEAD_NANOS < now) {
            simulate();
        }
        while (!begins.isEmpty() && begins.getFirst().nanos() <= now) {
            running = begins.removeFirst().step();
        }
        boolean beat = beatNanos == Long.MIN_VALUE || monoNanos - beatNanos >= BEAT_NANOS;
        beatNanos = beat ? monoNanos : beatNanos;
        LiveStop stop = job.stop();
        for (int rank = 0; rank < rings.size(); rank++) {
            if (stop != null
                    && stop.kind() == LiveStop.Kind.HOST
                    && running >= stop.step()
                    && stop.ranks().contains(rank)) {
                continue; // it is gone
            }
            tellers.get(rank).until(now);
            if (beat) {
                rings.get(rank).tick(monoNanos, monoNanos, realNanos);
                fetch(rank, monoNanos);
            }
        }
    }

    private void fetch(int rank, long monoNanos) {
        RingRecorder recorder = recorders.get(rank);
        recorder.flush(false);
        if (recorder.ended()) {
            silentSince.set(rank, monoNanos);
        } else if (monoNanos - silentSince.get(rank) >= SILENT_NANOS) {
            recorder.flush(true);
            rings.get(rank).reported(monoNanos);
            silentSince.set(rank, monoNanos);
        }
    }

    /**
     * The simulated time now. The job waits before a step while its readers are behind, and it does not make up for time in which nobody played it, as on a laptop that
     * slept: either is a long step of all ranks. Unlike a training process, it can.
     */
    private long inTime(long monoNanos) {
        long now = monoNanos - originNanos;
        long begin = begins.isEmpty() ? simulatedUntil : begins.getFirst().nanos();
        boolean waits = now >= begin && crowded();
        if (!waits && now <= simulatedUntil + LATE_NANOS) {
            return now;
        }
        long reached = waits ? begin - 1 : simulatedUntil;
        clocks.shift(now - reached);
        originNanos += now - reached;
        return reached;
    }

    private boolean crowded() {
        long most = running < job.scenario().firstStep() ? 0 : MOST_WAITING;
        for (RingWriter ring : rings) {
            if (ring.waiting() > most) {
                return true;
            }
        }
        return false;
    }

    private void simulate() {
        List<RankStep> step = job.next();
        long end = Long.MAX_VALUE;
        for (RankStep rank : step) {
            tellers.get(rank.rank()).add(rank);
            end = Math.min(end, rank.finish());
        }
        simulatedUntil = Math.min(end, RankStep.NEVER);
        begins.addLast(new Begin(
                step.getFirst().step(),
                step.stream().mapToLong(RankStep::begin).min().orElse(0)));
    }

    /** The step that runs; before the first one, the number before it. */
    public int runningStep() {
        return running;
    }

    /** Records written. */
    public long records() {
        return rings.stream().mapToLong(RingWriter::published).sum();
    }

    /** Records that found no room. */
    public long lost() {
        return rings.stream().mapToLong(r -> r.dropped(LossReason.RING_FULL)).sum();
    }

    /** Closes all rings in order, as processes do that end; the files stay. */
    @Override
    public void close() {
        rings.forEach(RingWriter::close);
        rings.clear();
        tellers.clear();
    }
}
