package dev.argus.hostflink;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.JobCounts;
import dev.argus.hostlocal.live.JobFeed;
import dev.argus.hostlocal.live.JobStep;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveTick;
import dev.argus.hostlocal.live.StepOverview;
import dev.argus.model.AgentRecord;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import dev.argus.transport.OneWayReceiver;
import dev.argus.wire.Frame;
import dev.argus.wire.Renamed;
import dev.argus.wire.Shipment;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One job, from records of a topic to what is said about it. Knows nothing of Flink, and has no clock: its time is that of the records.
 *
 * <p>Records wait until everything before them has come ({@link #advance}), and are judged in the order of {@link Arrival#ORDER}, with ticks between them. So the same records give the same, in
 * whatever order partitions were read, on however many machines, and however often some of it was done again after a failure.
 *
 * <p>A table of names that is full is made anew from the names of the sessions that were heard lately, and the diagnosis begins anew with it; where those alone are too many, frames that bring further ones are left
 * out, and the rest goes on. Both are counted and said.
 *
 * <p>Not thread-safe. State: that of {@link LiveJob}; a number and the names of each session; what waits.
 */
final class HostedJob {
    static final int VERSION = 2;

    /** A table of more names than this is no program's. */
    static final int MOST_NAMES = 1 << 19;

    private static final int MOST_REASONS_OF_AGENTS = 40;
    private static final long CHARS_PER_NAME = 256;
    private static final long NANOS = 1_000_000L;

    /** Sessions heard for so long before now keep their names when the table is made anew. */
    private static final long LATELY_NANOS = 300_000_000_000L;

    /** A table of names that are all in use is not looked through again before. */
    private static final long FULL_NANOS = 600_000_000_000L;

    /** Times of a state that are further apart are damage. */
    private static final long MOST_APART_NANOS = 86_400_000_000_000L;

    /** Takes what is said. */
    interface Out {
        void say(Said said);
    }

    private final String job;
    private final HostOptions options;
    private JobFeed feed;
    private OneWayReceiver receiver;
    private JobCounts counts = new JobCounts();
    private final PriorityQueue<Arrival> waiting = new PriorityQueue<>(Arrival.ORDER);
    /** Time of the newest record by partition: a broker's clock may be set back, but nothing overtakes. */
    private final TreeMap<Integer, Long> newest = new TreeMap<>();

    private final int mostNames;
    private final Gaps gaps = new Gaps();
    private long clockNanos = Long.MIN_VALUE;
    private long tickNanos = Long.MIN_VALUE;
    private long metricsNanos = Long.MIN_VALUE;
    private long heardNanos;
    private long number;
    /** When the watch began in which {@link #number} counts, 0 before: another one knows nothing of what was said before. */
    private long sinceNanos;

    private long fullUntilNanos;
    private long unheardMillis = Long.MIN_VALUE;
    private boolean over;

    /** A job that was not known before. */
    HostedJob(String job, HostOptions options) {
        this(job, options, MOST_NAMES);
    }

    /** @param mostNames names that its table may have, and 256 characters for each */
    HostedJob(String job, HostOptions options, int mostNames) {
        this.job = job;
        this.options = options;
        this.mostNames = mostNames;
        NameTable names = new NameTable();
        this.feed = new JobFeed(live(names));
        this.receiver = new OneWayReceiver(job, names, () -> hasRoom(names));
    }

    private boolean hasRoom(NameTable names) {
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
            beginWatch(now);
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
            before.end(now).forEach(c -> say(c, out));
        } catch (RuntimeException | StackOverflowError defect) {
            beginWatch(now); // what was open is not followed any more
        }
        List<RankDeclaration> declared = List.copyOf(before.declarations());
        LiveJob begun = live(names);
        declared.forEach(d -> begun.declare(
                Renamed.of(d, id -> id < 0 ? id : names.id(before.names().name(id))), now));
        feed = new JobFeed(begun);
    }

    private void beginWatch(long now) {
        sinceNanos = Math.max(now, sinceNanos + 1);
        number = 0;
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
                long lag = Math.max(0, wallMillis * NANOS - now);
                out.say(new Said(Said.METRICS, job, SaidJson.metrics(job, sinceNanos, feed.live(), counts, now, lag)));
            }
            if (clockNanos - heardNanos >= options.expiryNanos()) {
                feed.live().end(clockNanos).forEach(c -> say(c, out));
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
        LiveJob live = feed.live();
        LiveTick tick = live.tick(now);
        if (options.steps()) {
            for (JobStep step : tick.steps()) {
                out.say(new Said(Said.STEPS, job, SaidJson.step(job, live, now, StepOverview.of(step))));
            }
        }
        tick.changes().forEach(c -> say(c, out));
        live.incidents().forEach(counts::price);
    }

    private void say(IncidentChange change, Out out) {
        number++;
        out.say(new Said(Said.INCIDENTS, job, SaidJson.change(job, sinceNanos, number, change)));
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
        WireWriter to = new WireWriter();
        to.writeByte(VERSION)
                .writeSigned(clockNanos)
                .writeSigned(tickNanos)
                .writeSigned(metricsNanos)
                .writeSigned(heardNanos)
                .writeVarint(number)
                .writeSigned(sinceNanos)
                .writeSigned(fullUntilNanos)
                .writeByte(over ? 1 : 0);
        counts.write(to);
        to.writeBytes(feed.live().snapshot());
        receiver.encode(to);
        feed.encode(to);
        to.writeVarint(newest.size());
        newest.forEach((partition, at) -> to.writeVarint(partition).writeSigned(at));
        gaps.write(to);
        to.writeVarint(waiting.size());
        waiting.stream()
                .sorted(Arrival.ORDER)
                .forEach(a -> to.writeVarint(a.partition())
                        .writeVarint(a.offset())
                        .writeSigned(a.atMillis())
                        .writeBytes(a.bytes()));
        return to.writeChecksum(0).toByteArray();
    }

    /**
     * A job that goes on where it was written down.
     *
     * @throws WireException if the state is damaged, or of a version that this program does not know, or brings out a defect of reading it: then begin anew
     */
    static HostedJob restore(String job, HostOptions options, byte[] state) {
        try {
            return read(job, options, state);
        } catch (WireException known) {
            throw known;
        } catch (RuntimeException | StackOverflowError defect) {
            throw new WireException("state of a job that cannot be read: " + defect);
        }
    }

    private static HostedJob read(String job, HostOptions options, byte[] state) {
        WireReader from = WireReader.checked(state, "state of a job");
        int version = from.readByte();
        if (version < 1 || version > VERSION) {
            throw new WireException("state of a job of version " + version + ", expected 1 to " + VERSION);
        }
        HostedJob hosted = new HostedJob(job, options);
        hosted.clockNanos = from.readSigned();
        hosted.tickNanos = from.readSigned();
        hosted.metricsNanos = from.readSigned();
        hosted.heardNanos = from.readSigned();
        hosted.number = from.readVarint();
        hosted.sinceNanos = version == 1 ? 0 : from.readSigned(); // it did not know of watches: none is told
        hosted.fullUntilNanos = version == 1 ? 0 : from.readSigned();
        hosted.over = from.readByte() != 0;
        hosted.checkTimes();
        hosted.counts.read(from);
        LiveJob live = LiveJob.restore(from.readBytes(), Thresholds.DEFAULT, options.live(), Runnable::run, 1);
        NameTable names = live.names();
        hosted.feed = new JobFeed(live);
        hosted.receiver = OneWayReceiver.decode(job, names, () -> hosted.hasRoom(names), from);
        hosted.feed.decode(from);
        for (int n = from.readCount(2); n > 0; n--) {
            hosted.newest.put(from.readInt(), from.readSigned());
        }
        hosted.gaps.read(from);
        for (int n = from.readCount(4); n > 0; n--) {
            hosted.waiting.add(
                    new Arrival(job, from.readInt(), from.readVarint(), from.readSigned(), from.readBytes()));
        }
        from.expectEnd();
        return hosted;
    }

    /** Time goes on tick by tick from here: no damage may let it go on for years. */
    private void checkTimes() {
        boolean near = clockNanos == Long.MIN_VALUE
                || (clockNanos >= 0 && isNear(tickNanos, clockNanos) && isNear(metricsNanos, clockNanos));
        if (!near) {
            throw new WireException("state of a job at " + clockNanos + " with ticks at " + tickNanos
                    + " and metrics at " + metricsNanos);
        }
    }

    private static boolean isNear(long nanos, long clock) {
        return nanos >= clock - MOST_APART_NANOS && nanos - MOST_APART_NANOS <= clock;
    }

    /** As {@link #restore}, and where that cannot be a job that begins anew, counted: no job's state concerns another job. */
    static HostedJob restoredOrAnew(String job, HostOptions options, byte[] state, Consumer<String> problem) {
        try {
            return restore(job, options, state);
        } catch (WireException cannot) {
            problem.accept(String.valueOf(cannot.getMessage()));
            return anew(job, options);
        }
    }

    /** A job whose state could not be taken up: it is told of from number 1 on, in a watch of its own. */
    private static HostedJob anew(String job, HostOptions options) {
        HostedJob hosted = new HostedJob(job, options);
        hosted.counts.lost("state-unreadable", 1);
        return hosted;
    }
}
