package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Matches the collectives of one group in one step, and splits their durations ({@link GroupWaits} says how). */
final class GroupMatching {
    /** Below this difference of durations nobody was late: it is how far apart the ends of one collective are. */
    private static final long SAME_ARRIVAL_NANOS = 20_000;

    /** Marks the number of a pair of ranks, apart from positions of groups. */
    private static final int PAIR = 0x4000_0000;

    private static final CollectiveOp[] OPS = CollectiveOp.values();

    private final JobShape shape;
    private final int attempt;
    private final int subject;
    private final long step;
    private final int[] ranks;
    private final List<List<CollectiveStat>> lists;

    /** Of each rank what is not between two ranks only. */
    private final List<List<CollectiveStat>> collectives;

    private final RankSet group;
    private final TransferSample.Spread spread;

    /** Stands for the payload where it is not stated: transfers of one dimension have the same, whatever it is. */
    private final long unknownPayload;

    private long lastBytes;
    private long lastClass;
    private final long[] suffered;
    private final long[] caused;
    private int instances;
    private int ambiguous;
    private WaitPairs.@Nullable Listener listener;

    GroupMatching(
            JobShape shape,
            int attempt,
            int subject,
            long step,
            IntMap<List<CollectiveStat>> byRank,
            RankSet group,
            TransferSample.Spread spread) {
        this.shape = shape;
        this.attempt = attempt;
        this.subject = subject;
        this.step = step;
        this.ranks = byRank.sortedKeys();
        this.lists = new ArrayList<>(ranks.length);
        this.collectives = new ArrayList<>(ranks.length);
        for (int rank : ranks) {
            List<CollectiveStat> list = byRank.getOrDefault(rank, List.of());
            lists.add(list);
            collectives.add(withoutPairs(list, group.size() == 2));
        }
        this.group = group;
        String dimension =
                subject < shape.groups().size() ? shape.groups().get(subject).dimension() : "";
        this.unknownPayload = -1L - (dimension.hashCode() & 0xFFFF);
        this.spread = spread;
        this.suffered = new long[ranks.length];
        this.caused = new long[ranks.length];
    }

    /** Also tells who waited for whom in each collective. */
    GroupMatching telling(WaitPairs.Listener to) {
        listener = to;
        return this;
    }

    /** @param two true in a group of two, where a kernel that sends or receives, it is not known which, can mean only one other rank */
    private static List<CollectiveStat> withoutPairs(List<CollectiveStat> list, boolean two) {
        int pairs = 0;
        for (CollectiveStat c : list) {
            pairs += isPair(c.op(), two) ? 1 : 0;
        }
        if (pairs == 0) {
            return list;
        }
        List<CollectiveStat> left = new ArrayList<>(list.size() - pairs);
        for (CollectiveStat c : list) {
            if (!isPair(c.op(), two)) {
                left.add(c);
            }
        }
        return left;
    }

    private static boolean isPair(CollectiveOp op, boolean two) {
        return op.isPointToPoint() && !(two && op == CollectiveOp.SEND_RECV);
    }

    void emit(Out out) {
        pairs(out);
        Map<Long, TransferSample> transfers = new TreeMap<>();
        if (inOrder()) {
            List<CollectiveStat> instance = new ArrayList<>(ranks.length);
            for (int i = 0; i < collectives.getFirst().size(); i++) {
                instance.clear();
                for (List<CollectiveStat> list : collectives) {
                    instance.add(list.get(i));
                }
                account(instance, transfers);
            }
        } else {
            for (List<CollectiveStat> instance : match()) {
                if (instance.isEmpty()) {
                    ambiguous++;
                } else {
                    account(instance, transfers);
                }
            }
        }
        if (ambiguous > 0) {
            out.loss("ambiguous-collective");
        }
        out.emit(new WaitPartial(attempt, subject, step, ranks, suffered, caused, instances, ambiguous));
        boolean complete = ranks.length == group.size();
        transfers.forEach((kind, sample) -> out.emit(
                sample.partial(spread, attempt, subject, group, step, OPS[(int) (kind & 0xF)], kind >> 4, complete)));
    }

    /** True if all members made the same collectives in the same order, numbered upwards: the usual case, which needs no search. */
    private boolean inOrder() {
        List<CollectiveStat> first = collectives.getFirst();
        for (List<CollectiveStat> list : collectives) {
            if (list.size() != first.size()) {
                return false;
            }
        }
        for (int i = 0; i < first.size(); i++) {
            CollectiveStat c = first.get(i);
            if (c.sequence() < 0 || (i > 0 && c.sequence() <= first.get(i - 1).sequence())) {
                return false;
            }
            for (List<CollectiveStat> list : collectives) {
                CollectiveStat o = list.get(i);
                if (o.sequence() != c.sequence() || o.op() != c.op()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The k-th send of a rank to another and the k-th receive there are one transfer; it lasts the shorter of both. */
    private void pairs(Out out) {
        for (int i = 0; i < ranks.length; i++) {
            for (int peer : peers(lists.get(i))) {
                int j = Arrays.binarySearch(ranks, peer);
                if (j >= 0) {
                    pair(i, j, out);
                }
            }
        }
    }

    /** The ranks to which something was sent, ascending. */
    private static int[] peers(List<CollectiveStat> list) {
        int[] found = new int[4];
        int n = 0;
        for (CollectiveStat c : list) {
            if (c.op() == CollectiveOp.SEND && c.peer() >= 0) {
                int at = 0;
                while (at < n && found[at] != c.peer()) {
                    at++;
                }
                if (at == n) {
                    found = n == found.length ? Arrays.copyOf(found, 2 * n) : found;
                    found[n++] = c.peer();
                }
            }
        }
        int[] result = Arrays.copyOf(found, n);
        Arrays.sort(result);
        return result;
    }

    private void pair(int i, int j, Out out) {
        List<CollectiveStat> received = lists.get(j);
        Map<Long, TransferSample> sizes = new TreeMap<>();
        int at = 0;
        for (CollectiveStat send : lists.get(i)) {
            if (send.op() == CollectiveOp.SEND && send.peer() == ranks[j]) {
                at = next(received, at, ranks[i]);
                if (at == received.size()) {
                    return; // more sends than receives
                }
                CollectiveStat receive = received.get(at++);
                long shorter = Math.min(send.durationNanos(), receive.durationNanos());
                long exposed = Math.max(send.exposedNanos(), receive.exposedNanos());
                long of = sizeClass(send.bytes());
                sizes.computeIfAbsent(of, k -> new TransferSample()).add(shorter, send.bytes(), of, exposed);
            }
        }
        if (next(received, at, ranks[i]) < received.size()) {
            return; // more receives than sends
        }
        RankSet both = RankSet.of(ranks[i], ranks[j]);
        boolean across = !shape.hostOf(ranks[i]).equals(shape.hostOf(ranks[j]));
        TransferSample.Spread lie =
                across ? new TransferSample.Spread(2, 1) : new TransferSample.Spread(1, both.size());
        sizes.forEach((bytes, sample) -> out.emit(
                sample.partial(lie, attempt, number(ranks[i], ranks[j]), both, step, CollectiveOp.SEND, bytes, true)));
    }

    /** Mostly that of the collective before. */
    private long sizeClass(long bytes) {
        if (bytes <= 0) {
            return unknownPayload;
        }
        if (bytes != lastBytes) {
            lastBytes = bytes;
            lastClass = TransferSample.sizeClass(bytes);
        }
        return lastClass;
    }

    /** A number for a direction between two ranks, 30 bits: up to 32,768 ranks all differ, beyond hardly ever two are alike. */
    private static int number(int from, int to) {
        long mixed = from < 1 << 15 && to < 1 << 15
                ? (long) from << 15 | to
                : (from * 0x9E3779B97F4A7C15L + to * 0xC2B2AE3D27D4EB4FL) >>> 34;
        return PAIR | (int) mixed;
    }

    /** The place of the next receive from a rank; the size of the list when there is none. */
    private static int next(List<CollectiveStat> list, int from, int sender) {
        int at = from;
        while (at < list.size()
                && (list.get(at).op() != CollectiveOp.RECV || list.get(at).peer() != sender)) {
            at++;
        }
        return at;
    }

    /** One list a collective, members in the order of {@code ranks}; empty where the members disagree. */
    private List<List<CollectiveStat>> match() {
        List<List<CollectiveStat>> instances = new ArrayList<>();
        if (collectives.stream().allMatch(l -> l.stream().allMatch(c -> c.sequence() >= 0))) {
            Map<String, List<CollectiveStat>> bySequence = new TreeMap<>();
            for (List<CollectiveStat> list : collectives) {
                for (CollectiveStat c : list) {
                    bySequence
                            .computeIfAbsent(c.sequence() + "/" + c.op(), s -> new ArrayList<>())
                            .add(c);
                }
            }
            bySequence.values().forEach(l -> instances.add(l.size() == ranks.length ? l : List.of()));
            return instances;
        }
        int common = collectives.stream().mapToInt(List::size).min().orElse(0);
        int most = collectives.stream().mapToInt(List::size).max().orElse(0);
        for (int i = 0; i < common; i++) {
            List<CollectiveStat> instance = new ArrayList<>();
            for (List<CollectiveStat> list : collectives) {
                instance.add(list.get(i));
            }
            instances.add(common == most || alike(instance) ? instance : List.of());
        }
        for (int i = common; i < most; i++) {
            instances.add(List.of());
        }
        return instances;
    }

    private static boolean alike(List<CollectiveStat> instance) {
        CollectiveStat first = instance.getFirst();
        for (CollectiveStat c : instance) {
            if (c.op() != first.op() || c.bytes() != first.bytes()) {
                return false;
            }
        }
        return true;
    }

    private void account(List<CollectiveStat> instance, Map<Long, TransferSample> transfers) {
        CollectiveStat first = instance.getFirst();
        boolean meeting = first.op() == CollectiveOp.SEND_RECV && ranks.length == 2 && group.size() == 2;
        if (first.op() == CollectiveOp.ALL_TO_ALL_V) {
            exchange(instance, transfers);
            return;
        }
        if (!first.op().isBarrier() && !meeting) {
            return;
        }
        if (!alike(instance)) {
            ambiguous++;
            return;
        }
        instances++;
        long shortest = Long.MAX_VALUE;
        long second = Long.MAX_VALUE;
        int last = -1;
        for (int i = 0; i < ranks.length; i++) {
            long d = instance.get(i).durationNanos();
            if (d < shortest) {
                second = shortest;
                shortest = d;
                last = i;
            } else {
                second = Math.min(second, d);
            }
        }
        long waited = 0;
        long exposed = 0;
        for (int i = 0; i < ranks.length; i++) {
            CollectiveStat c = instance.get(i);
            long wait = Math.min(c.durationNanos() - shortest, c.exposedNanos());
            exposed = Math.max(exposed, c.exposedNanos());
            suffered[i] += wait;
            waited += wait;
        }
        if (second - shortest > SAME_ARRIVAL_NANOS) {
            caused[last] += waited;
        }
        if (listener != null) {
            tell(listener, instance, shortest, second - shortest > SAME_ARRIVAL_NANOS ? ranks[last] : WaitPairs.NOBODY);
        }
        long of = sizeClass(first.bytes());
        transfers
                .computeIfAbsent(of << 4 | first.op().ordinal(), k -> new TransferSample())
                .add(shortest, first.bytes(), of, exposed);
    }

    private void tell(WaitPairs.Listener to, List<CollectiveStat> instance, long shortest, int late) {
        for (int i = 0; i < ranks.length; i++) {
            CollectiveStat c = instance.get(i);
            long wait = Math.min(c.durationNanos() - shortest, c.exposedNanos());
            if (wait > 0) {
                to.waited(late, ranks[i], wait);
            }
        }
    }

    /**
     * Of an uneven exchange it is not known who was waited for, but nobody is done before all have sent to it: the shortest duration
     * is a transfer, and the largest payload is what it is long for.
     */
    private void exchange(List<CollectiveStat> instance, Map<Long, TransferSample> transfers) {
        long shortest = Long.MAX_VALUE;
        long bytes = 0;
        long exposed = 0;
        for (CollectiveStat c : instance) {
            if (c.op() != CollectiveOp.ALL_TO_ALL_V || c.bytes() <= 0) {
                return;
            }
            shortest = Math.min(shortest, c.durationNanos());
            bytes = Math.max(bytes, c.bytes());
            exposed = Math.max(exposed, c.exposedNanos());
        }
        long of = TransferSample.octave(bytes);
        transfers
                .computeIfAbsent(of << 4 | CollectiveOp.ALL_TO_ALL_V.ordinal(), k -> new TransferSample())
                .add(shortest, bytes, of, exposed);
    }
}
