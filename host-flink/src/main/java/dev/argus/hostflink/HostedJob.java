package dev.argus.hostflink;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.JobCounts;
import dev.argus.hostlocal.live.JobFeed;
import dev.argus.hostlocal.live.JobStep;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveTick;
import dev.argus.model.AgentRecord;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import dev.argus.transport.OneWayReceiver;
import dev.argus.wire.Frame;
import dev.argus.wire.Renamed;
import dev.argus.wire.Shipment;
import dev.argus.wire.WireException;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * One job, from records of a topic to what is said about it. Knows nothing of Flink, and has no clock: its time is that of the records.
 *
 * <p>Records wait until everything before them has come ({@link #advance}), and are judged in the order of {@link Arrival#ORDER}, with ticks between them. So the same records give the same, in
 * whatever order partitions were read, on however many machines, and however often some of it was done again after a failure.
 *
 * <p>A table of names that is full is made anew from the names of the sessions that were heard lately, and the diagnosis begins anew with it; where those alone are too many, frames that bring further ones are left
 * out, and the rest goes on. Both are counted and said.
 *
 * <p>Not thread-safe. State: that of {@link LiveJob}; a number and the names of each session; what waits ({@link HostedJobCodec}).
 */
final class HostedJob {
    /** A table of more names than this is no program's. */
    static final int MOST_NAMES = 1 << 19;

    private static final int MOST_REASONS_OF_AGENTS = 40;
    private static final long CHARS_PER_NAME = 256;
    private static final long NANOS = 1_000_000L;

    /** Sessions heard for so long before now keep their names when the table is made anew. */
    private static final long LATELY_NANOS = 300_000_000_000L;

    /** A table of names that are all in use is not looked through again before. */
    private static final long FULL_NANOS = 600_000_000_000L;

    /** Takes what is said. */
    interface Out {
        void say(Said said);

        /** True if somebody stores the numbers of a job as series. */
        default boolean wantsSeries() {
            return false;
        }

        /** The numbers of a job at a moment. */
        default void series(JobSeries series) {}

        /** True if somebody keeps whole steps. */
        default boolean wantsSteps() {
            return false;
        }

        /** A whole step of a job. */
        default void step(KeptStep step) {}
    }

    private final String job;
    private final HostOptions options;
    JobFeed feed;
    OneWayReceiver receiver;
    JobCounts counts = new JobCounts();
    final PriorityQueue<Arrival> waiting = new PriorityQueue<>(Arrival.ORDER);
    /** Time of the newest record by partition: a broker's clock may be set back, but nothing overtakes. */
    final TreeMap<Integer, Long> newest = new TreeMap<>();

    private final int mostNames;
    final Gaps gaps = new Gaps();
    long clockNanos = Long.MIN_VALUE;
    long tickNanos = Long.MIN_VALUE;
    long metricsNanos = Long.MIN_VALUE;
    long heardNanos;
    final JobVoice voice;
    long fullUntilNanos;
    private long unheardMillis = Long.MIN_VALUE;
    boolean over;

    /** A job that was not known before. */
    HostedJob(String job, HostOptions options) {
        this(job, options, MOST_NAMES);
    }

    /** @param mostNames names that its table may have, and 256 characters for each */
    HostedJob(String job, HostOptions options, int mostNames) {
        this.job = job;
        this.options = options;
        this.mostNames = mostNames;
        this.voice = new JobVoice(job, options);
        NameTable names = new NameTable();
        this.feed = new JobFeed(live(names));
        this.receiver = new OneWayReceiver(job, names, () -> hasRoom(names));
    }

    boolean hasRoom(NameTable names) {
        return names.size() < mostNames && names.chars() < mostNames * CHARS_PER_NAME;
    }

    private LiveJob live(NameTable names) {
        return new LiveJob(names, Thresholds.DEFAULT, options.live());
    }

    String job() {
        return job;
    }

    LiveJob live() {
        return feed.live();
    }

    JobCounts counts() {
        return counts;
    }

    /** When the last frame of it came, nanoseconds since the Unix epoch. */
    long heardNanos() {
        return heardNanos;
    }

    /** Bytes of records that wait. */
    long waitingBytes() {
        return waiting.stream().mapToLong(a -> a.bytes().length).sum();
    }

    // ---------------------------------------------------------------- in

    /** Takes a record of this job; it is judged when time has come to it. */
    void add(Arrival arrival) {
        long before = newest.getOrDefault(arrival.partition(), 0L);
        Arrival at = arrival.at(Math.max(before, arrival.atMillis()));
        newest.put(at.partition(), at.atMillis());
        waiting.add(at);
    }

    /** Nobody listened for a while: no time passes in it. */
    void gap(Gap gap) {
        if (!gaps.add(gap)) {
            counts.lost("gaps-joined", 1);
        }
    }

    /**
     * Everything up to a time has come: judges it.
     *
     * @param untilMillis the time, milliseconds since the Unix epoch; {@link Long#MAX_VALUE} at the end of all input
     * @param wallMillis time of the machine, for the lag that metrics state and nothing else
     */
    void advance(long untilMillis, long wallMillis, Out out) {
        for (Arrival next = waiting.peek(); next != null && next.atMillis() <= untilMillis; next = waiting.peek()) {
            waiting.remove();
            ticks(next.atMillis() * NANOS, wallMillis, out);
            take(next, out);
        }
        if (untilMillis != Long.MAX_VALUE) {
            ticks(untilMillis * NANOS, wallMillis, out);
            unheard(untilMillis);
        }
    }

    /** One of which nothing at all was heard, for its state could not be read, is forgotten like others. */
    private void unheard(long untilMillis) {
        if (clockNanos == Long.MIN_VALUE && unheardMillis == Long.MIN_VALUE) {
            unheardMillis = untilMillis;
        }
        over |= clockNanos == Long.MIN_VALUE && (untilMillis - unheardMillis) * NANOS >= options.expiryNanos();
    }

    /** True if nothing was heard for so long that it was forgotten, and nothing waits: what was open about it has been said to have ended. */
    boolean isOver() {
        return over && waiting.isEmpty();
    }

    // ---------------------------------------------------------------- what is done

    private void take(Arrival arrival, Out out) {
        if (over) {
            forget();
        }
        long now = Math.max(clockNanos, arrival.atMillis() * NANOS);
        if (clockNanos == Long.MIN_VALUE) {
            voice.beginWatch(now);
            gaps.pass(now); // of a time in which there was nothing to listen to
            tickNanos = (now / options.tickNanos() + 1) * options.tickNanos();
            metricsNanos = (now / options.metricsNanos() + 1) * options.metricsNanos();
        }
        clockNanos = now;
        heardNanos = now;
        resume(now);
        Shipment shipment;
        try {
            shipment = Shipment.decode(arrival.bytes());
        } catch (WireException noShipment) {
            counts.lost("shipment-damaged", 1);
            return;
        }
        if (!hasRoom(feed.live().names()) && now >= fullUntilNanos) {
            makeRoom(now, out);
        }
        receiver.take(shipment, now, frame -> take(frame, now, out), counts::lost);
    }

    private void take(Frame frame, long now, Out out) {
        for (AgentRecord record : frame.records()) {
            contained(() -> feed.take(record, now, this::lostThere), out);
        }
    }

    /** Reasons of agents are theirs to name: they leave room for those that are told from here. */
    private void lostThere(String reason, long count) {
        boolean room = counts.losses().size() < MOST_REASONS_OF_AGENTS
                || counts.losses().containsKey(reason);
        counts.lost(room ? reason : "other", count);
    }

    /** The table of names is full: one of the names that are in use, if that is so much smaller that it is worth to begin anew. */
    private void makeRoom(long now, Out out) {
        NameTable full = feed.live().names();
        NameTable names = new NameTable();
        OneWayReceiver moved = receiver.moved(names, () -> hasRoom(names), now - LATELY_NANOS);
        if (names.size() > mostNames / 2 || names.chars() > mostNames / 2 * CHARS_PER_NAME) {
            fullUntilNanos = now + FULL_NANOS;
            return;
        }
        counts.lost("names-forgotten", full.size() - names.size());
        receiver = moved;
        beginAnew(names, now, out);
    }

    /** Begins anew with what ranks have said of themselves; what was open is said to have ended. */
    private void beginAnew(NameTable names, long now, Out out) {
        LiveJob before = feed.live();
        try {
            before.end(now).forEach(c -> voice.change(c, out));
        } catch (RuntimeException | StackOverflowError defect) {
            voice.beginWatch(now); // what was open is not followed any more
        }
        List<RankDeclaration> declared = List.copyOf(before.declarations());
        LiveJob begun = live(names);
        declared.forEach(d -> begun.declare(
                Renamed.of(d, id -> id < 0 ? id : names.id(before.names().name(id))), now));
        feed = new JobFeed(begun);
    }

    private void ticks(long until, long wallMillis, Out out) {
        while (!over && clockNanos != Long.MIN_VALUE && tickNanos <= until) {
            long now = tickNanos;
            tickNanos += options.tickNanos();
            clockNanos = Math.max(clockNanos, now);
            if (!gaps.in(now)) {
                resume(now);
                contained(() -> tick(now, out), out);
            }
            if (now >= metricsNanos) {
                metricsNanos += options.metricsNanos();
                voice.metrics(this, now, Math.max(0, wallMillis * NANOS - now), out);
            }
            if (clockNanos - heardNanos >= options.expiryNanos()) {
                feed.live().end(clockNanos).forEach(c -> voice.change(c, out));
                voice.over(now, out);
                over = true;
            }
        }
    }

    /** Of what comes now nothing is known. */
    private void forget() {
        NameTable names = new NameTable();
        feed = new JobFeed(live(names));
        receiver = new OneWayReceiver(job, names, () -> hasRoom(names));
        counts = new JobCounts();
        clockNanos = Long.MIN_VALUE;
        unheardMillis = Long.MIN_VALUE;
        fullUntilNanos = 0;
        over = false;
    }

    private void resume(long now) {
        if (gaps.pass(now)) {
            feed.live().resume(now);
        }
    }

    private void tick(long now, Out out) {
        LiveTick tick = feed.live().tick(now);
        for (JobStep step : tick.steps()) {
            voice.step(feed.live(), step, now, out);
        }
        tick.changes().forEach(c -> voice.change(c, out));
        feed.live().incidents().forEach(counts::price);
    }

    /** A defect that shows in one job ends the watch over that job only: it begins anew with what its ranks said of themselves, and counts it. */
    private void contained(Runnable work, Out out) {
        try {
            work.run();
        } catch (RuntimeException | StackOverflowError defect) {
            beginAnew(feed.live().names(), clockNanos, out);
            counts.lost("began-anew-after-defect", 1);
        }
    }

    // ---------------------------------------------------------------- over a restart

    /** Everything that decides what will be said later, what waits included. */
    byte[] snapshot() {
        return HostedJobCodec.write(this);
    }
}
