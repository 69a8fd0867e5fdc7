package dev.argus.server.alerts;

import dev.argus.server.alerts.AlertStatus.WebhookStatus;
import dev.argus.transport.Backoff;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Tells one endpoint, on a thread of its own: takes the next request under the lock, posts it outside of it, and notes the answer.
 *
 * <p>No message of an exception is ever shown: it may hold the address, and that a secret.
 */
final class WebhookWorker {
    private static final long LONGEST_SLEEP_MILLIS = 60_000;

    private final Endpoint endpoint;
    private final AlertTiming timing;
    private final Deliveries deliveries;
    private final ReentrantLock lock;
    private final Condition news;
    private final AlertPoster poster;
    private final Consumer<String> log;

    WebhookWorker(
            Endpoint endpoint,
            AlertTiming timing,
            ReentrantLock lock,
            AlertPoster poster,
            Consumer<String> log,
            long seed) {
        this.endpoint = endpoint;
        this.timing = timing;
        this.lock = lock;
        this.news = lock.newCondition();
        this.poster = poster;
        this.log = log;
        Backoff backoff = new Backoff(timing.backoffFrom(), timing.backoffTo(), new SplittableRandom(seed));
        deliveries = new Deliveries(endpoint.format(), timing, backoff);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** What it has told; under the lock. */
    Deliveries deliveries() {
        return deliveries;
    }

    /** Something has changed; under the lock. */
    void wake() {
        news.signal();
    }

    /** How it does; under the lock. */
    WebhookStatus status(AlertBook book) {
        int waiting = (int) book.entries().stream().filter(deliveries::waitsFor).count();
        return new WebhookStatus(
                endpoint.shown(),
                deliveries.delivered(),
                deliveries.refused(),
                deliveries.failures(),
                waiting,
                deliveries.isFailing());
    }

    /** Tells until closed or interrupted. {@code settle} is called under the lock when an answer was noted. */
    void run(Supplier<AlertBook> book, LongSupplier wall, LongSupplier tick, BooleanSupplier closed, Runnable settle) {
        try {
            while (!closed.getAsBoolean()) {
                Batch batch = next(book, tick);
                if (batch != null) {
                    tell(batch, wall, tick, settle);
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** The request that is due; null after a sleep until one may be. */
    @SuppressWarnings("WaitNotInLoop") // whoever calls it does so in a loop
    private @Nullable Batch next(Supplier<AlertBook> book, LongSupplier tick) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long now = tick.getAsLong();
            Batch batch = deliveries.due(book.get(), now);
            if (batch == null) {
                long at = deliveries.nextTick(book.get());
                long sleep = at == Long.MAX_VALUE ? LONGEST_SLEEP_MILLIS : at - now;
                news.await(Math.clamp(sleep, 1, LONGEST_SLEEP_MILLIS), TimeUnit.MILLISECONDS);
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void tell(Batch batch, LongSupplier wall, LongSupplier tick, Runnable settle) throws InterruptedException {
        byte[] body =
                endpoint.format().body(batch, wall.getAsLong(), timing.hold().toMillis());
        String trouble;
        AlertPoster.Answer answer = null;
        boolean perhaps = false;
        try {
            answer = poster.post(endpoint, body);
            trouble = "status " + answer.status();
        } catch (IOException failed) {
            trouble = words(failed);
            perhaps = !(failed instanceof ConnectException || failed instanceof HttpConnectTimeoutException);
        } catch (RuntimeException impossible) {
            trouble = impossible.getClass().getSimpleName();
        }
        lock.lockInterruptibly();
        try {
            note(batch, answer, perhaps, trouble, tick.getAsLong());
            settle.run();
        } finally {
            lock.unlock();
        }
    }

    private void note(Batch batch, AlertPoster.@Nullable Answer answer, boolean perhaps, String trouble, long tick) {
        boolean failedBefore = deliveries.isFailing();
        int status = answer == null ? 0 : answer.status();
        if (status >= 200 && status < 300) {
            deliveries.took(batch, tick);
        } else if (status == 400 || status == 413 || status == 422) {
            if (batch.items().size() == 1) {
                log.accept("alerts: " + endpoint.shown() + " refuses an alert about incident "
                        + batch.items().getFirst().alert().labels().get("incident") + " (" + trouble
                        + "); it is not told of it");
            }
            deliveries.refused(batch, tick);
        } else {
            deliveries.failed(batch, perhaps, tick, answer == null ? -1 : answer.retryAfterMillis());
        }
        if (deliveries.isFailing() && !failedBefore) {
            log.accept("alerts: " + endpoint.shown() + " cannot be told: " + trouble + "; it is tried again");
        } else if (failedBefore && !deliveries.isFailing()) {
            log.accept("alerts: " + endpoint.shown() + " takes alerts again");
        }
    }

    private String words(IOException failed) {
        return switch (failed) {
            case ConnectException nobody -> "nothing answers";
            case HttpTimeoutException late ->
                "no answer within " + timing.requestTimeout().toMillis() + " ms";
            case SSLException tls -> "the connection cannot be made secure";
            default -> failed.getClass().getSimpleName();
        };
    }
}
