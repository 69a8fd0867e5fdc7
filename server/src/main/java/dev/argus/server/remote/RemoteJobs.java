package dev.argus.server.remote;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.model.SafeText;
import dev.argus.server.ingest.IncidentRows;
import dev.argus.server.ingest.JobRows;
import dev.argus.server.ingest.Jobs;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that others diagnose: values of topics in, what is known of the jobs and rows to keep out. What cannot be used is counted by reason.
 *
 * <p>Thread-safe; bounded: a stated number of jobs, of more the one not heard of for longest goes when that is some minutes, else the new one is left out. What is older than a day makes no job, but its rows are kept. Of
 * memory a stated number of bytes over all jobs: where there is no room, the job that takes most gives up something ({@link RemoteJob#giveUp}), counted, so that nobody's large values cost others what is known of
 * them. Rows that wait to be kept are the caller's to bound ({@link #waitingBytes}).
 */
final class RemoteJobs implements Fleet {
    private static final long ROW_BYTES = 512;
    private static final long IDLE_NANOS = 600_000_000_000L;
    private static final long GONE_NANOS = 86_400_000_000_000L;

    /** A value that is known already. */
    static final String KNOWN = "value-known";

    /** A value of a job for which there was no room. */
    static final String NO_ROOM = "job-without-room";

    /** What a value brought out that nobody foresaw. */
    static final String DEFECT = "value-defect";

    private static final long MOST_AHEAD_NANOS = 900_000_000_000L;

    private final LongSupplier clock;
    private final int mostJobs;
    private final long mostBytes;
    private final CopyOnWriteArrayList<FleetListener> listeners = new CopyOnWriteArrayList<>();
    private final FleetListener all;
    private final Map<String, RemoteJob> jobs = new LinkedHashMap<>();

    /** Forgotten, and listeners do not know it yet: they are told without the lock, for they ask back. */
    private final List<JobView> gone = new ArrayList<>();

    private final Map<String, Long> skipped = new TreeMap<>();
    private final Map<String, Long> dropped = new TreeMap<>();
    private JobRows rows = new JobRows();
    private long rowBytes;
    private long bytes;
    private long taken;
    private String lastSkipped = "";

    /**
     * None yet.
     *
     * @param clock now, nanoseconds since the Unix epoch
     * @param mostBytes what all jobs together may take in memory
     * @param problems takes sentences for an operator
     */
    RemoteJobs(LongSupplier clock, int mostJobs, long mostBytes, Consumer<String> problems) {
        this.clock = clock;
        this.mostJobs = mostJobs;
        this.mostBytes = mostBytes;
        this.all = Jobs.toAll(listeners, problems);
    }

    // ---------------------------------------------------------------- in

    /** Takes a value of the topic of incidents. */
    void incident(byte[] value) {
        try {
            RemoteChange read = RemoteChange.read(JsonValue.read(value));
            notAhead(read.change().atNanos());
            take(read);
        } catch (UnusableValueException unusable) {
            skip(unusable);
        } catch (RuntimeException defect) {
            skip(new UnusableValueException(DEFECT, "a defect of Argus: " + defect));
        }
        tellGone();
    }

    /** Takes a value of the topic of metrics. */
    void metrics(byte[] value) {
        try {
            RemoteMetrics read = RemoteMetrics.read(JsonValue.read(value));
            notAhead(read.atNanos());
            take(read);
        } catch (UnusableValueException unusable) {
            skip(unusable);
        } catch (RuntimeException defect) {
            skip(new UnusableValueException(DEFECT, "a defect of Argus: " + defect));
        }
        tellGone();
    }

    /** A value from days to come would be newer than all that is still to be said. */
    private void notAhead(long atNanos) throws UnusableValueException {
        if (atNanos - clock.getAsLong() > MOST_AHEAD_NANOS) {
            throw new UnusableValueException(
                    UnusableValueException.WRONG_MEMBER,
                    "'atEpochNanos' is " + atNanos + ", expected at most a quarter of an hour from now");
        }
    }

    private synchronized void skip(UnusableValueException unusable) {
        skip(unusable.reason());
        lastSkipped = SafeText.sentence(unusable.reason() + ": " + unusable.getMessage());
    }

    private void skip(String reason) {
        skipped.merge(reason, 1L, Long::sum);
    }

    private void take(RemoteChange value) {
        JobView view;
        boolean fresh;
        synchronized (this) {
            IncidentChange change = value.change();
            boolean old = clock.getAsLong() - change.atNanos() > GONE_NANOS;
            boolean before = jobs.containsKey(value.job());
            RemoteJob job = old && !before ? null : job(value.job(), change.atNanos());
            if (job != null && !taken(job, () -> job.take(value, clock.getAsLong()))) {
                skip(KNOWN);
                return;
            }
            Rows.Incident row = IncidentRows.of(value.job(), change);
            rows.add(row);
            rowBytes += ROW_BYTES + RemoteWeight.of(row.document()) + RemoteWeight.of(change.incident());
            taken++;
            if (job == null) {
                return;
            }
            add(row(job));
            fresh = !before;
            view = job.view(clock.getAsLong());
        }
        if (fresh) {
            all.appeared(view);
        }
        all.incident(view, value.change());
    }

    private void take(RemoteMetrics value) {
        JobView view;
        synchronized (this) {
            boolean before = jobs.containsKey(value.job());
            boolean old = clock.getAsLong() - value.atNanos() > GONE_NANOS;
            RemoteJob job = old && !before ? null : job(value.job(), value.atNanos());
            if (job == null) {
                return;
            }
            RemoteMetrics last = job.metrics();
            if (!taken(job, () -> job.take(value, clock.getAsLong()))) {
                skip(KNOWN);
                return;
            }
            taken++;
            value.losses().forEach((reason, count) -> {
                long fresh = count - (last == null ? 0 : last.losses().getOrDefault(reason, 0L));
                if (fresh > 0) {
                    rows.add(new Rows.Loss(value.job(), value.atNanos(), reason, fresh));
                    rowBytes += ROW_BYTES;
                }
            });
            add(row(job));
            if (before) {
                return;
            }
            view = job.view(clock.getAsLong());
        }
        all.appeared(view);
    }

    private void add(Rows.Job row) {
        rows.add(row);
        rowBytes += ROW_BYTES;
    }

    /** Has a job take something, and makes room for it; the weight of all is kept up to date. */
    private boolean taken(RemoteJob job, BooleanSupplier take) {
        bytes -= job.bytes();
        boolean fresh = take.getAsBoolean();
        bytes += job.bytes();
        makeRoom();
        return fresh;
    }

    private void makeRoom() {
        while (bytes > mostBytes) {
            RemoteJob largest = jobs.values().stream()
                    .max(Comparator.comparingLong(RemoteJob::bytes))
                    .orElse(null);
            if (largest == null) {
                return;
            }
            long before = largest.bytes();
            String what = largest.giveUp();
            if (what.isEmpty()) {
                return; // nothing but names is left
            }
            bytes += largest.bytes() - before;
            dropped.merge(what, 1L, Long::sum);
        }
    }

    private static Rows.Job row(RemoteJob job) {
        RemoteMetrics m = job.metrics();
        return new Rows.Job(
                job.name,
                Math.max(0, job.attempt()),
                job.firstNanos,
                job.heardNanos,
                m == null ? 0 : m.expected(),
                0,
                "");
    }

    /** The job, made where there is room for it; null, counted, where there is none. */
    private @Nullable RemoteJob job(String name, long atNanos) {
        long at = Math.min(clock.getAsLong(), atNanos);
        RemoteJob known = jobs.get(name);
        if (known == null) {
            if (jobs.size() >= mostJobs && !room()) {
                skip(NO_ROOM);
                return null;
            }
            known = new RemoteJob(name, at);
            jobs.put(name, known);
            bytes += known.bytes();
        }
        known.heardNanos = Math.max(known.heardNanos, at);
        return known;
    }

    private boolean room() {
        RemoteJob oldest = jobs.values().stream()
                .min(Comparator.comparingLong(j -> j.heardNanos))
                .orElse(null);
        return oldest != null && forget(oldest, IDLE_NANOS);
    }

    private boolean forget(RemoteJob job, long idleNanos) {
        long now = clock.getAsLong();
        if (now - job.heardNanos < idleNanos) {
            return false;
        }
        jobs.remove(job.name);
        bytes -= job.bytes();
        gone.add(job.view(now));
        return true;
    }

    /** Forgets jobs of which nothing was heard for a day. */
    void tidy() {
        synchronized (this) {
            List.copyOf(jobs.values()).forEach(j -> forget(j, GONE_NANOS));
        }
        tellGone();
    }

    private void tellGone() {
        List<JobView> now;
        synchronized (this) {
            now = List.copyOf(gone);
            gone.clear();
        }
        now.forEach(all::forgotten);
    }

    // ---------------------------------------------------------------- kept

    /** Rows since the last call. */
    synchronized JobRows takeRows() {
        JobRows now = rows;
        rows = new JobRows();
        rowBytes = 0;
        return now;
    }

    /** What the rows take that the next {@link #takeRows} will give. */
    synchronized long waitingBytes() {
        return rowBytes;
    }

    /** What all jobs together take in memory. */
    synchronized long bytes() {
        return bytes;
    }

    /** What was given up for room so far, by what it was. */
    synchronized Map<String, Long> dropped() {
        return new TreeMap<>(dropped);
    }

    synchronized void add(Rows.StoredObject object) {
        rows.add(object);
    }

    /** Its state, to be kept with the rows and positions of the same moment. */
    synchronized byte[] snapshot() {
        WireWriter to = new WireWriter();
        to.writeByte(RemoteState.VERSION).writeVarint(taken).writeVarint(skipped.size());
        skipped.forEach((reason, n) -> to.writeText(reason).writeVarint(n));
        to.writeVarint(dropped.size());
        dropped.forEach((what, n) -> to.writeText(what).writeVarint(n));
        to.writeVarint(jobs.size());
        jobs.values().forEach(job -> RemoteState.write(job, to));
        return to.writeChecksum(0).toByteArray();
    }

    /**
     * Goes on with a state.
     *
     * @throws WireException if it is damaged or of another version
     */
    synchronized void restore(byte[] state) {
        try {
            read(state);
        } catch (RuntimeException unreadable) {
            jobs.clear(); // not half of it: the topics are read again
            skipped.clear();
            dropped.clear();
            taken = 0;
            bytes = 0;
            throw unreadable;
        }
    }

    private void read(byte[] state) {
        WireReader from = WireReader.checked(state, "state of jobs that others diagnose");
        int version = from.readByte();
        if (version < 1 || version > RemoteState.VERSION) {
            throw new WireException("state of version " + version + ", expected 1 to " + RemoteState.VERSION);
        }
        taken = from.readVarint();
        for (int n = from.readCount(2); n > 0; n--) {
            skipped.put(from.readText(), from.readVarint());
        }
        for (int n = version == 1 ? 0 : from.readCount(2); n > 0; n--) {
            dropped.put(from.readText(), from.readVarint());
        }
        for (int n = from.readCount(6); n > 0; n--) {
            RemoteJob job = RemoteState.read(from, version);
            jobs.put(job.name, job);
            bytes += job.bytes();
            makeRoom();
        }
        from.expectEnd();
    }

    /** Values taken so far. */
    synchronized long taken() {
        return taken;
    }

    /** Values stepped over so far, by reason. */
    synchronized Map<String, Long> skipped() {
        return new TreeMap<>(skipped);
    }

    /** What was wrong with the value stepped over last; empty when none was. */
    synchronized String lastSkipped() {
        return lastSkipped;
    }

    // ---------------------------------------------------------------- what is known

    @Override
    public synchronized List<JobView> jobs() {
        long now = clock.getAsLong();
        List<JobView> views = new ArrayList<>();
        jobs.values().forEach(j -> views.add(j.view(now)));
        views.sort(Comparator.comparingLong((JobView v) -> -v.heardNanos()).thenComparing(JobView::job));
        return views;
    }

    @Override
    public synchronized Optional<JobView> job(String name) {
        return Optional.ofNullable(jobs.get(name)).map(j -> j.view(clock.getAsLong()));
    }

    @Override
    public Optional<HeatMapData> heatMap(String name, HeatValue value, long from, long to) {
        return Optional.empty();
    }

    @Override
    public List<KernelPicture> kernels(String name, int most) {
        return List.of();
    }

    @Override
    public void listen(FleetListener listener) {
        listeners.add(listener);
    }
}
