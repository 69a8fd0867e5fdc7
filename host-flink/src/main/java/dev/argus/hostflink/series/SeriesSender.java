package dev.argus.hostflink.series;

import dev.argus.hostflink.series.RemoteWriteClient.Answer;
import dev.argus.hostflink.series.SeriesQueue.Moment;
import dev.argus.model.SafeText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what waits, in one thread and so in order. What a receiver may take later (5xx, 429, no answer) is tried again, after waits of half a second up to half a minute, or as long as it asks for; what it refuses (the other 4xx) is given
 * up, counted. A receiver refuses a request as a whole for one sample that it knows already: then its moments are sent one by one, so that only those go that are refused themselves.
 */
final class SeriesSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SeriesSender.class);
    private static final long FIRST_WAIT_MILLIS = 500;
    private static final long MOST_WAIT_MILLIS = 30_000;
    private static final long MOST_ASKED_MILLIS = 600_000;

    /**
     * What is counted, each by one thread.
     *
     * @param sent samples that were taken
     * @param refused samples that were refused for good, those that a receiver knew already among them
     * @param failures requests that failed and are made again
     */
    record Counts(Counter sent, Counter refused, Counter failures) {}

    private final RemoteWrite to;
    private final SeriesQueue queue;
    private final Counts counts;
    private final Way client;
    private final Thread thread;
    private long waitMillis = FIRST_WAIT_MILLIS;
    private boolean toldFailing;
    private boolean toldRefused;

    /** How requests get to the receiver. */
    interface Way extends AutoCloseable {
        /**
         * Posts one request.
         *
         * @throws IOException if there was no answer
         */
        Answer post(byte[] request) throws IOException, InterruptedException;

        @Override
        void close();
    }

    /** Begins to send. */
    SeriesSender(RemoteWrite to, SeriesQueue queue, Counts counts) {
        this(to, queue, counts, new RemoteWriteClient(to));
    }

    SeriesSender(RemoteWrite to, SeriesQueue queue, Counts counts, Way way) {
        this.to = to;
        this.queue = queue;
        this.counts = counts;
        this.client = way;
        this.thread = Thread.ofPlatform().daemon().name("argus-series").start(this::run);
    }

    private void run() {
        try {
            for (List<Moment> batch = queue.next(); !batch.isEmpty(); batch = queue.next()) {
                long wait = send(batch);
                if (wait > 0 && !queue.pause(wait)) {
                    return;
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends moments; returns how long to wait before the next try, 0 if they are settled. */
    private long send(List<Moment> batch) throws InterruptedException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        batch.forEach(m -> request.writeBytes(m.request()));
        Answer answer;
        try {
            answer = client.post(request.toByteArray());
        } catch (IOException none) {
            return failed(String.valueOf(none.getMessage()), null);
        } catch (RuntimeException | LinkageError | OutOfMemoryError unforeseen) {
            // also a library that cannot be loaded here: it is said and tried again, and does not end this thread
            // unseen
            return failed("in a way that was not foreseen: " + unforeseen, null);
        }
        if (answer.isLater()) {
            return failed("status " + answer.status(), answer);
        }
        waitMillis = FIRST_WAIT_MILLIS;
        if (toldFailing) {
            toldFailing = false;
            LOG.warn("the remote write to {} works again", to.to().getHost());
        }
        if (answer.isTaken()) {
            batch.forEach(m -> settled(m, counts.sent()));
            return 0;
        }
        if (batch.size() > 1) {
            for (Moment alone : batch) {
                long wait = send(List.of(alone));
                if (wait > 0) {
                    return wait;
                }
            }
            return 0;
        }
        if (!toldRefused) {
            toldRefused = true;
            LOG.warn(
                    "the remote write to {} refused series of job {}: status {}; they are left out, further ones are only counted",
                    to.to().getHost(),
                    SafeText.of(batch.getFirst().job(), 100),
                    answer.status());
        }
        settled(batch.getFirst(), counts.refused());
        return 0;
    }

    private void settled(Moment moment, Counter counter) {
        counter.inc(moment.samples());
        queue.settled(moment);
    }

    private long failed(String why, @Nullable Answer answer) {
        counts.failures().inc();
        if (!toldFailing) {
            toldFailing = true;
            LOG.warn(
                    "the remote write to {} failed and is tried again: {}",
                    to.to().getHost(),
                    SafeText.of(why, 300));
        }
        long drawn = waitMillis / 2 + ThreadLocalRandom.current().nextLong(waitMillis / 2 + 1);
        waitMillis = Math.min(2 * waitMillis, MOST_WAIT_MILLIS);
        long asked = answer == null ? 0 : Math.min(answer.waitMillis(), MOST_ASKED_MILLIS);
        return Math.max(drawn, asked);
    }

    @Override
    public void close() {
        queue.close();
        thread.interrupt();
        client.close();
        try {
            thread.join(MOST_WAIT_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt(); // it is a daemon, and ends by itself
        }
    }
}
