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
import dev.argus.wire.Shipment;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * One job, from records of a topic to what is said about it. Knows nothing of Flink, and has no clock: its time is that of the records.
 *
 * <p>Records wait until everything before them has come ({@link #advance}), and are judged in the order of {@link Arrival#ORDER}, with ticks between them. So the same records give the same, in
 * whatever order partitions were read, on however many machines, and however often some of it was done again after a failure.
 *
 * <p>Not thread-safe. State: that of {@link LiveJob}; a number and the names of each session; what waits.
 */
final class HostedJob {
    static final int VERSION = 1;

    /** A table of more names than this is no program's: nothing more is taken. */
    private static final int MOST_NAMES = 1 << 19;

    private static final long MOST_NAME_CHARS = 128L << 20;
    private static final long NANOS = 1_000_000L;
    private static final int MOST_GAPS = 1024;

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

    private final List<Gap> gaps = new ArrayList<>();
    private long clockNanos = Long.MIN_VALUE;
    private long tickNanos = Long.MIN_VALUE;
    private long metricsNanos = Long.MIN_VALUE;
    private long heardNanos;
    private long number;
    private boolean over;

    /** A job that was not known before. */
    HostedJob(String job, HostOptions options) {
        this.job = job;
        this.options = options;
        this.feed = new JobFeed(live(new NameTable()));
        this.receiver = new OneWayReceiver(job, feed.live().names());
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
        boolean known =
                gaps.stream().anyMatch(g -> g.fromMillis() <= gap.fromMillis() && g.untilMillis() >= gap.untilMillis());
        if (!known && gaps.size() < MOST_GAPS) {
            gaps.add(gap);
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
            take(next);
        }
        if (untilMillis != Long.MAX_VALUE) {
            ticks(untilMillis * NANOS, wallMillis, out);
        }
    }

    /** True if nothing was heard for so long that it was forgotten, and nothing waits: what was open about it has been said to have ended. */
    boolean isOver() {
        return over && waiting.isEmpty();
    }

    // ---------------------------------------------------------------- what is done

    private void take(Arrival arrival) {
        if (over) {
            forget();
        }
        long now = Math.max(clockNanos, arrival.atMillis() * NANOS);
        if (clockNanos == Long.MIN_VALUE) {
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
        NameTable names = feed.live().names();
        if (names.size() > MOST_NAMES || names.chars() > MOST_NAME_CHARS) {
            counts.lost("names-too-many", Math.max(1, shipment.frames().size()));
            return;
        }
        receiver.take(shipment, now, frame -> take(frame, now), counts::lost);
    }

    private void take(Frame frame, long now) {
        for (AgentRecord record : frame.records()) {
            contained(() -> feed.take(record, now, counts::lost));
        }
    }

    private void ticks(long until, long wallMillis, Out out) {
        while (!over && clockNanos != Long.MIN_VALUE && tickNanos <= until) {
            long now = tickNanos;
            tickNanos += options.tickNanos();
            clockNanos = Math.max(clockNanos, now);
            if (!inGap(now)) {
                resume(now);
                contained(() -> tick(now, out));
            }
            if (now >= metricsNanos) {
                metricsNanos += options.metricsNanos();
                long lag = Math.max(0, wallMillis * NANOS - now);
                out.say(new Said(Said.METRICS, job, SaidJson.metrics(job, feed.live(), counts, now, lag)));
            }
            if (clockNanos - heardNanos >= options.expiryNanos()) {
                feed.live().end(clockNanos).forEach(c -> say(c, out));
                over = true;
            }
        }
    }

    /** Of what comes now nothing is known. */
    private void forget() {
        feed = new JobFeed(live(new NameTable()));
        receiver = new OneWayReceiver(job, feed.live().names());
        counts = new JobCounts();
        gaps.clear();
        clockNanos = Long.MIN_VALUE;
        number = 0;
        over = false;
    }

    private boolean inGap(long now) {
        for (Gap g : gaps) {
            if (now > g.fromMillis() * NANOS && now < g.untilMillis() * NANOS) {
                return true;
            }
        }
        return false;
    }

    private void resume(long now) {
        boolean passed = gaps.removeIf(g -> g.untilMillis() * NANOS <= now);
        if (passed) {
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
        out.say(new Said(Said.INCIDENTS, job, SaidJson.change(job, number, change)));
    }

    /** A defect that shows in one job ends the watch over that job only: it begins anew with what its ranks said of themselves, and counts it. */
    private void contained(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | StackOverflowError defect) {
            List<RankDeclaration> declared = List.copyOf(feed.live().declarations());
            LiveJob begun = live(feed.live().names());
            declared.forEach(d -> begun.declare(d, clockNanos));
            feed = new JobFeed(begun);
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
                .writeByte(over ? 1 : 0);
        counts.write(to);
        to.writeBytes(feed.live().snapshot());
        receiver.encode(to);
        feed.encode(to);
        to.writeVarint(newest.size());
        newest.forEach((partition, at) -> to.writeVarint(partition).writeSigned(at));
        to.writeVarint(gaps.size());
        gaps.forEach(g -> to.writeSigned(g.fromMillis()).writeSigned(g.untilMillis()));
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
     * @throws WireException if the state is damaged, or of a version that this program does not know: then begin anew
     */
    static HostedJob restore(String job, HostOptions options, byte[] state) {
        WireReader from = WireReader.checked(state, "state of a job");
        int version = from.readByte();
        if (version != VERSION) {
            throw new WireException("state of a job of version " + version + ", expected " + VERSION);
        }
        HostedJob hosted = new HostedJob(job, options);
        hosted.clockNanos = from.readSigned();
        hosted.tickNanos = from.readSigned();
        hosted.metricsNanos = from.readSigned();
        hosted.heardNanos = from.readSigned();
        hosted.number = from.readVarint();
        hosted.over = from.readByte() != 0;
        hosted.counts.read(from);
        LiveJob live = LiveJob.restore(from.readBytes(), Thresholds.DEFAULT, options.live(), Runnable::run, 1);
        hosted.feed = new JobFeed(live);
        hosted.receiver = OneWayReceiver.decode(job, live.names(), from);
        hosted.feed.decode(from);
        for (int n = from.readCount(2); n > 0; n--) {
            hosted.newest.put(from.readInt(), from.readSigned());
        }
        for (int n = from.readCount(2); n > 0; n--) {
            hosted.gaps.add(new Gap(from.readSigned(), from.readSigned()));
        }
        for (int n = from.readCount(4); n > 0; n--) {
            hosted.waiting.add(
                    new Arrival(job, from.readInt(), from.readVarint(), from.readSigned(), from.readBytes()));
        }
        from.expectEnd();
        return hosted;
    }

    /** A job whose state could not be taken up: it is told of from number 1 on. */
    static HostedJob anew(String job, HostOptions options) {
        HostedJob hosted = new HostedJob(job, options);
        hosted.counts.lost("state-unreadable", 1);
        return hosted;
    }
}
