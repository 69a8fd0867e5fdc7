package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.Arrays;

/**
 * Takes out of durations what the work explains: where sequences differ in length, a kernel takes as long as it has tokens, and a rank is slow by
 * what it takes beyond that.
 *
 * <p>How the duration grows with the work is not assumed but fitted, for it depends on the kernel: a line through the origin in logarithms, by least absolute
 * deviations, so that slow ranks do not bend it. It is used where it explains most of what wanders or lies apart, and nowhere else. Cost: O(n) for n cells, two logarithms each of a kernel whose
 * work differs.
 */
final class WorkExplained {
    /** Work that differs by less from rank to rank explains nothing. */
    private static final double LEAST_DIFFERENCE = 0.01;

    /** What is left of the noise, at most, where the work explains it. */
    private static final double LEFT = 0.6;

    /** What wanders may seem to wander by so much more. */
    private static final double MORE = 1.1;

    /** Durations grow at most with the square of a length, and by a little more where caches end. */
    private static final double MOST_SLOPE = 2.5;

    private WorkExplained() {}

    /**
     * Takes it out of {@code relative}, in place.
     *
     * @param relative durations against the centre of each step, less 1, [rank][step]; NaN where missing
     * @param work what a launch has to do, [rank][step], in any unit; 0 or NaN where unknown
     * @return true if the work explains what wanders, and {@code relative} has changed
     */
    static boolean takeOut(double[][] relative, double[][] work) {
        int steps = relative.length == 0 ? 0 : relative[0].length;
        if (relative.length < 3 || steps == 0 || !differs(work, steps)) {
            return false;
        }
        double[] centre = new double[steps];
        for (int s = 0; s < steps; s++) {
            centre[s] = Robust.median(WorkAnalyst.column(work, s));
        }
        double slope = slope(relative, work, centre);
        if (!(slope > 0)) {
            return false;
        }
        double[][] left = new double[relative.length][steps];
        for (int r = 0; r < relative.length; r++) {
            for (int s = 0; s < steps; s++) {
                left[r][s] = (1 + relative[r][s]) * Math.exp(-slope * logOver(work[r][s], centre[s])) - 1;
            }
        }
        if (!explained(relative, left)) {
            return false;
        }
        for (int s = 0; s < steps; s++) {
            double middle = Robust.median(WorkAnalyst.column(left, s));
            for (int r = 0; r < left.length; r++) {
                relative[r][s] = (1 + left[r][s]) / (1 + middle) - 1;
            }
        }
        return true;
    }

    /**
     * True if most of what wanders from step to step is gone, or most of how ranks lie apart for good, as where one shard of the data is longer, and nothing wanders more.
     */
    private static boolean explained(double[][] before, double[][] after) {
        double wander = noise(before, true);
        double left = noise(after, true);
        return left <= LEFT * wander || (left <= MORE * wander && noise(after, false) <= LEFT * noise(before, false));
    }

    /** True if ranks have to do more than others in a step. */
    static boolean differs(double[][] work, int steps) {
        for (int s = 0; s < steps; s++) {
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            for (double[] row : work) {
                if (row[s] > 0) {
                    least = Math.min(least, row[s]);
                    most = Math.max(most, row[s]);
                }
            }
            if (most > (1 + LEAST_DIFFERENCE) * least) {
                return true;
            }
        }
        return false;
    }

    /**
     * How durations grow with work, both in logarithms: the weighted median of the slopes of all cells, which minimises the sum of absolute deviations from a line
     * through the origin. NaN where no work differs from the centre.
     *
     * @param centre work at which {@code relative} is 0, by step
     */
    static double slope(double[][] relative, double[][] work, double[] centre) {
        double[] slopes = new double[relative.length * centre.length];
        double[] weights = new double[slopes.length];
        int n = 0;
        for (int r = 0; r < relative.length; r++) {
            for (int s = 0; s < centre.length; s++) {
                double more = logOver(work[r][s], centre[s]);
                double longer = Math.log1p(relative[r][s]);
                if (Math.abs(more) >= LEAST_DIFFERENCE && !Double.isNaN(longer)) {
                    slopes[n] = longer / more;
                    weights[n++] = Math.abs(more);
                }
            }
        }
        double median = Robust.weightedMedianOf(slopes, weights, n);
        return Double.isNaN(median) ? Double.NaN : Math.clamp(median, 0, MOST_SLOPE);
    }

    private static double logOver(double work, double centre) {
        return work > 0 && centre > 0 ? Math.log(work / centre) : Double.NaN;
    }

    /** Typical distance from the centre, or of a rank from where it mostly is: a few slow ranks change neither. */
    private static double noise(double[][] relative, boolean ofEachRank) {
        double[] away = Arrays.stream(relative)
                .flatMapToDouble(row -> {
                    double usual = ofEachRank ? Robust.median(row) : 0;
                    return Arrays.stream(row).map(x -> Math.abs(x - usual));
                })
                .toArray();
        return Robust.medianOf(away);
    }
}
