package dev.argus.trace.export;

import dev.argus.stats.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Intervals of one track in any order, packed in 24 bytes each, and how they are laid out: in lanes in which an interval lies
 * either wholly inside another or wholly behind it. Viewers close the interval that was opened last, so what overlaps
 * otherwise needs a lane of its own.
 *
 * <p>Within a lane the order is by start, the longer first, else as they came. Bounds: {@value #MAX_LANES} lanes of
 * {@value #MAX_DEPTH} levels; what finds no place is counted. Cost: O(n log n), O(n) when they come in order, times the lanes.
 */
public final class Slices {
    /** Lanes of a track. */
    public static final int MAX_LANES = 64;

    /** Levels of a lane; the readers of Perfetto drop what lies deeper than 512. */
    public static final int MAX_DEPTH = 256;

    private long[] starts = new long[16];
    private long[] durations = new long[16];
    private int[] names = new int[16];
    private int[] details = new int[16];
    private final List<SliceDetail> detail = new ArrayList<>();
    private int count;

    /**
     * Adds an interval.
     *
     * @param start nanoseconds since the Unix epoch
     * @param duration nanoseconds, &gt;= 0
     * @param name name id
     * @param more what else is said of it, or null
     */
    public void add(long start, long duration, int name, @Nullable SliceDetail more) {
        if (count == starts.length) {
            int room = count + (count >> 1);
            starts = Arrays.copyOf(starts, room);
            durations = Arrays.copyOf(durations, room);
            names = Arrays.copyOf(names, room);
            details = Arrays.copyOf(details, room);
        }
        starts[count] = start;
        durations[count] = duration;
        names[count] = name;
        details[count] = 0;
        if (more != null) {
            detail.add(more);
            details[count] = detail.size();
        }
        count++;
    }

    /** The same later by a time; this one is used up. */
    Slices moved(long by) {
        for (int i = 0; by != 0 && i < count; i++) {
            starts[i] += by;
        }
        return this;
    }

    /** How many. */
    public int count() {
        return count;
    }

    /** Start of the i-th added. */
    public long start(int i) {
        return starts[i];
    }

    /** Duration of the i-th added. */
    public long duration(int i) {
        return durations[i];
    }

    /** End of the i-th added. */
    public long end(int i) {
        return starts[i] + durations[i];
    }

    /** Name id of the i-th added. */
    public int name(int i) {
        return names[i];
    }

    /** What else is said of the i-th added. */
    public @Nullable SliceDetail detail(int i) {
        return details[i] == 0 ? null : detail.get(details[i] - 1);
    }

    /** Positions of what was added, lane by lane, each in the order to be written; empty for no slices. */
    public List<int[]> lanes() {
        int[] order = order();
        byte[] lane = new byte[count];
        int[] sizes = new int[MAX_LANES];
        int used = place(order, lane, sizes);
        List<int[]> lanes = new ArrayList<>();
        if (used == 1 && sizes[0] == count) {
            lanes.add(order);
            return lanes;
        }
        for (int k = 0; k < used; k++) {
            lanes.add(new int[sizes[k]]);
        }
        int[] filled = new int[used];
        for (int i : order) {
            if (lane[i] >= 0) {
                lanes.get(lane[i])[filled[lane[i]]++] = i;
            }
        }
        return lanes;
    }

    private int place(int[] order, byte[] lane, int[] sizes) {
        long[][] open = new long[MAX_LANES][];
        int[] depth = new int[MAX_LANES];
        int used = 0;
        for (int i : order) {
            long start = starts[i];
            long end = start + durations[i];
            int k = 0;
            while (k < used && !fits(open[k], depth, k, start, end)) {
                k++;
            }
            if (k == MAX_LANES) {
                lane[i] = -1;
                continue;
            }
            if (k == used) {
                open[used++] = new long[MAX_DEPTH];
            }
            open[k][depth[k]++] = end;
            sizes[k]++;
            lane[i] = (byte) k;
        }
        return used;
    }

    private static boolean fits(long[] open, int[] depth, int lane, long start, long end) {
        int top = depth[lane];
        while (top > 0 && open[top - 1] <= start) {
            top--;
        }
        depth[lane] = top;
        return top == 0 || (top < MAX_DEPTH && open[top - 1] >= end);
    }

    /** By start, the longer first, else as they came. */
    private int[] order() {
        int[] order = LongOrder.ascending(starts, count);
        int from = 0;
        while (from < count) {
            int to = from + 1;
            while (to < count && starts[order[to]] == starts[order[from]]) {
                to++;
            }
            if (to - from > 1) {
                longestFirst(order, from, to);
            }
            from = to;
        }
        return order;
    }

    private void longestFirst(int[] order, int from, int to) {
        int[] run = Arrays.copyOfRange(order, from, to);
        long[] keys = new long[run.length];
        for (int i = 0; i < run.length; i++) {
            keys[i] = -durations[run[i]];
        }
        int[] sorted = LongOrder.ascending(keys, keys.length);
        for (int i = 0; i < run.length; i++) {
            order[from + i] = run[sorted[i]];
        }
    }
}
