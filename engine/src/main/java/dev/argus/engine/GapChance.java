package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.Arrays;

/**
 * How likely it is that a healthy job shows a stretch of gaps like this one somewhere.
 *
 * <p>Healthy gaps have a heavy tail and belong to nobody: whatever the tail looks like, the long ones fall on the ranks like dice. So of
 * the m cells (rank and step) of all peers that reach a level, k on one rank have the chance of a binomial tail with 1/n; and where
 * the level lies above everything the others have, each of the k is rarer still, by a Pareto tail of exponent {@value #TAIL}. The
 * smallest such chance over the levels of the stretch counts, times the ranks of the job it could have been, times {@value #PLACES} for
 * the stretches it could have been.
 *
 * <p>The same holds of single kernels that take several times as long now and then ({@link KernelShift}).
 *
 * <p>Source: the binomial test on exceedances, with the usual correction for the best of many; the tail beyond the data is an assumption,
 * heavier than any pause of schedulers and allocators that we know of.
 */
final class GapChance {
    /** Above this the stretch is what a healthy job shows now and then. */
    static final double MOST = 0.002;

    /** Up to this a single pause of medium length accuses: nothing of all the others comes near it. */
    static final double SINGLE = 0.02;

    /** Up to this a pause that nobody acts on is worth an observation. */
    static final double OBSERVED = 0.3;

    private static final double TAIL = 2;
    private static final int PLACES = 4;

    private final double[][] excess;
    private final long family;
    private final double[][] settled;
    private final double[] sorted;
    private final int largestRow;
    private final double largest;
    private final double second;

    /**
     * Of one part of own time. Cost: O(n log n) for n cells; a question costs O(steps + log n).
     *
     * @param excess gaps above the centre, [rank][step]; NaN where a rank has no step. What a rank has at most of its steps is its way of
     *     working and no chance: its cells count as far as they are above that.
     * @param family ranks of the job times looks at it: any of them could have been it
     */
    GapChance(double[][] excess, long family) {
        this.excess = excess;
        this.family = Math.max(family, excess.length);
        settled = new double[excess.length][];
        int row = -1;
        double most = 0;
        double next = 0;
        for (int r = 0; r < excess.length; r++) {
            double usual = Math.max(0, orZero(Robust.median(excess[r])));
            settled[r] = Arrays.stream(excess[r]).map(x -> x - usual).toArray();
            double own = Arrays.stream(settled[r])
                    .filter(x -> !Double.isNaN(x))
                    .max()
                    .orElse(0);
            if (own > most) {
                next = most;
                most = own;
                row = r;
            } else {
                next = Math.max(next, own);
            }
        }
        largestRow = row;
        largest = most;
        second = next;
        sorted = Arrays.stream(settled)
                .flatMapToDouble(Arrays::stream)
                .filter(x -> x > 0)
                .sorted()
                .toArray();
    }

    /**
     * The chance, at most 1.
     *
     * @param r the rank
     * @param first first step of the stretch
     * @param last last step of the stretch
     * @param bar cells of the stretch from this value on are what makes it one
     */
    double of(int r, int first, int last, double bar) {
        return of(r, excess[r], first, last, bar);
    }

    /** The same for what a rank has beyond its own usual: of a fault that comes and goes. */
    double ofOwnHistory(int r, int first, int last, double bar) {
        return of(r, settled[r], first, last, bar);
    }

    private double of(int r, double[] row, int first, int last, double bar) {
        double[] own = Arrays.stream(row, first, last + 1)
                .filter(x -> x >= bar)
                .sorted()
                .toArray();
        int k = own.length;
        double others = r == largestRow ? second : largest;
        double least = 1;
        int before = 0;
        for (int quarter = 1; quarter <= 4 && k > 0; quarter++) {
            int j = Math.max(1, k * quarter / 4);
            if (j == before) {
                continue;
            }
            before = j;
            double level = own[k - j];
            double beyond = level > others ? Math.pow(others / level, TAIL * j) : 1;
            int m = reaching(level) - count(settled[r], level) + count(row, level);
            least = Math.min(least, beyond * upperTail(m, 1.0 / excess.length, j));
        }
        return Math.min(1, least * family * PLACES);
    }

    /** Cells of all ranks that reach a level above 0. */
    private int reaching(double level) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < level) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return sorted.length - low;
    }

    private static int count(double[] row, double level) {
        int n = 0;
        for (double x : row) {
            n += x >= level ? 1 : 0;
        }
        return n;
    }

    private static double orZero(double v) {
        return Double.isNaN(v) ? 0 : v;
    }

    /** P(at least k of m), each with probability p. */
    static double upperTail(int m, double p, int k) {
        double log = 0;
        for (int i = 1; i <= k; i++) {
            log += Math.log((double) (m - k + i) / i) + Math.log(p);
        }
        log += (m - k) * Math.log1p(-p);
        double term = Math.exp(log);
        double sum = term;
        for (int i = k + 1; i <= m && term > sum * 1e-12; i++) {
            term *= (double) (m - i + 1) / i * p / (1 - p);
            sum += term;
        }
        return Math.min(1, sum);
    }
}
