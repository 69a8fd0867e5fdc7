package dev.argus.digest.clocks;

import dev.argus.model.CollectiveStat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The collectives of one group in the step being read, matched across its members: by sequence number where all state one, else by
 * their order, if all made as many. At most {@value #MOST_CALLS} of a rank and step are kept, the same on all ranks, and about half of that once
 * the group's pace is known.
 */
final class CommonMoments {
    /** Calls kept of a rank and step. */
    private static final int MOST_CALLS = 32;

    /** Stands for the end of a member whose record lacks the call. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final Map<Integer, Calls> byRank = new TreeMap<>();
    private long stride = 1;

    /** One rank. */
    private static final class Calls {
        long[] numbers = new long[4];
        long[] kinds = new long[4];
        long[] ends = new long[4];
        int kept;
        int again;
        int count;
        boolean numbered = true;

        void add(long number, CollectiveStat c) {
            if (kept == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * kept);
                kinds = Arrays.copyOf(kinds, 2 * kept);
                ends = Arrays.copyOf(ends, 2 * kept);
            }
            // A number may stand for several calls of one batch: the k-th meets the k-th.
            long key = number * (MOST_CALLS + 1);
            again = kept > 0 && numbers[kept - 1] - again == key ? again + 1 : 0;
            numbers[kept] = key + again;
            kinds[kept] = 31 * c.bytes() + c.op().ordinal();
            ends[kept++] = c.startNanos() + c.durationNanos();
        }

        /** The place of a number, sought first where it is expected; -1 when there is none. */
        int find(long number, int expected) {
            if (expected < kept && numbers[expected] == number) {
                return expected;
            }
            for (int i = 0; i < kept; i++) {
                if (numbers[i] == number) {
                    return i;
                }
            }
            return -1;
        }
    }

    /** Takes a collective in which all wait for each other, in the order in which the rank made them. */
    void add(int rank, CollectiveStat c) {
        Calls calls = byRank.computeIfAbsent(rank, r -> new Calls());
        long number = c.sequence() >= 0 ? c.sequence() : calls.count;
        calls.numbered &= c.sequence() >= 0;
        calls.count++;
        if (number % stride == 0 && calls.kept < MOST_CALLS) {
            calls.add(number, c);
        }
    }

    /** The ranks that were taken in this step, ascending. */
    int[] ranks() {
        return byRank.keySet().stream().mapToInt(r -> r).toArray();
    }

    /** Ends the step: for each collective when it ended for each of {@link #ranks}, by its own clock; or {@link #UNKNOWN}. */
    List<long[]> close() {
        Calls[] all = byRank.values().toArray(Calls[]::new);
        boolean numbered = true;
        int most = 0;
        int longest = 0;
        for (int r = 0; r < all.length; r++) {
            numbered &= all[r].numbered;
            most = Math.max(most, all[r].count);
            longest = all[r].kept > all[longest].kept ? r : longest;
        }
        boolean alike = true;
        for (Calls c : all) {
            alike &= c.count == most;
        }
        List<long[]> moments = new ArrayList<>();
        for (int i = 0; all.length > 1 && (numbered || alike) && i < all[longest].kept; i++) {
            long[] ends = match(all, all[longest].numbers[i], i, all[longest].kinds[i]);
            if (ends.length > 0) {
                moments.add(ends);
            }
        }
        stride = Math.max(1, 2L * most / MOST_CALLS);
        byRank.clear();
        return moments;
    }

    /** Nothing where the members disagree about what it is. */
    private static long[] match(Calls[] all, long number, int expected, long kind) {
        long[] ends = new long[all.length];
        for (int r = 0; r < all.length; r++) {
            int at = all[r].find(number, expected);
            if (at >= 0 && all[r].kinds[at] != kind) {
                return new long[0];
            }
            ends[r] = at < 0 ? UNKNOWN : all[r].ends[at];
        }
        return ends;
    }
}
