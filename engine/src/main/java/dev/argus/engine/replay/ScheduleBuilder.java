package dev.argus.engine.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Finds out what recorded operations waited for.
 *
 * <p>An operation waits for its predecessor on its lane (a stream, or the thread of the CPU), and for the last operation of every other lane of its
 * rank that had ended when it started: the order in which one rank does its things is its program, and its program is the same in the
 * next step. That is at most too strict, where two things follow each other by chance; it needs no knowledge of a framework.
 * Only operations of one rank are compared in time, so clocks of hosts need not agree. Members of a meeting wait for each other.
 *
 * <p>Cost: O(n log n + n x lanes of a rank). Not thread-safe.
 */
public final class ScheduleBuilder {
    /** Times of the two sides of a hand-over differ by so much: they are rounded, and events of a GPU are read late. */
    private static final long SAME_MOMENT_NANOS = 50_000;

    private static final int RANK = 0;
    private static final int LANE = 1;
    private static final int KIND = 2;
    private static final int MEETING = 3;
    private static final int WAITS = 4;
    private static final int AWAITED = 5;

    private final int mostOperations;
    private final List<int[]> who = new ArrayList<>();
    private final List<long[]> when = new ArrayList<>();
    private final Map<String, Integer> meetings = new HashMap<>();

    /** @param mostOperations operations there is room for, about 200 bytes each while they are put together */
    public ScheduleBuilder(int mostOperations) {
        this.mostOperations = mostOperations;
    }

    /** True when there are more operations than there is room for: nothing will be built. */
    public boolean full() {
        return who.size() > mostOperations;
    }

    /**
     * Adds an operation.
     *
     * @param rank who does it
     * @param lane where on that rank: operations of a lane are one after another
     * @param kind what it is: operations of one kind are alike
     * @param startNanos start on the clock of the rank
     * @param durationNanos duration, of a meeting wait and transfer
     * @param meeting who has the same meets; empty for own work
     */
    public void add(int rank, int lane, int kind, long startNanos, long durationNanos, String meeting) {
        add(rank, lane, kind, startNanos, durationNanos, durationNanos, meeting, true, true);
    }

    /**
     * Adds an operation of which more is known.
     *
     * @param ownNanos what it takes of itself: of a meeting, the most that its transfer can have taken
     * @param waits false when only its predecessor on the lane is known to have held it up
     * @param awaited false when no other lane is known to have waited for it
     */
    void add(
            int rank,
            int lane,
            int kind,
            long startNanos,
            long durationNanos,
            long ownNanos,
            String meeting,
            boolean waits,
            boolean awaited) {
        if (full()) {
            return;
        }
        int with = meeting.isEmpty() ? -1 : meetings.computeIfAbsent(meeting, m -> meetings.size());
        who.add(new int[] {rank, lane, kind, with, waits ? 1 : 0, awaited ? 1 : 0});
        when.add(new long[] {startNanos, startNanos + Math.max(0, durationNanos), Math.max(0, ownNanos)});
    }

    /** The schedule; empty when there were too many operations, none, or what they wait for goes round in a circle. */
    public Optional<Schedule> build() {
        if (full() || who.isEmpty()) {
            return Optional.empty();
        }
        int n = who.size();
        int[] ranks = new int[n];
        int[] kinds = new int[n];
        int[] with = new int[n];
        long[] nanos = new long[n];
        long[] shortest = new long[meetings.size()];
        Arrays.fill(shortest, Long.MAX_VALUE);
        for (int i = 0; i < n; i++) {
            ranks[i] = who.get(i)[RANK];
            kinds[i] = who.get(i)[KIND];
            with[i] = who.get(i)[MEETING];
            nanos[i] = when.get(i)[2];
            if (with[i] >= 0) {
                shortest[with[i]] = Math.min(shortest[with[i]], nanos[i]);
            }
        }
        for (int i = 0; i < n; i++) {
            nanos[i] = with[i] >= 0 ? shortest[with[i]] : nanos[i];
        }
        int[][] needs = needs();
        int[] from = new int[n + 1];
        for (int i = 0; i < n; i++) {
            from[i + 1] = from[i] + needs[i].length;
        }
        int[] flat = Arrays.stream(needs).flatMapToInt(Arrays::stream).toArray();
        int[] order = order(needs, with);
        return order.length < n
                ? Optional.empty()
                : Optional.of(new Schedule(ranks, kinds, nanos, from, flat, order, with));
    }

    private int[][] needs() {
        Map<Integer, List<Integer>> byRank = new TreeMap<>();
        for (int i = 0; i < who.size(); i++) {
            byRank.computeIfAbsent(who.get(i)[RANK], r -> new ArrayList<>()).add(i);
        }
        int[][] needs = new int[who.size()][];
        byRank.values().forEach(own -> needs(own, needs));
        return needs;
    }

    private void needs(List<Integer> own, int[][] needs) {
        Map<Integer, List<Integer>> lanes = new TreeMap<>();
        own.sort(Comparator.comparingLong((Integer i) -> when.get(i)[0]).thenComparingLong(i -> when.get(i)[1]));
        for (int i : own) {
            lanes.computeIfAbsent(who.get(i)[LANE], l -> new ArrayList<>()).add(i);
        }
        List<List<Integer>> all = List.copyOf(lanes.values());
        int[] begun = new int[all.size()];
        int[] ended = new int[all.size()];
        for (int i : own) {
            long start = when.get(i)[0];
            IntStream.Builder found = IntStream.builder();
            for (int l = 0; l < ended.length; l++) {
                List<Integer> lane = all.get(l);
                if (lane.get(begun[l] < lane.size() ? begun[l] : 0) == i) {
                    if (begun[l] > 0) {
                        found.add(lane.get(begun[l] - 1));
                    }
                    begun[l]++;
                    continue;
                }
                while (ended[l] < begun[l] && over(lane.get(ended[l]), start)) {
                    ended[l]++;
                }
                if (ended[l] > 0 && who.get(i)[WAITS] == 1 && who.get(lane.get(ended[l] - 1))[AWAITED] == 1) {
                    found.add(lane.get(ended[l] - 1));
                }
            }
            needs[i] = found.build().toArray();
        }
    }

    private boolean over(int operation, long moment) {
        long[] time = when.get(operation);
        return time[0] < moment && time[1] <= moment + SAME_MOMENT_NANOS;
    }

    /** An order in which every operation comes after what it needs, and the members of a meeting stand together. */
    private int[] order(int[][] needs, int[] with) {
        int n = needs.length;
        int[] unit = new int[n];
        for (int i = 0; i < n; i++) {
            unit[i] = with[i] >= 0 ? with[i] : meetings.size() + i;
        }
        int units = meetings.size() + n;
        int[] missing = new int[units];
        List<List<Integer>> members = lists(units);
        List<List<Integer>> next = lists(units);
        for (int i = 0; i < n; i++) {
            members.get(unit[i]).add(i);
            for (int need : needs[i]) {
                missing[unit[i]]++;
                next.get(unit[need]).add(unit[i]);
            }
        }
        int[] queue = new int[units];
        int waiting = 0;
        for (int u = 0; u < units; u++) {
            if (missing[u] == 0 && !members.get(u).isEmpty()) {
                queue[waiting++] = u;
            }
        }
        IntStream.Builder order = IntStream.builder();
        for (int at = 0; at < waiting; at++) {
            members.get(queue[at]).forEach(order::add);
            for (int u : next.get(queue[at])) {
                if (--missing[u] == 0) {
                    queue[waiting++] = u;
                }
            }
        }
        return order.build().toArray();
    }

    private static List<List<Integer>> lists(int count) {
        List<List<Integer>> lists = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>(2));
        }
        return lists;
    }
}
