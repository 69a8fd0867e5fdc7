package dev.argus.stats;

import java.util.Arrays;

/**
 * A sample as counts in log-spaced bins ({@link LogBins}): only the bins that hold something, ascending. A workspace that is filled
 * again and again; allocates only to grow. Belongs to one thread.
 */
public final class BinnedSample {
    /** Mantissa bits of the bins: 128 an octave. */
    public static final int BITS = 7;

    private int size;
    private int[] bins = new int[64];
    private long[] before = new long[65];
    private double[] middles = new double[64];
    private double[] halfWidths = new double[64];

    /** Empties it. */
    public void clear() {
        size = 0;
    }

    /** Adds the next bin; bins ascend, counts are positive. */
    public void add(int bin, long count) {
        if (size == bins.length) {
            bins = Arrays.copyOf(bins, 2 * size);
            before = Arrays.copyOf(before, 2 * size + 1);
            middles = Arrays.copyOf(middles, 2 * size);
            halfWidths = Arrays.copyOf(halfWidths, 2 * size);
        }
        bins[size] = bin;
        halfWidths[size] = LogBins.halfWidth(bin, BITS);
        middles[size] = LogBins.middle(bin, BITS);
        before[++size] = before[size - 1] + count;
    }

    /** Number of bins that hold something. */
    public int size() {
        return size;
    }

    /** Number of values. */
    public long count() {
        return before[size];
    }

    /** The lowest bin that holds something. */
    public int firstBin() {
        return bins[0];
    }

    /** The highest bin that holds something. */
    public int lastBin() {
        return bins[size - 1];
    }

    /** Middle of the bin of the lower median. */
    public double median() {
        return middles[at((count() - 1) / 2.0)];
    }

    int bin(int i) {
        return bins[i];
    }

    /** Number of values in lower bins than the i-th. */
    long before(int i) {
        return before[i];
    }

    double middle(int i) {
        return middles[i];
    }

    double halfWidth(int i) {
        return halfWidths[i];
    }

    /** The bin that holds the value after so many others: the least i with before(i + 1) &gt; position. */
    public int at(double position) {
        int low = 0;
        int high = size - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (before[middle + 1] > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
