package dev.argus.stats;

import java.util.Arrays;

/**
 * Order statistics that a few wild values cannot move.
 *
 * <p>All methods but {@link #medianOf} and {@link #weightedMedianOf} leave their arguments alone; they skip NaN, which stands for "not measured" everywhere in Argus: a missing
 * value is never small. Results are NaN when nothing was measured. Quantiles cost O(n) in the mean, what needs all values in order O(n log n);
 * one copy of the input.
 */
public final class Robust {
    /** Makes the MAD of a normal distribution equal its standard deviation: 1 / Phi^-1(3/4). */
    public static final double MAD_TO_SIGMA = 1.4826022185056018;

    private Robust() {}

    /** Median; the mean of the two middle values for an even count. */
    public static double median(double[] values) {
        return quantile(values, 0.5);
    }

    /** Median of the first so many values. */
    public static double median(double[] values, int count) {
        return quantileOf(finite(values, count), 0.5);
    }

    /** Median of an array that nobody needs afterwards: it is reordered instead of copied. */
    public static double medianOf(double[] scratch) {
        int n = 0;
        for (double value : scratch) {
            if (!Double.isNaN(value)) {
                scratch[n++] = value;
            }
        }
        return quantileOf(n == scratch.length ? scratch : Arrays.copyOf(scratch, n), 0.5);
    }

    /**
     * Quantile by linear interpolation between order statistics (Hyndman and Fan 1996, definition 7).
     *
     * @param p probability, 0..1
     */
    public static double quantile(double[] values, double p) {
        return quantileOf(finite(values, values.length), p);
    }

    /** @param of without NaN; is reordered */
    private static double quantileOf(double[] of, double p) {
        if (of.length == 0) {
            return Double.NaN;
        }
        double at = p * (of.length - 1);
        int low = (int) Math.floor(at);
        double below = Selection.select(of, low);
        if (low + 1 >= of.length) {
            return below;
        }
        return below + (at - low) * (Selection.leastFrom(of, low + 1) - below);
    }

    /**
     * Weighted median of the first so many values: the least one up to which, in their order, half of all weight lies. Both arrays are reordered.
     *
     * @param values without NaN
     * @param weights of the values, none below 0
     */
    public static double weightedMedianOf(double[] values, double[] weights, int count) {
        return Selection.weightedMedian(values, weights, count);
    }

    /**
     * Interquartile mean of the first so many values: the mean of what is left when a quarter is taken away at either end. Wild values move it as little as the median, and it has less noise.
     *
     * @param count how many; none of them is NaN
     */
    public static double middleMean(double[] values, int count) {
        int cut = count / 4;
        int behind = count - cut;
        double[] of = Arrays.copyOf(values, count);
        if (count == 0) {
            return Double.NaN;
        }
        Selection.select(of, behind - 1);
        double[] lower = Arrays.copyOf(of, behind);
        Selection.select(lower, cut);
        double sum = 0;
        for (int i = cut; i < behind; i++) {
            sum += lower[i];
        }
        return sum / (behind - cut);
    }

    /** The order statistic at or below a quantile, not interpolated: of few values it is the smaller one. */
    public static double lowerQuantile(double[] values, double p) {
        double[] of = finite(values, values.length);
        return of.length == 0 ? Double.NaN : Selection.select(of, (int) Math.floor(p * (of.length - 1)));
    }

    /**
     * The median of the first value, of the first two, and so on. Cost: O(n log n) comparisons and O(n^2) moves, as of a sort by insertion: for some hundred values.
     *
     * @param values without NaN
     * @return as many
     */
    public static double[] runningMedians(double[] values) {
        double[] sorted = new double[values.length];
        double[] medians = new double[values.length];
        for (int n = 0; n < values.length; n++) {
            int found = Arrays.binarySearch(sorted, 0, n, values[n]);
            int at = found < 0 ? -found - 1 : found;
            System.arraycopy(sorted, at, sorted, at + 1, n - at);
            sorted[at] = values[n];
            double below = sorted[n / 2];
            medians[n] = n % 2 == 0 ? below : below + 0.5 * (sorted[n / 2 + 1] - below);
        }
        return medians;
    }

    /** Quantile of an ascending array without NaN; NaN when it is empty. */
    public static double sortedQuantile(double[] sorted, double p) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double at = p * (sorted.length - 1);
        int low = (int) Math.floor(at);
        int high = Math.min(low + 1, sorted.length - 1);
        return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
    }

    /** Standard deviation estimated by the median absolute deviation from the median. */
    public static double sigma(double[] values) {
        return sigmaAround(values, median(values));
    }

    /** Standard deviation estimated by the median absolute deviation from a given centre. */
    public static double sigmaAround(double[] values, double centre) {
        double[] deviations = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            deviations[i] = Math.abs(values[i] - centre);
        }
        return MAD_TO_SIGMA * median(deviations);
    }

    /**
     * Root mean square distance from a given centre, tails included, with one degree of freedom taken for the centre; NaN with fewer than
     * two values that are not NaN.
     */
    public static double rmsAround(double[] values, double centre) {
        double sum = 0;
        int n = 0;
        for (double v : values) {
            if (!Double.isNaN(v)) {
                sum += (v - centre) * (v - centre);
                n++;
            }
        }
        return n > 1 ? Math.sqrt(sum / (n - 1)) : Double.NaN;
    }

    /**
     * Standard deviation estimated from the lower half alone: slow outliers, however many up to half, cannot inflate it.
     * The distance from the median to the lower quartile of a normal distribution is 0.6745 sigma.
     */
    public static double lowerSigma(double[] values) {
        double[] sorted = measured(values);
        return MAD_TO_SIGMA * (sortedQuantile(sorted, 0.5) - sortedQuantile(sorted, 0.25));
    }

    /**
     * Standard deviation estimated from the shortest interval that holds half of the values (the shorth): a second cluster of up to
     * half of the values cannot inflate it. Half of a normal distribution lies within 1.349 sigma.
     */
    public static double shorthSigma(double[] values) {
        double[] sorted = measured(values);
        int half = (sorted.length + 1) / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double shortest = Double.POSITIVE_INFINITY;
        for (int i = 0; i + half <= sorted.length; i++) {
            shortest = Math.min(shortest, sorted[i + half - 1] - sorted[i]);
        }
        return shortest / 1.349;
    }

    /** The values that are not NaN, ascending, in a fresh array. */
    public static double[] measured(double[] values) {
        double[] sorted = finite(values, values.length);
        Arrays.sort(sorted);
        return sorted;
    }

    /** Of the first so many values those that are not NaN. */
    private static double[] finite(double[] values, int count) {
        double[] copy = new double[count];
        int n = 0;
        for (int i = 0; i < count; i++) {
            if (!Double.isNaN(values[i])) {
                copy[n++] = values[i];
            }
        }
        return n == copy.length ? copy : Arrays.copyOf(copy, n);
    }
}
