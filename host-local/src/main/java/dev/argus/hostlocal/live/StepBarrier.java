package dev.argus.hostlocal.live;

import java.util.ArrayList;
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
 * them until they report again. State: at most {@value #MOST_OPEN} steps.
 */
final class StepBarrier {
    /** More steps than this are not held back, however early. */
    static final int MOST_OPEN = 64;

    /**
     * A step that goes on.
     *
     * @param step its number
     * @param ranks what was reported, by rank
     */
    record Ready(long step, List<RankStep> ranks) {}

    private static final class Open {
        final long firstNanos;
        final Map<Integer, RankStep> byRank = new TreeMap<>();

        Open(long firstNanos) {
            this.firstNanos = firstNanos;
        }
    }

    private final long latenessNanos;
    private final TreeMap<Long, Open> open = new TreeMap<>();
    private final Set<Integer> expected = new HashSet<>();
    private final Set<Integer> silent = new TreeSet<>();
    private final Map<Integer, Long> newest = new HashMap<>();
    private long passed = Long.MIN_VALUE;
    private long late;
    private long twice;

    StepBarrier(long latenessNanos) {
        this.latenessNanos = latenessNanos;
    }

    /** Steps wait for this rank from now on. */
    void expect(int rank) {
        expected.add(rank);
    }

    /** True if the rank has reported a later step before: it counts anew, as with every epoch, or from a checkpoint. */
    boolean beginsAnew(RankStep step) {
        Long before = newest.get(step.digest().rank());
        return before != null && step.digest().step() < before;
    }

    /** Takes a step of a rank at a time. */
    void add(RankStep step, long nowNanos) {
        long number = step.digest().step();
        newest.merge(step.digest().rank(), number, Math::max);
        if (number <= passed) {
            late++;
            return;
        }
        expected.add(step.digest().rank());
        silent.remove(step.digest().rank());
        Open of = open.computeIfAbsent(number, n -> new Open(nowNanos));
        if (of.byRank.putIfAbsent(step.digest().rank(), step) != null) {
            twice++;
        }
    }

    /** The steps that go on at a time, in their order. */
    List<Ready> ready(long nowNanos) {
        List<Ready> ready = new ArrayList<>();
        while (!open.isEmpty()) {
            Map.Entry<Long, Open> first = open.firstEntry();
            Open of = first.getValue();
            boolean waited = nowNanos - of.firstNanos >= latenessNanos || open.size() > MOST_OPEN;
            if (!waited && !complete(of)) {
                break;
            }
            for (int rank : expected) {
                if (!of.byRank.containsKey(rank)) {
                    silent.add(rank);
                }
            }
            open.pollFirstEntry();
            passed = first.getKey();
            ready.add(new Ready(first.getKey(), List.copyOf(of.byRank.values())));
        }
        return ready;
    }

    private boolean complete(Open of) {
        if (of.byRank.size() < expected.size() - silent.size()) {
            return false;
        }
        for (int rank : expected) {
            if (!of.byRank.containsKey(rank) && !silent.contains(rank)) {
                return false;
            }
        }
        return true;
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
}
