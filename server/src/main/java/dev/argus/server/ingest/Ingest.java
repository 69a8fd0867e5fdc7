package dev.argus.server.ingest;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.SafeText;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.FleetListener;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import dev.argus.transport.CommandSource;
import dev.argus.transport.FrameReceiver;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Everything between the frames that come in and what is known and kept of their jobs.
 *
 * <p>Threads: one a job, one for checkpoints and retention, and those it lends to detectors: as many as there are processors, less one.
 */
public final class Ingest implements JobSource {
    private static final int MOST_SESSIONS = 1 << 16;
    private static final long MAINTAIN_NANOS = 30_000_000_000L;

    /** Checkpoints take at most one part in so many of the time. */
    private static final int SHARE = 10;

    /** How often a job is looked at that may have more rows than should wait. */
    private static final long LOOK_NANOS = 100_000_000L;

    private static final int MOST_NAME = 80;
    private static final long END_MILLIS = 20_000;

    private final Limits limits;
    private final Store store;
    private final ServerClock clock;
    private final Consumer<String> problems;
    private final AtomicLong queued = new AtomicLong();
    private final CopyOnWriteArrayList<FleetListener> listeners = new CopyOnWriteArrayList<>();
    private final ExecutorService lenders;
    private final Jobs jobs;
    private final FrameReceiver receiver;
    private final Checkpoints checkpoints;
    private final Thread keeper;
    private volatile boolean stopping;

    /**
     * What it may take.
     *
     * @param mostJobs jobs at a time
     * @param mostRanks ranks at a time, over all jobs
     * @param queueBytes bytes of frames that may wait to be judged
     * @param heatBytes bytes of the heat map of one job
     * @param checkpointNanos how often state is kept at least, as long as that takes little of the time
     * @param nameBytes bytes that names of all jobs may take
     */
    public record Limits(
            int mostJobs, int mostRanks, long queueBytes, long heatBytes, long checkpointNanos, long nameBytes) {
        /** Names may take an eighth of the heap. */
        public Limits(int mostJobs, int mostRanks, long queueBytes, long heatBytes, long checkpointNanos) {
            this(
                    mostJobs,
                    mostRanks,
                    queueBytes,
                    heatBytes,
                    checkpointNanos,
                    Runtime.getRuntime().maxMemory() / 8);
        }
    }

    /** Takes stacks beside an incident, later. */
    @FunctionalInterface
    public interface StackSink {
        /**
         * Takes them.
         *
         * @param collapsed collapsed stacks, rank by rank
         */
        void take(String job, String incident, String collapsed);
    }

    /**
     * Over a store.
     *
     * @param commands what agents are to be asked
     * @param stacks takes what ranks of an incident were doing when it opened
     * @param others further state of the server by name, kept with every checkpoint
     * @param problems takes sentences for an operator
     */
    public Ingest(
            Limits limits,
            LiveOptions options,
            Store store,
            ServerClock clock,
            CommandSource commands,
            StackSink stacks,
            Map<String, Supplier<byte[]>> others,
            Consumer<String> problems) {
        this.limits = limits;
        this.store = store;
        this.clock = clock;
        this.problems = problems;
        int processors = Math.max(1, Runtime.getRuntime().availableProcessors());
        this.lenders = Executors.newFixedThreadPool(Math.max(1, processors - 1), task -> {
            Thread thread = new Thread(task, "argus-detectors");
            thread.setDaemon(true);
            return thread;
        });
        JobSetup setup = new JobSetup(
                Thresholds.DEFAULT,
                options,
                clock,
                lenders,
                processors,
                Jobs.toAll(listeners, problems),
                queued,
                limits.queueBytes(),
                new AtomicInteger(),
                limits.mostRanks(),
                limits.mostJobs(),
                limits.nameBytes(),
                limits.heatBytes(),
                stacks);
        this.jobs = new Jobs(setup, limits.mostJobs(), listeners);
        this.receiver = new FrameReceiver(jobs, commands, false, MOST_SESSIONS);
        this.checkpoints = new Checkpoints(receiver, jobs, store, clock, others);
        this.keeper = new Thread(this::keep, "argus-checkpoints");
        this.keeper.setDaemon(true);
    }

    @Override
    public List<String> start() throws IOException {
        List<String> lost = restore();
        keeper.start();
        return lost;
    }

    List<String> restore() throws IOException {
        return checkpoints.restore();
    }

    /** Takes a checkpoint now; not while the thread that takes them runs. */
    boolean checkpoint() throws InterruptedException {
        return checkpoints.take();
    }

    /** What the last checkpoint worked. */
    long checkpointWorkNanos() {
        return checkpoints.workNanos();
    }

    Jobs jobs() {
        return jobs;
    }

    /** Ends as if killed: nothing is kept. */
    void abandon() {
        stopping = true;
        jobs.close();
        lenders.shutdownNow();
    }

    private void keep() {
        long maintained = clock.nanos();
        try {
            while (!stopping) {
                Checkpoints.Status before = checkpoints.status();
                long begin = System.nanoTime();
                boolean kept = checkpoints.take();
                String problem = checkpoints.status().problem();
                if (!before.isProblem(problem)) {
                    problems.accept(kept ? "rows and state are kept again" : "nothing is kept now: " + problem);
                }
                without(before.without(), checkpoints.status().without());
                tidy();
                if (clock.nanos() - maintained >= MAINTAIN_NANOS) {
                    maintained = clock.nanos();
                    maintain();
                }
                long took = System.nanoTime() - begin;
                long until = begin + took + pauseNanos(limits.checkpointNanos(), took, checkpoints.workNanos());
                for (long left = until - System.nanoTime();
                        left > 0 && !stopping && !checkpoints.urgent();
                        left = until - System.nanoTime()) {
                    LockSupport.parkNanos(this, Math.min(left, LOOK_NANOS));
                    if (Thread.interrupted()) {
                        return;
                    }
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * How long to wait for the next checkpoint. What counts against its share of the time is what it works: one that waited for jobs which had much to judge first is not to come later for that, for meanwhile they make rows.
     *
     * @param eachNanos from the beginning of one to that of the next
     * @param tookNanos what the last one took, waits included
     * @param workNanos what it took without them
     */
    static long pauseNanos(long eachNanos, long tookNanos, long workNanos) {
        return Math.max(eachNanos - tookNanos, workNanos * (SHARE - 1));
    }

    /** Says which jobs are not kept, and which are again. */
    private void without(Set<String> before, Set<String> now) {
        now.stream()
                .filter(job -> !before.contains(job))
                .forEach(job -> problems.accept("job " + SafeText.of(job, MOST_NAME)
                        + " is not kept now: it has not answered in time; its agents keep what they have"));
        before.stream()
                .filter(job -> !now.contains(job))
                .forEach(job -> problems.accept("job " + SafeText.of(job, MOST_NAME) + " is kept again"));
    }

    private void tidy() {
        try {
            jobs.tidy();
        } catch (RuntimeException | Error failed) {
            problems.accept("a defect of Argus: " + SafeText.sentence(failed.toString()));
        }
    }

    private void maintain() {
        try {
            store.maintain(clock.nanos());
        } catch (IOException | RuntimeException | Error failed) {
            problems.accept("retention failed: " + SafeText.sentence(failed.toString()));
        }
    }

    @Override
    public FrameReceiver receiver() {
        return receiver;
    }

    @Override
    public Fleet fleet() {
        return jobs;
    }

    @Override
    public Checkpoints.Status checkpoints() {
        return checkpoints.status();
    }

    @Override
    public long queuedBytes() {
        return queued.get();
    }

    @Override
    public void stored(String job, Rows.StoredObject object) {
        jobs.stored(job, object);
    }

    /** Judges what waits, takes a last checkpoint, and ends. The store stays open. */
    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(keeper);
        try {
            keeper.join(END_MILLIS);
            if (!keeper.isAlive() && !checkpoints.take()) {
                problems.accept(
                        "the last checkpoint failed: " + checkpoints.status().problem());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        jobs.close();
        lenders.shutdownNow();
        lenders.close();
    }
}
