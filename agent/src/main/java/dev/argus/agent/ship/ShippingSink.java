package dev.argus.agent.ship;

import dev.argus.agent.CollectorSink;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.AgentCommand;
import dev.argus.model.AgentRecord;
import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.SafeText;
import dev.argus.model.StackRecord;
import dev.argus.transport.SenderStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ships what a collector reports: each job has frames, a spool and a sender of its own. Nothing is judged here.
 *
 * <p>What holds: a record whose frame was closed ({@link #flush}, once a second by itself) is safe from the death of this process, and counted by the server
 * once ({@code docs/design/0010-frames.md}). The thread that reports never waits for the network, and for the disk as long as one write into the spool
 * takes. What an earlier agent left in the folder is sent, too.
 *
 * <p>Bounded: at most {@value #MOST_JOBS} jobs, each with the stated spool; of more, the one that was silent longest is stopped: what it has left is sent by the
 * next agent. One thread, but for what says otherwise.
 */
public final class ShippingSink implements CollectorSink, AutoCloseable {
    static final int MOST_JOBS = 8;
    private static final int MOST_COMMANDS = 256;
    private static final int MOST_NOTICES = 64;
    private static final long IDLE_NANOS = 600_000_000_000L;
    private static final long RETRY_NANOS = 10_000_000_000L;
    private static final long WAIT_MILLIS = 20;

    private final ShipOptions options;
    private final NameTable names;
    private final LongSupplier monotonicNanos;
    private final Map<String, JobShipper> jobs = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, Long> refusedUntil = new LinkedHashMap<>();
    private final Map<String, Map<String, Long>> losses = new TreeMap<>();
    private final Queue<AgentCommand> commands = new ConcurrentLinkedQueue<>();
    private final List<String> notices = new ArrayList<>();
    private final Uploads uploads;
    private long unshipped;

    /**
     * To a server; sends at once what earlier agents left.
     *
     * @param names table that the records' name ids are of
     * @param monotonicNanos CLOCK_MONOTONIC
     * @param nowNanos now, nanoseconds since the Unix epoch
     * @throws IOException if the folder cannot be read
     */
    public ShippingSink(ShipOptions options, NameTable names, LongSupplier monotonicNanos, long nowNanos)
            throws IOException {
        this.options = options;
        this.names = names;
        this.monotonicNanos = monotonicNanos;
        this.uploads = new Uploads(options);
        List<JobFolder> left = JobFolder.left(options.spool());
        for (JobFolder folder : left.subList(Math.max(0, left.size() - MOST_JOBS), left.size())) {
            JobShipper shipper = open(folder, nowNanos);
            if (shipper != null && shipper.spool.frames() == 0) {
                end(shipper, true);
            }
        }
    }

    private @Nullable JobShipper open(JobFolder folder, long nowNanos) {
        try {
            JobShipper shipper = JobShipper.open(folder, options, names, commands, MOST_COMMANDS, nowNanos);
            jobs.put(folder.job(), shipper);
            return shipper;
        } catch (IOException | IllegalArgumentException unusable) {
            note("cannot keep frames of job " + SafeText.of(folder.job(), 80) + ": " + unusable.getMessage());
            return null;
        }
    }

    private void end(JobShipper shipper, boolean remove) {
        jobs.remove(shipper.folder.job());
        try {
            shipper.close(WAIT_MILLIS);
        } catch (IOException e) {
            note("the spool of job " + SafeText.of(shipper.folder.job(), 80) + " was not closed: " + e.getMessage());
        }
        if (remove) {
            shipper.folder.remove();
        }
    }

    private @Nullable JobShipper job(String named, long nowNanos) {
        String job = FrameNames.of(named);
        JobShipper known = jobs.get(job);
        if (known != null) {
            return known;
        }
        if (refusedUntil.getOrDefault(job, Long.MIN_VALUE) > nowNanos) {
            return null;
        }
        if (jobs.size() >= MOST_JOBS) {
            JobShipper oldest = jobs.values().iterator().next();
            note("more than " + MOST_JOBS + " jobs: job " + SafeText.of(oldest.folder.job(), 80)
                    + " is not shipped now");
            oldest.flush();
            end(oldest, false);
        }
        JobShipper opened = open(JobFolder.of(options.spool(), job), nowNanos);
        if (opened == null) {
            refusedUntil.put(job, nowNanos + RETRY_NANOS);
            if (refusedUntil.size() > MOST_JOBS) {
                refusedUntil.remove(refusedUntil.keySet().iterator().next());
            }
        }
        return opened;
    }

    private void add(String job, AgentRecord record, int attempt, long nowNanos) {
        JobShipper to = job(job, nowNanos);
        if (to == null) {
            unshipped++;
        } else {
            to.add(record, attempt, nowNanos);
        }
    }

    @Override
    public void declare(String job, RankDeclaration declaration, long nowNanos) {
        JobShipper to = job(job, nowNanos);
        if (to != null) {
            to.declare(declaration, nowNanos);
        }
    }

    @Override
    public void step(String job, RankStep step, long nowNanos) {
        if (step.kernels() != null) {
            add(job, step.kernels(), step.kernels().attempt(), nowNanos); // first: with its step a server has all of it
        }
        add(job, step.digest(), step.digest().attempt(), nowNanos);
    }

    @Override
    public void state(String job, RankState state, long nowNanos) {
        add(job, state, state.attempt(), nowNanos);
    }

    @Override
    public void flight(String job, FlightRecord flight, long nowNanos) {
        add(job, flight, flight.attempt(), nowNanos);
    }

    @Override
    public void stacks(String job, StackRecord record, long nowNanos) {
        add(job, record, record.attempt(), nowNanos);
    }

    @Override
    public void lost(String job, int rank, String reason, long count, long nowNanos) {
        if (losses.size() < MOST_JOBS || losses.containsKey(job)) {
            losses.computeIfAbsent(job, j -> new TreeMap<>()).merge(reason, count, Long::sum);
        }
        JobShipper to = job(job, nowNanos);
        if (to != null) {
            to.lost(rank, reason, count, nowNanos);
        }
    }

    @Override
    public void overhead(String job, OverheadReading reading, long nowNanos) {
        add(job, reading, reading.attempt(), nowNanos);
    }

    /**
     * Brings a file to the server, later.
     *
     * @param job the job, as frames name it
     * @param name name there, of letters, digits, points, dashes and underscores
     */
    public void upload(String job, String name, Path file) {
        uploads.put(FrameNames.of(job), name, file);
    }

    /** Ships a record of the agent itself, such as the answer to a command. */
    public void record(String job, AgentRecord record, int attempt, long nowNanos) {
        add(job, record, attempt, nowNanos);
    }

    @Override
    public void tick(long nowNanos) {
        for (JobShipper shipper : List.copyOf(jobs.values())) {
            shipper.tick(nowNanos, monotonicNanos.getAsLong());
            String line = shipper.notices.next(shipper.sender.status(), shipper.spool.frames(), nowNanos);
            if (!line.isEmpty()) {
                note(line);
            }
            if (nowNanos - shipper.heardNanos >= IDLE_NANOS && shipper.spool.frames() == 0) {
                end(shipper, true);
            }
        }
    }

    /** The host, as frames name it. */
    public String host() {
        return options.host();
    }

    /** Closes all frames now. */
    public void flush() {
        jobs.values().forEach(JobShipper::flush);
    }

    /** True if what a server calls a job is what the processes of this host call so. */
    public static boolean isSame(String inFrames, String here) {
        return FrameNames.of(here).equals(inFrames);
    }

    /** What the server asked for since the last call, oldest first, at most {@value #MOST_COMMANDS}; each is given once. */
    public List<AgentCommand> takeCommands() {
        List<AgentCommand> taken = new ArrayList<>();
        for (AgentCommand c = commands.poll(); c != null; c = commands.poll()) {
            taken.add(c);
        }
        return taken;
    }

    private void note(String line) {
        if (notices.size() < MOST_NOTICES) {
            notices.add(SafeText.sentence(line));
        }
    }

    /** Lines for an operator since the last call. */
    public List<String> takeNotices() {
        for (String line = uploads.notice(); line != null; line = uploads.notice()) {
            note(line);
        }
        List<String> taken = List.copyOf(notices);
        notices.clear();
        return taken;
    }

    /**
     * How the way of a job is.
     *
     * @param job job
     * @param frames frames not yet safe at the server
     * @param bytes bytes of its spool
     * @param inMemory true while the disk takes none
     * @param lost frames lost, by reason
     * @param sender how sending goes
     */
    public record Way(
            String job, long frames, long bytes, boolean inMemory, Map<String, Long> lost, SenderStatus sender) {}

    /** The ways of all jobs. */
    public List<Way> ways() {
        return jobs.values().stream()
                .map(s -> new Way(
                        s.folder.job(),
                        s.spool.frames(),
                        s.spool.diskBytes(),
                        s.spool.isDegraded(),
                        s.spool.losses(),
                        s.sender.status()))
                .toList();
    }

    /** Records dropped because their spool could not be opened. */
    public long unshipped() {
        return unshipped;
    }

    /** What producers dropped, by job and reason. */
    public Map<String, Map<String, Long>> losses() {
        return losses;
    }

    /** Closes the frames and sends what can be within a time; the rest stays for the next agent. */
    public void close(long millis) throws IOException {
        flush();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (System.nanoTime() < end && !jobs.values().stream().allMatch(JobShipper::isDone)) {
                Thread.sleep(WAIT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (JobShipper shipper : List.copyOf(jobs.values())) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            shipper.close(Math.max(WAIT_MILLIS, left / Math.max(1, jobs.size())));
            if (shipper.spool.frames() == 0) {
                shipper.folder.remove();
            }
        }
        jobs.clear();
        uploads.close();
    }

    @Override
    public void close() throws IOException {
        close(TimeUnit.SECONDS.toMillis(3));
    }
}
