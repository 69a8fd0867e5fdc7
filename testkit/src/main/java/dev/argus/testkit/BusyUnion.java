package dev.argus.testkit;

import java.util.Arrays;

/**
 * Length of the union of intervals which come in batches: no interval of a batch starts before any of an earlier batch.
 * Memory: the largest batch.
 */
final class BusyUnion {
    private long[] starts = new long[256];
    private long[] ends = new long[256];
    private int size;
    private long covered = Long.MIN_VALUE;
    private long nanos;

    void add(long start, long end) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        starts[size] = start;
        ends[size] = end;
        size++;
    }

    /** Ends a batch. The union of intervals depends on the sorted starts and the sorted ends only. */
    void closeBatch() {
        Arrays.sort(starts, 0, size);
        Arrays.sort(ends, 0, size);
        int from = 0;
        for (int i = 0; i < size; i++) {
            if (i + 1 == size || starts[i + 1] > ends[i]) {
                long start = Math.max(starts[from], covered);
                nanos += Math.max(0, ends[i] - start);
                covered = Math.max(covered, ends[i]);
                from = i + 1;
            }
        }
        size = 0;
    }

    long nanos() {
        return nanos;
    }
}
