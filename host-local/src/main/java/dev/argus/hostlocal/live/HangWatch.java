package dev.argus.hostlocal.live;

import dev.argus.digest.Phases;
import dev.argus.digest.StallWords;
import dev.argus.model.FlightRecord;
import dev.argus.model.IncidentKind;
import dev.argus.model.NameTable;
import dev.argus.model.Phase;
import dev.argus.model.RankState;
import dev.argus.model.StackRecord;
import dev.argus.stats.Robust;
import dev.argus.wire.StackRecordCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a job does not go on: no step has begun or ended and no collective been called or completed by any rank for {@value #USUAL_STEPS} usual steps, and
 * not for less than the least time. A job that writes a checkpoint, evaluates or compiles is given ten times as much, and so is a rank that works while others wait for it; while nobody waits in a
 * collective, a job of which a rank works does not stand still, however long. One that has
 * made no step yet is given ten minutes: it loads and compiles, and says nothing about it. A job whose processes have all ended does not stand still.
 *
 * <p>Time counts as far as ranks themselves have said, by their own clocks, that nothing goes on ({@link RankWords}): silence is no standstill, and an outage neither makes nor hides one. While some are heard and
 * others are not, what those said last counts, but not for ever: nobody waits for an evaluation of which nothing is heard; and where nobody who is heard waits in a collective, ten times as long is waited.
 *
 * <p>State: the newest words of each rank; the lengths of {@value #LENGTHS} steps.
 */
final class HangWatch {
    static final int USUAL_STEPS = 5;
    private static final int LENGTHS = 32;
    /** What a rank says of itself may be so old. */
    private static final long WORD_NANOS = 2_000_000_000L;

    private static final long PATIENCE = 10;
    private static final long BEGINNING_NANOS = 600_000_000_000L;

    private final NameTable names;
    private final long leastNanos;
    private final RankWords words = new RankWords();
    private final Map<Integer, FlightRecord> flights = new TreeMap<>();
    private final Map<Integer, StackRecord> stacks = new TreeMap<>();
    private final Deque<Long> lengths = new ArrayDeque<>();
    private final Shared<FlightRecord.Group> groups = new Shared<>();
    private long progressNanos;

    HangWatch(NameTable names, long leastNanos) {
        this.names = names;
        this.leastNanos = leastNanos;
    }

    /** A step of the job went on. */
    void step(JobStep step, long nowNanos) {
        long lengthNanos = step.lengthNanos();
        if (words.someEnded()) { // else nothing is looked at, as in nearly all steps
            words.step(step.ranks().stream().map(r -> r.digest().rank()).collect(Collectors.toSet()), rank -> {
                flights.remove(rank);
                stacks.remove(rank);
            });
        }
        lengths.addLast(lengthNanos);
        if (lengths.size() > LENGTHS) {
            lengths.removeFirst();
        }
        progressNanos = Math.max(progressNanos, nowNanos);
    }

    /** Steps are counted anew. */
    void countAnew() {
        words.countAnew();
    }

    void take(RankState state, long nowNanos) {
        if (words.take(state, nowNanos)) {
            progressNanos = Math.max(progressNanos, nowNanos);
        }
    }

    void take(FlightRecord flight, long nowNanos) {
        FlightRecord before = flights.get(flight.rank());
        flights.put(flight.rank(), shared(flight, before));
        if (before == null || !before.statuses().equals(flight.statuses())) {
            words.wentOn(flight.rank());
            progressNanos = Math.max(progressNanos, nowNanos);
        }
    }

    /** All members of a group list the same ranks, in every record. */
    private FlightRecord shared(FlightRecord f, @Nullable FlightRecord before) {
        List<FlightRecord.Group> same = before != null && before.groups().equals(f.groups())
                ? before.groups()
                : f.groups().stream().map(groups::of).toList();
        return new FlightRecord(
                f.attempt(), f.rank(), same, f.statuses(), f.calls(), f.entries(), f.firstNanos(), f.lastNanos());
    }

    void take(StackRecord record) {
        stacks.put(record.rank(), record);
    }

    /** True if nothing has gone on for too long, by whoever listens and by what ranks themselves say. */
    boolean stands(long nowNanos) {
        if (progressNanos <= 0 || nowNanos - progressNanos < leastNanos) {
            return false; // asked with every tick: nothing is looked at while the job goes on
        }
        long limit = limit();
        return nowNanos - progressNanos >= limit
                && words.quietNanos() >= limit - WORD_NANOS
                && words.states().stream().anyMatch(RankState::present)
                && !(words.states().stream().anyMatch(s -> works(s) && words.isFresh(s.rank())) && nobodyWaits());
    }

    /** No rank that is heard has called a collective that has not ended. */
    private boolean nobodyWaits() {
        return flights.values().stream().allMatch(f -> f.calls().isEmpty() || !words.isFresh(f.rank()));
    }

    /** Median length of the newest steps, 0 before the first. */
    double usualNanos() {
        return lengths.isEmpty()
                ? 0
                : Robust.median(lengths.stream().mapToDouble(Long::doubleValue).toArray());
    }

    private long limit() {
        if (lengths.isEmpty()) {
            return Math.max(BEGINNING_NANOS, leastNanos);
        }
        double usual = usualNanos();
        long limit = Math.max(leastNanos, (long) (USUAL_STEPS * usual));
        boolean unknown = words.someUnheard() && nobodyWaits(); // who is not heard may work, or wait
        return unknown || words.states().stream().anyMatch(this::aside) ? PATIENCE * limit : limit;
    }

    private boolean works(RankState s) {
        return s.doing() >= 0 && s.present() && names.name(s.doing()).equals(StallWords.WORKING);
    }

    private boolean aside(RankState s) {
        if (works(s)) {
            return true;
        }
        if (s.doing() < 0 || !s.present()) {
            return false;
        }
        String doing = names.name(s.doing());
        Phase phase = Phases.of(doing);
        return phase == Phase.CHECKPOINT
                || phase == Phase.EVALUATION
                || (StallWords.isStall(doing) && StallWords.of(doing) == IncidentKind.JIT_STALL);
    }

    /** True when the processes of all these ranks have ended. */
    boolean over(Collection<Integer> ranks) {
        return !ranks.isEmpty() && ranks.stream().allMatch(this::isGone);
    }

    /** True when the process of a rank has ended. */
    boolean isGone(int rank) {
        RankState s = words.of(rank);
        return s != null && !s.present();
    }

    /** True when it has said so itself. */
    boolean saidEnd(int rank) {
        RankState s = words.of(rank);
        return s != null && s.process() == RankState.ProcessState.ENDED;
    }

    /** True if a rank speaks of itself and has not since a time. */
    boolean isUnheard(int rank, long sinceNanos) {
        return words.isUnheard(rank, sinceNanos);
    }

    /** How processes that are over came to it: a producer that can says that its process ends, one that is killed cannot. */
    String howEnded(Collection<Integer> ranks) {
        long silent = ranks.stream().filter(r -> !saidEnd(r)).count();
        return silent == 0
                ? "its processes have said that they end"
                : silent + " of its " + ranks.size() + (ranks.size() == 1 ? " process " : " processes ")
                        + (silent == 1
                                ? "is gone without having said that it ends"
                                : "are gone without having said that they end");
    }

    /** What would have been heard until now was not: whether something went on is not known. */
    void heldBack(long nowNanos) {
        if (progressNanos > 0) {
            progressNanos = Math.max(progressNanos, nowNanos);
        }
    }

    /** The clock may have gone back while nobody listened: nothing went on later than now. */
    void resume(long nowNanos) {
        progressNanos = Math.min(progressNanos, nowNanos);
        words.resume(nowNanos);
    }

    /** When something last went on. */
    long progressNanos() {
        return progressNanos;
    }

    Collection<RankState> states() {
        return words.states();
    }

    Collection<FlightRecord> flights() {
        return flights.values();
    }

    Collection<StackRecord> stacks() {
        return stacks.values();
    }

    // ---------------------------------------------------------------- state

    void encode(SnapshotOut out) {
        WireWriter to = out.to();
        to.writeSigned(progressNanos).writeVarint(lengths.size());
        lengths.forEach(to::writeSigned);
        words.encode(out);
        FlightBook.encode(flights.values(), out);
        to.writeVarint(stacks.size());
        stacks.values().forEach(s -> {
            StackRecordCodec.encode(s, to);
            out.written();
        });
    }

    void decode(WireReader from) {
        progressNanos = from.readSigned();
        for (int n = from.readCount(1); n > 0; n--) {
            lengths.addLast(from.readSigned());
        }
        words.decode(from);
        for (FlightRecord f : FlightBook.decode(from)) {
            flights.put(f.rank(), shared(f, null));
        }
        for (int n = from.readCount(6); n > 0; n--) {
            StackRecord s = StackRecordCodec.decode(from);
            stacks.put(s.rank(), s);
        }
    }
}
