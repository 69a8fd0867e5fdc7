package dev.argus.stats;

import org.jspecify.annotations.Nullable;

/**
 * A run of positions of a series.
 *
 * @param first first position, inclusive
 * @param last last position, inclusive
 * @param score sum of the values over the run
 */
public record Segment(int first, int last, double score) {

    /**
     * The run with the largest sum (Kadane's algorithm), or null when no value is positive. Values are excesses over a
     * threshold, so that the run is the stretch of time in which a series stays above it, short dips bridged by what they
     * are worth. NaN counts as {@code missing}: choose it negative, for missing is never evidence.
     *
     * <p>Cost O(n), no allocation but the result. Ties go to the earlier run.
     */
    public static @Nullable Segment best(double[] values, double missing) {
        double best = 0;
        int bestFirst = -1;
        int bestLast = -1;
        double sum = 0;
        int first = 0;
        for (int i = 0; i < values.length; i++) {
            double v = Double.isNaN(values[i]) ? missing : values[i];
            if (sum <= 0) {
                sum = 0;
                first = i;
            }
            sum += v;
            if (sum > best) {
                best = sum;
                bestFirst = first;
                bestLast = i;
            }
        }
        return bestFirst < 0 ? null : new Segment(bestFirst, bestLast, best);
    }

    /** Number of positions. */
    public int length() {
        return last - first + 1;
    }
}
