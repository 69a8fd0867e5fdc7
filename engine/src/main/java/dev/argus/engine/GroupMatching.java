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
    private final boolean acrossHosts;
    private final long[] suffered;
    private final long[] caused;
    private int instances;
    private int ambiguous;

    GroupMatching(
            JobShape shape,
            int attempt,
            int subject,
            long step,
            IntMap<List<CollectiveStat>> byRank,
            RankSet group,
            boolean acrossHosts) {
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
            collectives.add(withoutPairs(list));
        }
        this.group = group;
        this.acrossHosts = acrossHosts;
        this.suffered = new long[ranks.length];
        this.caused = new long[ranks.length];
    }

    private static List<CollectiveStat> withoutPairs(List<CollectiveStat> list) {
        int pairs = 0;
        for (CollectiveStat c : list) {
            pairs += c.op().isPointToPoint() ? 1 : 0;
        }
        if (pairs == 0) {
            return list;
        }
        List<CollectiveStat> left = new ArrayList<>(list.size() - pairs);
        for (CollectiveStat c : list) {
            if (!c.op().isPointToPoint()) {
                left.add(c);
            }
        }
        return left;
    }

    void emit(Out out) {
        pairs(out);
        Map<Long, long[]> transfers = new TreeMap<>();
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
        transfers.forEach((kind, sum) -> out.emit(new TransferPartial(
                attempt,
                subject,
                group,
                step,
                OPS[(int) (kind & 0xF)],
                kind >> 4,
                ranks.length == group.size(),
                acrossHosts,
                (int) sum[0],
                (double) sum[1] / sum[0])));
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
        double sum = 0;
        long bytes = 0;
        int sends = 0;
        int at = 0;
        for (CollectiveStat send : lists.get(i)) {
            if (send.op() == CollectiveOp.SEND && send.peer() == ranks[j]) {
                at = next(received, at, ranks[i]);
                if (at == received.size()) {
                    return; // more sends than receives
                }
                bytes = sends == 0 ? send.bytes() : bytes;
                sum += Math.min(send.durationNanos(), received.get(at++).durationNanos());
                sends++;
            }
        }
        if (next(received, at, ranks[i]) < received.size()) {
            return; // more receives than sends
        }
        out.emit(new TransferPartial(
                attempt,
                PAIR | ranks[i] << 1 | (ranks[j] > ranks[i] ? 1 : 0),
                RankSet.of(ranks[i], ranks[j]),
                step,
                CollectiveOp.SEND,
                bytes,
                true,
                !shape.hostOf(ranks[i]).equals(shape.hostOf(ranks[j])),
                sends,
                sum / sends));
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

    private void account(List<CollectiveStat> instance, Map<Long, long[]> transfers) {
        CollectiveStat first = instance.getFirst();
        if (!first.op().isBarrier()) {
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
        for (int i = 0; i < ranks.length; i++) {
            CollectiveStat c = instance.get(i);
            long wait = Math.min(c.durationNanos() - shortest, c.exposedNanos());
            suffered[i] += wait;
            waited += wait;
        }
        if (second - shortest > SAME_ARRIVAL_NANOS) {
            caused[last] += waited;
        }
        long[] sum = transfers.computeIfAbsent(
                Math.max(0, first.bytes()) << 4 | first.op().ordinal(), k -> new long[2]);
        sum[0]++;
        sum[1] += shortest;
    }
}
