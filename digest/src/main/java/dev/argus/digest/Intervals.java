package dev.argus.digest;

import java.util.Arrays;

/**
 * A union of intervals, fed in ascending order of start, kept as disjoint intervals in ascending order.
 *
 * <p>Answers "how much of [0, t) is covered" in O(log n).
 */
final class Intervals {
    private long[] starts = new long[64];
    private long[] ends = new long[64];
    private long[] coveredBefore = new long[64];
    private int size;

    /** Adds an interval whose start is not before the last one's. */
    void add(long start, long end) {
        if (end <= start) {
            return;
        }
        if (size > 0 && start <= ends[size - 1]) {
            ends[size - 1] = Math.max(ends[size - 1], end);
            return;
        }
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, size * 2);
            ends = Arrays.copyOf(ends, size * 2);
            coveredBefore = Arrays.copyOf(coveredBefore, size * 2);
        }
        coveredBefore[size] = size == 0 ? 0 : coveredBefore[size - 1] + ends[size - 1] - starts[size - 1];
        starts[size] = start;
        ends[size] = end;
        size++;
    }

    int size() {
        return size;
    }

    long start(int i) {
        return starts[i];
    }

    long end(int i) {
        return ends[i];
    }

    /** Total length. */
    long total() {
        return size == 0 ? 0 : coveredBefore[size - 1] + ends[size - 1] - starts[size - 1];
    }

    /** Position of the interval that contains a time, or -1. */
    int at(long time) {
        int found = Arrays.binarySearch(starts, 0, size, time);
        int i = found >= 0 ? found : -found - 2;
        return i >= 0 && time < ends[i] ? i : -1;
    }

    /** Covered length before a time. */
    long coveredBefore(long time) {
        int at = Arrays.binarySearch(starts, 0, size, time);
        int i = at >= 0 ? at : -at - 2;
        if (i < 0) {
            return 0;
        }
        return coveredBefore[i] + Math.min(time, ends[i]) - starts[i];
    }

    /** Covered length inside [from, to). */
    long covered(long from, long to) {
        return to <= from ? 0 : coveredBefore(to) - coveredBefore(from);
    }
}
