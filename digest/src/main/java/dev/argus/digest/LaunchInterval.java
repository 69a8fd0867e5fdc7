package dev.argus.digest;

import dev.argus.stats.LongOrder;
import dev.argus.stats.Robust;

/**
 * How fast a CPU launches, whatever its trace says of phases: the time from the end of one launch to the start of the next.
 *
 * <p>What launches run into is not the CPU's pace. A call waits for room in the launch queue, which may be full after a hundred kernels or a thousand: it is the GPU's time, and not counted. Pauses are few among
 * many, so the middle half of the times tells the pace, with little noise. Where a CPU is so far ahead that the queue may be full, launches are left out altogether, for some records show that wait between the
 * calls; and it would not matter if these launches were slower. Cost: O(n) of the launches, and what it takes to sort what is nearly in order.
 */
final class LaunchInterval {
    /** Fewer launches tell no pace. */
    private static final int LEAST = 32;

    /** From so much launched and not begun on, the queue may be what a launch waits for. */
    private static final int FAR_AHEAD = 512;

    private final long[] launches;
    private final long[] ends;
    private final long[] starts;
    private final int known;
    private int next;
    private int begun;

    /**
     * @param launches start of the launch of each piece of work of one device, or {@link LaunchIndex#UNKNOWN}
     * @param ends when the call that launched it returned
     * @param starts start of each on the GPU, ascending
     */
    LaunchInterval(long[] launches, long[] ends, long[] starts) {
        long[] launched = new long[launches.length];
        long[] returned = new long[launches.length];
        this.starts = new long[launches.length];
        int n = 0;
        boolean ascending = true;
        for (int i = 0; i < launches.length; i++) {
            if (launches[i] != LaunchIndex.UNKNOWN) {
                ascending &= n == 0 || launches[i] >= launched[n - 1];
                launched[n] = launches[i];
                returned[n] = ends[i];
                this.starts[n++] = starts[i];
            }
        }
        this.known = n;
        int[] order = ascending ? null : LongOrder.ascending(launched, n);
        this.launches = order == null ? launched : inOrder(launched, order, n);
        this.ends = order == null ? returned : inOrder(returned, order, n);
    }

    private static long[] inOrder(long[] values, int[] order, int n) {
        long[] out = new long[n];
        for (int i = 0; i < n; i++) {
            out[i] = values[order[i]];
        }
        return out;
    }

    /**
     * Mean of the middle half of the times from the end of one launch to the start of the next in [from, to), nanoseconds, at least 1; -1 when too few of them tell, 0 when no launch is known at all. Ranges are asked for in ascending order.
     */
    long of(long from, long to) {
        while (next < known && launches[next] < from) {
            next++;
        }
        int first = next;
        while (next < known && launches[next] < to) {
            next++;
        }
        double[] between = new double[next - first];
        int n = 0;
        for (int i = first + 1; i < next; i++) {
            while (begun < known && starts[begun] <= launches[i]) {
                begun++;
            }
            boolean another = launches[i] > launches[i - 1]; // a graph of many kernels is one launch
            long time = launches[i] - Math.max(launches[i - 1], ends[i - 1]);
            if (another && time > 0 && i - begun < FAR_AHEAD) {
                between[n++] = time;
            }
        }
        if (n < LEAST) {
            return known == 0 ? 0 : -1;
        }
        return Math.max(1, Math.round(Robust.middleMean(between, n)));
    }
}
