package dev.argus.digest.clocks;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The collectives of one group in the step being read, matched across its members: by sequence number where all state one, else by
 * their order, if all made as many. At most {@value #MOST_CALLS} of a rank and step are kept, the same on all ranks, and no more than about half of
 * that once the group's pace is known.
 */
final class CommonMoments {
    /** Calls kept of a rank and step. */
    private static final int MOST_CALLS = 32;

    private final Map<Integer, Calls> byRank = new TreeMap<>();
    private long stride = 1;

    /** One rank. */
    private static final class Calls {
        final List<CollectiveStat> kept = new ArrayList<>();
        final List<Long> numbers = new ArrayList<>();
        int count;
        boolean numbered = true;
    }

    /**
     * What all members did together.
     *
     * @param ranks who
     * @param ends when it ended for each, by its own clock
     */
    record Moment(List<Integer> ranks, List<Long> ends) {}

    private static final class Open {
        final CollectiveOp op;
        final long bytes;
        final Moment moment = new Moment(new ArrayList<>(), new ArrayList<>());
        boolean alike = true;

        Open(CollectiveStat c) {
            op = c.op();
            bytes = c.bytes();
        }
    }

    /** Takes a collective in which all wait for each other, in the order in which the rank made them. */
    void add(int rank, CollectiveStat c) {
        Calls calls = byRank.computeIfAbsent(rank, r -> new Calls());
        long number = c.sequence() >= 0 ? c.sequence() : calls.count;
        calls.numbered &= c.sequence() >= 0;
        calls.count++;
        if (number % stride == 0 && calls.kept.size() < MOST_CALLS) {
            calls.kept.add(c);
            calls.numbers.add(number);
        }
    }

    /** Ends the step: what at least two ranks did together. */
    List<Moment> close() {
        boolean numbered = byRank.values().stream().allMatch(c -> c.numbered);
        int most = byRank.values().stream().mapToInt(c -> c.count).max().orElse(0);
        boolean alike = byRank.values().stream().allMatch(c -> c.count == most);
        List<Moment> moments = new ArrayList<>();
        if (byRank.size() > 1 && (numbered || alike)) {
            Map<Long, Open> open = new TreeMap<>();
            byRank.forEach((rank, calls) -> match(rank, calls, open));
            for (Open o : open.values()) {
                if (o.alike && o.moment.ranks().size() > 1) {
                    moments.add(o.moment);
                }
            }
        }
        stride = Math.max(1, 2L * most / MOST_CALLS);
        byRank.clear();
        return moments;
    }

    private static void match(int rank, Calls calls, Map<Long, Open> open) {
        Map<Long, Integer> times = new HashMap<>();
        for (int i = 0; i < calls.kept.size(); i++) {
            CollectiveStat c = calls.kept.get(i);
            // A number may stand for several calls of one batch: the k-th meets the k-th.
            int again = times.merge(calls.numbers.get(i), 1, Integer::sum);
            Open o = open.computeIfAbsent(calls.numbers.get(i) * (MOST_CALLS + 1) + again, k -> new Open(c));
            o.alike &= o.op == c.op() && o.bytes == c.bytes();
            o.moment.ranks().add(rank);
            o.moment.ends().add(c.startNanos() + c.durationNanos());
        }
    }
}
