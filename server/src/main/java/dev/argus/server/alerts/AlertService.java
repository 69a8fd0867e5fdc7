package dev.argus.server.alerts;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.server.alerts.AlertStatus.WebhookStatus;
import dev.argus.server.config.ServerSettings.Webhook;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;
import dev.argus.wire.WireException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells webhooks of incidents, never of observations: hears of their changes, writes them down, and lets each endpoint catch up in its own time.
 *
 * <p>Life: {@link #restore} what was saved, {@link #start} when the jobs are restored, {@link #snapshot} for each checkpoint, {@link #close}.
 *
 * <p>Threads: one that takes changes and holds alerts against the fleet, one for each webhook; all virtual. Jobs only put changes into a queue of {@value #MOST_WAITING}; what has no room is
 * counted and made good by the next looks at the fleet. No endpoint, however slow, is waited for by anybody else.
 */
public final class AlertService implements FleetListener, AutoCloseable {
    /** Changes that may wait to be written down. */
    static final int MOST_WAITING = 4096;

    private final Fleet fleet;
    private final AlertTexts texts;
    private final AlertTiming timing;
    private final InstantSource clock;
    private final LongSupplier tick;
    private final AlertPoster poster;
    private final Reconciliation reconciliation;
    private final List<WebhookWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final BlockingQueue<Heard> heard = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Semaphore news = new Semaphore(0);
    private final AtomicLong lost = new AtomicLong();

    /** Holds the book and what endpoints were told. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Consumer<String> log;
    private AlertBook book = new AlertBook();
    private volatile boolean closed;

    private record Heard(String job, IncidentChange change) {}

    /**
     * For webhooks. Does nothing before {@link #start}.
     *
     * @param base address of this server as users reach it, for links; null for none
     * @param clock tells the time of day
     * @param log hears one line when an endpoint fails, takes alerts again, or refuses one
     * @param seed of the waits after failures
     * @throws IllegalArgumentException if a webhook makes no sense; the message holds no secret
     */
    public AlertService(
            Fleet fleet,
            List<Webhook> webhooks,
            AlertTiming timing,
            @Nullable URI base,
            InstantSource clock,
            Consumer<String> log,
            long seed) {
        this(
                fleet,
                webhooks.stream().map(Endpoint::of).toList(),
                timing,
                base,
                clock,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                new HttpAlertPoster(timing.requestTimeout(), clock),
                log,
                seed);
    }

    AlertService(
            Fleet fleet,
            List<Endpoint> endpoints,
            AlertTiming timing,
            @Nullable URI base,
            InstantSource clock,
            LongSupplier tick,
            AlertPoster poster,
            Consumer<String> log,
            long seed) {
        this.fleet = fleet;
        this.texts = new AlertTexts(base);
        this.timing = timing;
        this.clock = clock;
        this.tick = tick;
        this.poster = poster;
        this.log = log;
        this.reconciliation = new Reconciliation(texts);
        for (Endpoint endpoint : endpoints) {
            workers.add(new WebhookWorker(endpoint, timing, lock, poster, log, seed + workers.size()));
        }
    }

    /**
     * Takes what {@link #snapshot} gave; before the start. Bytes that are not that are said in one line, and it begins anew: what is open is then told again.
     */
    public void restore(byte[] snapshot) {
        lock.lock();
        try {
            AlertBook saved = new AlertBook();
            AlertState.read(snapshot, saved, deliveries());
            book = saved;
        } catch (WireException damaged) {
            workers.forEach(w -> w.deliveries().clear());
            log.accept("alerts: begin anew, for their saved state cannot be read: " + damaged.getMessage());
        } finally {
            lock.unlock();
        }
    }

    /** All that a restart needs, everything that was heard before the call included. Does not wait for any endpoint. */
    public byte[] snapshot() {
        lock.lock();
        try {
            writeDown();
            return AlertState.write(book, deliveries());
        } finally {
            lock.unlock();
        }
    }

    /** Listens to the fleet, makes good what differs from it, and begins to tell. */
    public void start() {
        fleet.listen(this);
        reconcile(true);
        threads.add(Thread.ofVirtual().name("argus-alerts").start(this::take));
        for (WebhookWorker worker : workers) {
            Runnable tell = () -> worker.run(this::book, this::wallMillis, tick, () -> closed, this::settle);
            threads.add(
                    Thread.ofVirtual().name("argus-webhook-" + threads.size()).start(tell));
        }
    }

    @Override
    public void incident(JobView job, IncidentChange change) {
        if (!change.incident().kind().isIncident()) {
            return;
        }
        if (!heard.offer(new Heard(job.job(), change))) {
            lost.incrementAndGet();
        }
        news.release();
    }

    /** How it does. */
    public AlertStatus status() {
        lock.lock();
        try {
            List<WebhookStatus> all = workers.stream().map(w -> w.status(book)).toList();
            return new AlertStatus(book.active(), book.dropped() + lost.get(), all);
        } finally {
            lock.unlock();
        }
    }

    /** Ends its threads; what was not told, and what is heard from then on, is in the next {@link #snapshot}. */
    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        if (poster instanceof HttpAlertPoster http) {
            http.close();
        }
    }

    private void take() {
        long next = tick.getAsLong() + timing.reconcileEach().toMillis();
        try {
            while (!closed) {
                boolean heardSome = news.tryAcquire(Math.max(1, next - tick.getAsLong()), TimeUnit.MILLISECONDS);
                if (heardSome) {
                    news.drainPermits();
                    lock.lock();
                    try {
                        writeDown();
                    } finally {
                        lock.unlock();
                    }
                }
                if (tick.getAsLong() >= next) {
                    next = tick.getAsLong() + timing.reconcileEach().toMillis();
                    reconcile(false);
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything that was heard, into the book. */
    private void writeDown() {
        for (Heard h = heard.poll(); h != null; h = heard.poll()) {
            try {
                IncidentChange change = h.change();
                book.say(texts.of(h.job(), change.incident(), change.kind(), wallMillis()), tick.getAsLong());
            } catch (RuntimeException impossible) {
                book.drop(1); // no incident may keep the others from being told
            }
        }
        changed();
    }

    private void reconcile(boolean atStart) {
        List<JobView> jobs = fleet.jobs();
        lock.lock();
        try {
            writeDown();
            reconciliation.run(book, jobs, atStart, wallMillis(), tick.getAsLong());
            changed();
        } catch (RuntimeException impossible) {
            log.accept("alerts: could not be held against the fleet: "
                    + impossible.getClass().getSimpleName());
        } finally {
            lock.unlock();
        }
    }

    private void changed() {
        settle();
        workers.forEach(WebhookWorker::wake);
    }

    private void settle() {
        List<Alert.Key> gone = book.settle(
                entry -> workers.stream().noneMatch(w -> w.deliveries().waitsFor(entry)));
        gone.forEach(key -> workers.forEach(w -> w.deliveries().forget(key)));
    }

    private Map<String, Deliveries> deliveries() {
        Map<String, Deliveries> named = new LinkedHashMap<>();
        workers.forEach(w -> named.put(w.endpoint().key(), w.deliveries()));
        return named;
    }

    private AlertBook book() {
        return book;
    }

    private long wallMillis() {
        return clock.millis();
    }
}
