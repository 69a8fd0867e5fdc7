package dev.argus.hostflink.series;

import dev.argus.hostflink.JobSeries;
import dev.argus.hostflink.SeriesBytes;
import dev.argus.wire.ProtoBuffer;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Moments of jobs that wait to be sent, oldest first. Bounded in bytes; where there is no room the oldest goes, counted. A series that its job does not have any more ends with a mark, as remote write asks for.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("ByteBufferBackingArray") // each wraps an array of its own
final class SeriesQueue {
    /** Most bytes of a request before compression, but for a single moment that is larger. */
    static final int BATCH_BYTES = 256 << 10;

    /** What Prometheus takes for the end of a series: a NaN of its own. */
    static final long STALE = 0x7ff0000000000002L;

    private static final int SERIES = 1;
    private static final int SAMPLES = 2;
    private static final int VALUE = 1;
    private static final int TIMESTAMP = 2;

    /**
     * All series of a job at one moment.
     *
     * @param job the job
     * @param atMillis the moment, milliseconds since the Unix epoch
     * @param samples how many series
     * @param request the fields of a {@code WriteRequest}; several behind each other are one request. Not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Moment(String job, long atMillis, int samples, byte[] request) {}

    private final long mostBytes;
    private final Deque<Moment> waiting = new ArrayDeque<>();
    private final Map<String, Set<ByteBuffer>> before = new HashMap<>();
    private final ProtoBuffer buffer = new ProtoBuffer();
    private long bytes;
    private long samples;
    private long newestMillis;
    private boolean closed;

    SeriesQueue(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Adds a moment; returns how many samples had to go for it. */
    synchronized long add(JobSeries series) {
        boolean over = series.samples().length == 0;
        Map<ByteBuffer, Double> now = over ? Map.of() : SeriesBytes.read(series.samples());
        Set<ByteBuffer> ended = new HashSet<>(before.getOrDefault(series.job(), Set.of()));
        ended.removeAll(now.keySet());
        if (over) {
            before.remove(series.job());
        } else {
            before.put(series.job(), Set.copyOf(now.keySet()));
        }
        if (now.isEmpty() && ended.isEmpty()) {
            return 0;
        }
        buffer.clear();
        now.forEach((labels, value) -> append(labels, Double.doubleToLongBits(value), series.atMillis()));
        ended.forEach(labels -> append(labels, STALE, series.atMillis()));
        byte[] request = new byte[buffer.size()];
        System.arraycopy(buffer.bytes(), 0, request, 0, request.length);
        return add(new Moment(series.job(), series.atMillis(), now.size() + ended.size(), request));
    }

    private void append(ByteBuffer labels, long valueBits, long atMillis) {
        int series = buffer.open(SERIES);
        buffer.raw(labels.array(), labels.array().length);
        int sample = buffer.open(SAMPLES);
        buffer.fixed64(VALUE, valueBits);
        buffer.number(TIMESTAMP, atMillis);
        buffer.close(sample);
        buffer.close(series);
    }

    private long add(Moment moment) {
        waiting.add(moment);
        bytes += moment.request().length;
        samples += moment.samples();
        newestMillis = Math.max(newestMillis, moment.atMillis());
        long dropped = 0;
        while (bytes > mostBytes && waiting.size() > 1) {
            dropped += removeOldest().samples();
        }
        notifyAll();
        return dropped;
    }

    private Moment removeOldest() {
        Moment oldest = waiting.remove();
        bytes -= oldest.request().length;
        samples -= oldest.samples();
        return oldest;
    }

    /** The next to be sent, at most one moment of each job, oldest first; waits until there are some. Empty once it was closed. */
    synchronized List<Moment> next() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        List<Moment> batch = new ArrayList<>();
        Set<String> jobs = new HashSet<>();
        long size = 0;
        for (Moment m : waiting) {
            size += m.request().length;
            if (closed || !jobs.add(m.job()) || (size > BATCH_BYTES && !batch.isEmpty())) {
                break;
            }
            batch.add(m);
        }
        return batch;
    }

    /** Forgets the oldest if it is this one: it is settled. */
    @SuppressWarnings("ReferenceEquality") // the very one, not one like it
    synchronized void settled(Moment moment) {
        if (waiting.peek() == moment) { // else there was no room for it meanwhile
            removeOldest();
        }
    }

    /** Waits so long, or until it is closed. Returns false if it is. */
    synchronized boolean pause(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000L;
        for (long left = millis; left > 0 && !closed; left = (end - System.nanoTime()) / 1_000_000L) {
            wait(left);
        }
        return !closed;
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Samples that wait. */
    synchronized long samples() {
        return samples;
    }

    /** From the oldest moment that waits to the newest there was, milliseconds. */
    synchronized long behindMillis() {
        Moment oldest = waiting.peek();
        return oldest == null ? 0 : Math.max(0, newestMillis - oldest.atMillis());
    }

    // ---------------------------------------------------------------- over a restart

    /** What waits, what is just being sent included. */
    synchronized List<byte[]> snapshot() {
        List<byte[]> all = new ArrayList<>();
        for (Moment m : waiting) {
            all.add(new WireWriter()
                    .writeText(m.job())
                    .writeSigned(m.atMillis())
                    .writeVarint(m.samples())
                    .writeBytes(m.request())
                    .writeChecksum(0)
                    .toByteArray());
        }
        return all;
    }

    /**
     * A moment that was written down.
     *
     * @throws dev.argus.wire.WireException if the bytes are something else
     */
    static Moment read(byte[] state) {
        WireReader from = WireReader.checked(state, "series that wait");
        Moment moment = new Moment(from.readText(), from.readSigned(), from.readInt(), from.readBytes());
        from.expectEnd();
        return moment;
    }

    /** Takes up a moment that waited; returns how many samples had to go for it. */
    synchronized long restore(Moment moment) {
        return add(moment);
    }
}
