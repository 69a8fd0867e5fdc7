package dev.argus.sketch;

import dev.argus.stats.BinnedSample;
import dev.argus.stats.LogBins;
import java.util.Arrays;

/** The durations of one kernel and stream while its window is open. Adding is the hot path: no allocation once the range is known. */
final class OpenKey {
    static final int KEPT = 8;

    /** Longest events kept per key, so that a window can choose among them. */
    static final int TOP = 4;

    private static final int BITS = BinnedSample.BITS;
    private static final int MARGIN = 16;

    final int name;
    final int stream;

    private int[] bins = {};
    private int firstBin;
    private long sum;
    private long count;
    private long work;

    // a duration above the floor, or on it and earlier, belongs to the top
    private long floor = -1;
    private long floorStart = Long.MAX_VALUE;
    private final long[] topNanos = new long[TOP];
    private final long[] topStart = new long[TOP];
    private int tops;

    private final long[] kept = new long[KEPT];

    OpenKey(int name, int stream) {
        this.name = name;
        this.stream = stream;
    }

    void add(long startNanos, long nanos, long workItems) {
        int at = LogBins.bin(nanos, BITS) - firstBin;
        int[] counts = bins;
        if (at < 0 || at >= counts.length) {
            at = grow(at + firstBin);
            counts = bins;
        }
        counts[at]++;
        sum += nanos;
        work += workItems;
        long n = count++;
        if (n < KEPT) {
            kept[(int) n] = nanos;
        }
        if (nanos >= floor && (nanos > floor || startNanos < floorStart)) {
            top(startNanos, nanos);
        }
    }

    /** Inserts by duration downwards, start upwards. */
    private void top(long startNanos, long nanos) {
        int i = tops < TOP ? tops++ : TOP - 1;
        while (i > 0 && (topNanos[i - 1] < nanos || (topNanos[i - 1] == nanos && topStart[i - 1] > startNanos))) {
            topNanos[i] = topNanos[i - 1];
            topStart[i] = topStart[i - 1];
            i--;
        }
        topNanos[i] = nanos;
        topStart[i] = startNanos;
        if (tops == TOP) {
            floor = topNanos[TOP - 1];
            floorStart = topStart[TOP - 1];
        }
    }

    /** Makes room for a bin and some beside it; returns its place. */
    private int grow(int bin) {
        int low = bins.length == 0 ? bin : Math.min(firstBin, bin);
        int high = bins.length == 0 ? bin : Math.max(firstBin + bins.length - 1, bin);
        low = low == firstBin && bins.length > 0 ? low : Math.max(0, low - MARGIN);
        high = high == firstBin + bins.length - 1 && bins.length > 0
                ? high
                : Math.min(LogBins.lastBin(BITS), high + MARGIN);
        int[] wider = new int[high - low + 1];
        System.arraycopy(bins, 0, wider, firstBin - (bins.length == 0 ? firstBin : low), bins.length);
        bins = wider;
        firstBin = low;
        return bin - low;
    }

    void merge(OpenKey other) {
        for (int i = 0; i < other.bins.length; i++) {
            if (other.bins[i] != 0) {
                int at = other.firstBin + i - firstBin;
                at = at < 0 || at >= bins.length ? grow(at + firstBin) : at;
                bins[at] += other.bins[i];
            }
        }
        for (int i = 0; i < other.count && i < KEPT && count + i < KEPT; i++) {
            kept[(int) count + i] = other.kept[i];
        }
        for (int i = 0; i < other.tops; i++) {
            long nanos = other.topNanos[i];
            if (nanos >= floor && (nanos > floor || other.topStart[i] < floorStart)) {
                top(other.topStart[i], nanos);
            }
        }
        count += other.count;
        sum += other.sum;
        work += other.work;
    }

    /** Forgets the events, keeps the room. */
    void clear() {
        Arrays.fill(bins, 0);
        sum = 0;
        count = 0;
        work = 0;
        floor = -1;
        floorStart = Long.MAX_VALUE;
        tops = 0;
    }

    void read(BinnedSample into) {
        into.clear();
        for (int i = 0; i < bins.length; i++) {
            if (bins[i] != 0) {
                into.add(firstBin + i, bins[i]);
            }
        }
    }

    /** Every duration, ascending, where there are few. */
    long[] events() {
        long[] events = Arrays.copyOf(kept, (int) count);
        Arrays.sort(events);
        return events;
    }

    long count() {
        return count;
    }

    long sum() {
        return sum;
    }

    long work() {
        return work;
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

    int binsHeld() {
        return bins.length;
    }
}
