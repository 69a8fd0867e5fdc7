package dev.argus.sketch;

import java.util.Arrays;

/** What is rarely touched of a kernel and stream while its window is open: its first events and its longest ones. */
final class OpenKey {
    static final int KEPT = 8;

    /** Longest events kept per key, so that a window can choose among them. */
    static final int TOP = 4;

    final long key;
    final int name;
    final int stream;

    private final long[] topNanos = new long[TOP];
    private final long[] topStart = new long[TOP];
    private int tops;

    private final long[] kept = new long[KEPT];
    private int seen;

    OpenKey(long key) {
        this.key = key;
        this.name = (int) key;
        this.stream = (int) (key >> 32);
    }

    /**
     * Takes an event: every one of the first, and later those that may be among the longest.
     *
     * @return whether anything has changed
     */
    boolean offer(long startNanos, long nanos) {
        if (seen > KEPT && !isLonger(nanos, startNanos, TOP - 1)) {
            return false;
        }
        if (seen < KEPT) {
            kept[seen] = nanos;
        }
        seen = Math.min(seen + 1, KEPT + 1);
        top(startNanos, nanos);
        return true;
    }

    void merge(OpenKey other) {
        for (int i = 0; i < other.seen && i < KEPT && seen + i < KEPT; i++) {
            kept[seen + i] = other.kept[i];
        }
        seen = Math.min(seen + other.seen, KEPT + 1);
        for (int i = 0; i < other.tops; i++) {
            top(other.topStart[i], other.topNanos[i]);
        }
    }

    /** Shorter events need not be offered. */
    long floor() {
        return seen > KEPT ? topNanos[TOP - 1] : 0;
    }

    /** Of events as long as the floor, those that start later need not be offered. */
    long floorStart() {
        return seen > KEPT ? topStart[TOP - 1] : Long.MAX_VALUE;
    }

    private boolean isLonger(long nanos, long startNanos, int than) {
        return nanos > topNanos[than] || (nanos == topNanos[than] && startNanos < topStart[than]);
    }

    /** Inserts by duration downwards, start upwards. */
    private void top(long startNanos, long nanos) {
        int i = tops;
        if (tops == TOP) {
            i = TOP - 1;
            if (!isLonger(nanos, startNanos, i)) {
                return;
            }
        } else {
            tops++;
        }
        while (i > 0 && isLonger(nanos, startNanos, i - 1)) {
            topNanos[i] = topNanos[i - 1];
            topStart[i] = topStart[i - 1];
            i--;
        }
        topNanos[i] = nanos;
        topStart[i] = startNanos;
    }

    void clear() {
        tops = 0;
        seen = 0;
    }

    /** True while {@link #events} are all. */
    boolean isFew() {
        return seen <= KEPT;
    }

    /** Every duration, ascending; only while there are at most {@value #KEPT}. */
    long[] events() {
        long[] events = Arrays.copyOf(kept, seen);
        Arrays.sort(events);
        return events;
    }

    int tops() {
        return tops;
    }

    long topNanos(int i) {
        return topNanos[i];
    }

    long topStart(int i) {
        return topStart[i];
    }
}
