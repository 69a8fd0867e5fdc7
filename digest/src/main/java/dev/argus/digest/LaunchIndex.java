package dev.argus.digest;

import dev.argus.stats.LongOrder;

/**
 * When the work behind a correlation was launched. One launch of a CUDA graph starts hundreds of kernels: all of them find
 * it. Where several calls share a correlation the first counts.
 */
final class LaunchIndex {
    /** Launch not recorded. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final long[] correlations;
    private final long[] starts;
    private final long[] ends;

    /** Behind the one found last: kernels mostly run in the order of their launches. */
    private int next;

    LaunchIndex(EventStore store) {
        long[] keys = store.launchCorrelations();
        int[] order = LongOrder.ascending(keys, keys.length);
        correlations = new long[keys.length];
        starts = new long[keys.length];
        ends = new long[keys.length];
        for (int i = 0; i < order.length; i++) {
            correlations[i] = keys[order[i]];
            starts[i] = store.launchStart(order[i]);
            ends[i] = store.launchEnd(order[i]);
        }
    }

    /** Start of the launch, or {@link #UNKNOWN}. */
    long start(long correlation) {
        if (correlation == 0) {
            return UNKNOWN;
        }
        int low = 0;
        int high = correlations.length - 1;
        if (next > 0 && next <= high && correlations[next] == correlation && correlations[next - 1] < correlation) {
            return starts[next++];
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (correlations[middle] < correlation) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low >= correlations.length || correlations[low] != correlation) {
            return UNKNOWN;
        }
        next = low + 1;
        return starts[low];
    }

    /** When the call of the launch that was found last returned. */
    long end() {
        return ends[next - 1];
    }
}
