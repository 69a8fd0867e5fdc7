package dev.argus.hostlocal.live;

import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds steps back until all ranks have reported them, so that detectors see whole steps in their order.
 *
 * <p>A step goes on without the ranks that let it wait longer than the lateness; they are silent from then on, and nothing waits for
 * them until they report again. After a while in which nobody listened, ranks that were not silent before have {@value #RETURN_NANOS} ns to be heard again, for whoever sends to them waits between tries.
 *
 * <p>Who has much to tell, as after an outage, tells it rank by rank, and not all at the same pace: {@link #welcome} says how far ahead of the oldest step that waits others may be, so that what is held stays
 * bounded and nobody becomes late by the haste of others. State: at most {@value #MOST_OPEN} steps, and of these no more than {@value #MOST_HELD} steps of ranks (some 2 KB each; kernels
 * count for more) unless it is one step; two numbers a rank. Cost: O(log ranks) a step of a rank, O(ranks) a step that goes on.
 */
final class StepBarrier {
    /** More steps than this are not held back, however early. */
    static final int MOST_OPEN = 4096;

    /** Nor more steps of ranks. */
    static final int MOST_HELD = 1 << 17;

    /** Longest pause of an agent between two tries, and some time for its way. */
    static final long RETURN_NANOS = 75_000_000_000L;

    /** So many steps ahead of the oldest one that waits are always welcome. */
    private static final int LEAST_AHEAD = 2;

    /** So many kernels take as much memory as the rest of a step. */
    private static final int KERNELS_A_UNIT = 20;

    private static final class Open {
        long firstNanos;
        final Map<Integer, RankStep> byRank = new TreeMap<>();
        int held;

        Open(long firstNanos) {
            this.firstNanos = firstNanos;
        }

        void put(RankStep step) {
            byRank.put(step.digest().rank(), step);
            held += weight(step);
        }

        private static int weight(RankStep step) {
            return 1 + (step.kernels() == null ? 0 : step.kernels().kernels().size() / KERNELS_A_UNIT);
        }
    }

    /** The newest step of a rank: its number, and when it began by the clock of its host. */
    private record Newest(long step, long startNanos) {}

    private final long latenessNanos;
    private final TreeMap<Long, Open> open = new TreeMap<>();
    private final Set<Integer> expected = new HashSet<>();
    private final Set<Integer> silent = new TreeSet<>();
    private final Map<Integer, Newest> newest = new HashMap<>();
    /** Ranks not heard since nobody listened, and how long they are waited for. */
    private final Set<Integer> awaited = new TreeSet<>();

    private long awaitedUntilNanos;
    private List<RankStep> lateSteps = new ArrayList<>();
    private long passed = Long.MIN_VALUE;

    /** Highest step of any rank. */
    private long highest = Long.MIN_VALUE;

    private BitSet heard = new BitSet();
    private long held;
    private long late;
    private long twice;

    StepBarrier(long latenessNanos) {
        this.latenessNanos = latenessNanos;
    }

    /** A barrier for steps that are counted anew; what came too late for this one is still to be told, and counted. */
    StepBarrier anew() {
        StepBarrier next = new StepBarrier(latenessNanos);
        next.lateSteps = lateSteps;
        next.late = late;
        next.twice = twice;
        return next;
    }

    /** Steps wait for this rank from now on. */
    void expect(int rank) {
        expected.add(rank);
    }

    /**
     * True if the rank has reported a higher step before that began earlier: it counts anew, as with every epoch, or from a checkpoint. A step that comes again or out of order
     * began before the newest one did.
     */
    boolean beginsAnew(RankStep step) {
        Newest before = newest.get(step.digest().rank());
        return before != null
                && step.digest().step() < before.step()
                && step.digest().startNanos() > before.startNanos();
    }

    /** Newest step of a rank, {@link Long#MIN_VALUE} before its first. */
    long newest(int rank) {
        Newest known = newest.get(rank);
        return known == null ? Long.MIN_VALUE : known.step();
    }

    /** Takes a step of a rank at a time. */
    void add(RankStep step, long nowNanos) {
        int rank = step.digest().rank();
        long number = step.digest().step();
        Newest before = newest.get(rank);
        if (before == null || number > before.step()) {
            newest.put(rank, new Newest(number, step.digest().startNanos()));
            highest = Math.max(highest, number);
        }
        awaited.remove(rank);
        if (number <= passed) {
            late++;
            if (lateSteps.size() < MOST_HELD && (before == null || number > before.step())) {
                lateSteps.add(step);
            }
            return;
        }
        expected.add(rank);
        silent.remove(rank);
        Open of = open.computeIfAbsent(number, n -> new Open(nowNanos));
        if (of.byRank.containsKey(rank)) {
            twice++;
            return;
        }
        held -= of.held;
        of.put(step);
        held += of.held;
    }

    /** Takes out the steps of ranks that came after theirs had gone on, since this was last asked. */
    List<RankStep> takeLate() {
        List<RankStep> taken = lateSteps;
        lateSteps = new ArrayList<>();
        return taken;
    }

    /**
     * The last step that ranks should report now: those after it are to come again when others are less far behind. {@link Long#MAX_VALUE} while no step waits; at least the oldest one that waits, so whoever is
     * waited for is welcome. Depends on what was added only, so that nothing can wait for itself: a step waits no longer than the lateness.
     */
    long welcome() {
        if (open.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return open.firstKey() + Math.min(ahead(), Long.MAX_VALUE - open.firstKey());
    }

    /** Ranks of which a step is known since steps were last counted anew: {@link #welcome} is about them. Not to be changed; another set when it has become another. */
    BitSet heard() {
        if (heard.cardinality() != newest.size()) {
            BitSet now = new BitSet();
            newest.keySet().forEach(now::set);
            heard = now;
        }
        return heard;
    }

    private long ahead() {
        return Math.max(LEAST_AHEAD, MOST_HELD / 2 / Math.max(1, expected.size()));
    }

    /** Steps of a rank come in their order: one that is so far ahead of a step has left it out, and it need not be waited for. */
    private boolean leftOut(int rank, long step) {
        Newest known = newest.get(rank);
        return known != null && known.step() - ahead() > step;
    }

    /** The steps that go on at a time, in their order. */
    List<JobStep> ready(int attempt, long nowNanos) {
        if (nowNanos >= awaitedUntilNanos) {
            awaited.clear();
        }
        List<JobStep> ready = new ArrayList<>();
        while (!open.isEmpty()) {
            Map.Entry<Long, Open> first = open.firstEntry();
            Open of = first.getValue();
            boolean waited = (nowNanos - of.firstNanos >= latenessNanos && awaited.isEmpty())
                    || open.size() > MOST_OPEN
                    || (held > MOST_HELD && open.size() > 1);
            if (!waited && !complete(first.getKey(), of)) {
                break;
            }
            for (int rank : expected) {
                if (!of.byRank.containsKey(rank) && !leftOut(rank, first.getKey())) {
                    silent.add(rank);
                }
            }
            open.pollFirstEntry();
            held -= of.held;
            passed = first.getKey();
            ready.add(new JobStep(attempt, first.getKey(), List.copyOf(of.byRank.values())));
        }
        return ready;
    }

    private boolean complete(long step, Open of) {
        int wanted = expected.size() - silent.size();
        int beside = 0;
        if (of.byRank.size() >= wanted) {
            for (int rank : silent) {
                beside += of.byRank.containsKey(rank) ? 1 : 0;
            }
        }
        return of.byRank.size() - beside >= wanted
                || (highest - ahead() > step
                        && expected.stream()
                                .allMatch(r -> silent.contains(r) || of.byRank.containsKey(r) || leftOut(r, step)));
    }

    /** Nobody could be heard for so long: steps that wait have not waited meanwhile. */
    void unheard(long nanos) {
        open.values().forEach(of -> of.firstNanos += nanos);
        awaitedUntilNanos += nanos;
    }

    /** Steps that wait have waited since now: nobody listened before. */
    void resume(long nowNanos) {
        open.values().forEach(of -> of.firstNanos = nowNanos);
        awaited.addAll(expected);
        awaited.removeAll(silent);
        awaitedUntilNanos = nowNanos + RETURN_NANOS;
    }

    /** Ranks that steps do not wait for any more. */
    Collection<Integer> silent() {
        return List.copyOf(silent);
    }

    /** Steps that came after theirs had gone on. */
    long late() {
        return late;
    }

    /** Steps that a rank reported again. */
    long twice() {
        return twice;
    }

    // ---------------------------------------------------------------- state

    void encode(SnapshotOut out) {
        WireWriter to = out.to();
        to.writeSigned(passed).writeVarint(late).writeVarint(twice);
        Codecs.ints(expected, to);
        Codecs.ints(silent, to);
        Codecs.ints(awaited, to);
        to.writeSigned(awaitedUntilNanos);
        Codecs.rankSteps(lateSteps, out);
        to.writeVarint(newest.size());
        new TreeMap<>(newest)
                .forEach((rank, n) -> to.writeVarint(rank).writeSigned(n.step()).writeSigned(n.startNanos()));
        to.writeVarint(open.size());
        open.forEach((step, of) -> {
            to.writeSigned(step).writeSigned(of.firstNanos);
            Codecs.rankSteps(of.byRank.values(), out);
        });
    }

    static StepBarrier decode(long latenessNanos, WireReader from) {
        StepBarrier b = new StepBarrier(latenessNanos);
        b.passed = from.readSigned();
        b.late = from.readVarint();
        b.twice = from.readVarint();
        b.expected.addAll(Codecs.ints(from));
        b.silent.addAll(Codecs.ints(from));
        b.awaited.addAll(Codecs.ints(from));
        b.awaitedUntilNanos = from.readSigned();
        for (int n = from.readCount(2); n > 0; n--) {
            b.lateSteps.add(Codecs.rankStep(from));
        }
        for (int n = from.readCount(3); n > 0; n--) {
            int rank = from.readInt();
            Newest known = new Newest(from.readSigned(), from.readSigned());
            b.newest.put(rank, known);
            b.highest = Math.max(b.highest, known.step());
        }
        for (int n = from.readCount(3); n > 0; n--) {
            long step = from.readSigned();
            Open of = new Open(from.readSigned());
            for (int m = from.readCount(2); m > 0; m--) {
                of.put(Codecs.rankStep(from));
            }
            b.held += of.held;
            b.open.put(step, of);
        }
        return b;
    }
}
