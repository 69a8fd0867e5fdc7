package dev.argus.server.ingest;

import dev.argus.hostlocal.live.LiveJob;
import dev.argus.model.AgentRecord;
import dev.argus.model.NameTable;
import dev.argus.model.StepDigest;
import dev.argus.server.ingest.Inbox.Arrived;
import dev.argus.server.ingest.Inbox.Item;
import dev.argus.server.ingest.Inbox.Missing;
import dev.argus.server.ingest.Inbox.Request;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.server.job.JobView;
import dev.argus.wire.Frame;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One job on its own thread: takes frames in their order, asks the diagnosis what it says with every tick, and publishes what is known.
 *
 * <p>Whatever is thrown in one job, a want of memory too, ends the watch over that job only: it begins anew with the next record, says so, and counts it. Where not even that can be done, it is tried again
 * until it can, and what comes waits.
 */
final class JobHost implements Runnable {
    private static final long TICK_NANOS = 50_000_000L;
    private static final long PUBLISH_NANOS = 1_000_000_000L;
    private static final int MOST_ITEMS = 64;
    private static final AtomicInteger THREADS = new AtomicInteger();

    /** A table of more names than this is no program's: nothing more is taken. */
    static final int MOST_NAMES = 1 << 19;

    static final long MOST_NAME_CHARS = 128L << 20;

    private static final long NAME_BYTES = 100;

    private final String job;
    private final JobSetup setup;
    private final NameTable names;
    private final Inbox inbox;
    private volatile JobWatch watch;
    private volatile JobView view;
    private volatile Welcome welcome = new Welcome(-1, Long.MAX_VALUE, new BitSet());
    private volatile boolean heldBack;
    private volatile boolean stopping;
    /** Steps of an attempt that may come now, of ranks that were heard. */
    private record Welcome(int attempt, long through, BitSet ranks) {}

    /** What made the watch unusable, while no new one could be begun. */
    private volatile @Nullable Throwable broken;

    private @Nullable Thread thread;

    /** Taken from the inbox and not looked at yet. */
    private final Deque<Item> taken = new ArrayDeque<>();

    private final long bornNanos;
    private long tickedNanos = System.nanoTime() - TICK_NANOS;
    private long publishedNanos = tickedNanos - PUBLISH_NANOS;

    /** A job that was not known before, or one whose state was kept. */
    JobHost(String job, JobSetup setup, JobWatch watch) {
        this.job = job;
        this.setup = setup;
        this.watch = watch;
        this.names = watch.names();
        this.inbox = new Inbox(setup.queued(), setup.queueBytes());
        this.view = watch.view(0);
        this.bornNanos = setup.clock().nanos();
    }

    String job() {
        return job;
    }

    /** The table of its names, or null when it has too many. */
    @Nullable
    NameTable names() {
        return names.size() > MOST_NAMES || names.chars() > MOST_NAME_CHARS ? null : names;
    }

    /** About what its names take, bytes. */
    long nameBytes() {
        return names.chars() + NAME_BYTES * names.size();
    }

    /** Ids of the incidents that last; before its thread has anything to do. */
    Set<String> lasting() {
        return watch.live().lasting();
    }

    JobView view() {
        return view;
    }

    /** Since when nothing was heard of it while somebody listened: a job is not forgotten for an outage of the server. */
    long awaitedNanos() {
        return Math.max(bornNanos, view.heardNanos());
    }

    /** The newest steps; from any thread. */
    HeatMapData heatMap(HeatValue value, long from, long to) {
        return watch.stepRows().heatMap(value, from, to);
    }

    /** False when there is no room, or when other hosts are so far behind that theirs must come first. */
    boolean take(Frame frame) {
        return !ahead(frame) && inbox.offer(frame, setup.clock().nanos());
    }

    private boolean ahead(Frame frame) {
        Welcome now = welcome;
        if (now.through() == Long.MAX_VALUE) {
            return false;
        }
        boolean steps = false;
        for (AgentRecord record : frame.records()) {
            if (record instanceof StepDigest d) {
                if (d.attempt() != now.attempt()
                        || d.step() <= now.through()
                        || !now.ranks().get(d.rank())) {
                    return false;
                }
                steps = true;
            }
        }
        if (steps) {
            heldBack = true;
        }
        return steps;
    }

    /** True if a checkpoint would keep more than the last one did. */
    boolean unkept() {
        return watch.unkept() || !inbox.isEmpty();
    }

    /** True if so many rows wait for a checkpoint that it should come soon. */
    boolean crowded() {
        return watch.crowded();
    }

    void missing(String host, long count) {
        inbox.put(new Missing(host, count));
    }

    /**
     * Has the state written and the rows handed over between two frames. Where the state cannot be written, the job begins anew: one that could never be kept would keep all others from it.
     *
     * @return done when all frames taken before have been judged; cancelled when the job ended before
     */
    CompletableFuture<JobPart> part() {
        return ask(now -> {
            try {
                return now.part();
            } catch (Throwable defect) {
                broken = defect;
                beginAnew(defect);
                return watch.part();
            }
        });
    }

    /** Has its thread do something between two frames; nothing when the job has ended. */
    void tell(Consumer<JobWatch> what) {
        inbox.put(new Request(() -> what.accept(watch)));
    }

    /** Asks what only its thread may look at. */
    <T> CompletableFuture<T> ask(Function<JobWatch, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean put = inbox.put(new Request(() -> {
            try {
                answer.complete(question.apply(watch));
            } catch (Throwable failed) { // whoever waits must hear of it
                answer.completeExceptionally(failed);
            }
        }));
        if (!put) {
            answer.cancel(false);
        }
        return answer;
    }

    /** Gives it a thread where it has none that lives. Returns false where that was not needed. One caller at a time. */
    boolean begin() {
        Thread now = thread;
        if (stopping || (now != null && now.isAlive())) {
            return false;
        }
        if (now != null && broken == null) {
            broken = new IllegalStateException("its thread has ended");
        }
        Thread next = new Thread(this, "argus-job-" + THREADS.incrementAndGet());
        next.setDaemon(true);
        next.start(); // may throw for want of memory
        thread = next;
        return true;
    }

    @Override
    public void run() {
        try {
            while (!stopping) {
                Throwable defect = broken;
                if (defect == null) {
                    round();
                } else {
                    again(defect);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            if (stopping) {
                taken.addAll(inbox.close());
                taken.forEach(item -> {
                    if (item instanceof Request request) {
                        contained(request.what());
                    }
                });
                watch.end();
            }
        }
    }

    private void round() throws InterruptedException {
        if (taken.isEmpty()) {
            taken.addAll(inbox.take(MOST_ITEMS, TICK_NANOS));
        }
        for (Item item = taken.poll(); item != null; item = broken == null ? taken.poll() : null) {
            Item next = item;
            contained(() -> take(next));
        }
        long mono = System.nanoTime();
        if (mono - tickedNanos >= TICK_NANOS) {
            tickedNanos = mono;
            contained(() -> tick(setup.clock().nanos(), mono));
        }
    }

    private void again(Throwable defect) throws InterruptedException {
        Thread.sleep(Duration.ofNanos(TICK_NANOS));
        try {
            beginAnew(defect);
        } catch (Throwable still) {
            // no memory yet: what comes waits, and is refused when too much does
        }
    }

    private void beginAnew(Throwable defect) {
        watch = watch.anew(defect);
        broken = null;
    }

    private void take(Item item) {
        switch (item) {
            case Arrived a -> watch.take(a.frame(), a.atNanos());
            case Missing m -> watch.missing(m.host(), m.count());
            case Request r -> r.what().run();
        }
    }

    private void tick(long now, long mono) {
        LiveJob live = watch.live();
        if (heldBack) {
            heldBack = false;
            live.heldBack(now);
        }
        boolean changed = watch.tick(now);
        welcome = new Welcome(live.attempt(), live.welcomeStep(), live.heardRanks());
        if (changed || mono - publishedNanos >= PUBLISH_NANOS) {
            publishedNanos = mono;
            long oldest = inbox.oldestNanos();
            view = watch.view(oldest == Long.MAX_VALUE ? 0 : Math.max(0, now - oldest));
        }
        watch.tell(view, setup.listener());
    }

    private void contained(Runnable work) {
        try {
            work.run();
        } catch (Throwable defect) {
            broken = defect;
            try {
                beginAnew(defect);
            } catch (Throwable again) {
                // tried again by the loop
            }
        }
    }

    /** Ends the thread; what waits is not judged. */
    void stop() {
        stopping = true;
        inbox.put(new Request(() -> {}));
    }
}
