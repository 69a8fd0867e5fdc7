package dev.argus.sketch;

import java.util.Arrays;

/**
 * Counts durations in log-spaced bins, {@value #BINS_PER_OCTAVE} an octave, mantissa-linear: the bin of a duration is the
 * position of its leading bit and the next {@value #MANTISSA_BITS} bits.
 *
 * <p>Durations below {@value #BINS_PER_OCTAVE} ns have a bin each and are exact; above, a value read back is off by at most
 * 1/128 of itself (half a bin). Count, sum, minimum and maximum are exact.
 *
 * <p>Cost: constant time an event, no allocation once the range of durations has been seen. Footprint: 4 bytes a bin of the
 * span between the smallest and the largest bin seen, at most {@code 4 * 64 * 58} bytes. Not thread-safe. Histograms
 * merge by adding bins; the order of events and merges does not matter.
 */
public final class DurationHistogram {
    static final int MANTISSA_BITS = 6;
    static final int BINS_PER_OCTAVE = 1 << MANTISSA_BITS;

    private int[] counts = new int[0];
    private int firstBin;
    private long count;
    private long sum;
    private long min = Long.MAX_VALUE;
    private long max;

    /** Adds one duration in nanoseconds, &gt;= 0. */
    public void add(long nanos) {
        int bin = bin(nanos);
        int at = bin - firstBin;
        if (at < 0 || at >= counts.length) {
            at = grow(bin);
        }
        counts[at]++;
        count++;
        sum += nanos;
        min = Math.min(min, nanos);
        max = Math.max(max, nanos);
    }

    /** Number of durations. */
    public long count() {
        return count;
    }

    /** Exact sum in nanoseconds. */
    public long sumNanos() {
        return sum;
    }

    /** Exact minimum in nanoseconds; 0 when empty. */
    public long minNanos() {
        return count == 0 ? 0 : min;
    }

    /** Exact maximum in nanoseconds; 0 when empty. */
    public long maxNanos() {
        return max;
    }

    /** Adds the durations of another histogram. */
    public void merge(DurationHistogram other) {
        for (int i = 0; i < other.counts.length; i++) {
            if (other.counts[i] != 0) {
                int bin = other.firstBin + i;
                int at = bin - firstBin;
                if (at < 0 || at >= counts.length) {
                    at = grow(bin);
                }
                counts[at] += other.counts[i];
            }
        }
        count += other.count;
        sum += other.sum;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
    }

    /**
     * Fills {@code into} with the quantile function at (i + 0.5) / n, in nanoseconds: the inverse of the empirical
     * distribution, each value read as the middle of its bin, clamped to the exact minimum and maximum. All zero when empty.
     */
    public void quantiles(double[] into) {
        Arrays.fill(into, 0);
        if (count == 0) {
            return;
        }
        long seen = 0;
        int next = 0;
        for (int i = 0; i < counts.length && next < into.length; i++) {
            seen += counts[i];
            double value = Math.max((double) min, Math.min((double) max, middle(firstBin + i)));
            while (next < into.length && (next + 0.5) / into.length * count <= seen && counts[i] > 0) {
                into[next++] = value;
            }
        }
    }

    private int grow(int bin) {
        if (counts.length == 0) {
            counts = new int[1];
            firstBin = bin;
            return 0;
        }
        int low = Math.min(firstBin, bin);
        int high = Math.max(firstBin + counts.length - 1, bin);
        int[] wider = new int[high - low + 1];
        System.arraycopy(counts, 0, wider, firstBin - low, counts.length);
        counts = wider;
        firstBin = low;
        return bin - low;
    }

    static int bin(long nanos) {
        if (nanos < BINS_PER_OCTAVE) {
            return (int) Math.max(0, nanos);
        }
        int exponent = 63 - Long.numberOfLeadingZeros(nanos) - MANTISSA_BITS;
        return (exponent << MANTISSA_BITS) + (int) (nanos >>> exponent);
    }

    static double middle(int bin) {
        if (bin < 2 * BINS_PER_OCTAVE) {
            return bin;
        }
        int exponent = (bin >>> MANTISSA_BITS) - 1;
        long low = (long) (bin - (exponent << MANTISSA_BITS)) << exponent;
        return low + ((1L << exponent) - 1) / 2.0;
    }
}
