package dev.argus.engine;

import java.util.Arrays;

/**
 * How likely it is that a healthy job shows a stretch of gaps like this one somewhere.
 *
 * <p>Healthy gaps have a heavy tail and belong to nobody: whatever the tail looks like, the long ones fall on the ranks like dice. So of
 * the m cells (rank and step) of all peers that reach a level, k on one rank have the chance of a binomial tail with 1/n; and where
 * the level lies above everything the others have, each of the k is rarer still, by a Pareto tail of exponent {@value #TAIL}. The
 * smallest such chance over the levels of the stretch counts, times the number of ranks it could have been, times {@value #PLACES} for
 * the stretches it could have been.
 *
 * <p>Source: the binomial test on exceedances, with the usual correction for the best of many; the tail beyond the data is an assumption,
 * heavier than any pause of schedulers and allocators that we know of.
 */
final class GapChance {
    /** Above this the stretch is what a healthy job shows now and then. */
    static final double MOST = 0.002;

    /** Up to this a pause that nobody acts on is worth an observation. */
    static final double OBSERVED = 0.2;

    private static final double TAIL = 2;
    private static final int PLACES = 4;

    private GapChance() {}

    /**
     * The chance, at most 1.
     *
     * @param excess gaps above the centre, [rank][step]; NaN where a rank has no step
     * @param r the rank
     * @param first first step of the stretch
     * @param last last step of the stretch
     * @param bar cells of the stretch from this value on are what makes it one
     */
    static double of(double[][] excess, int r, int first, int last, double bar) {
        double[] own = new double[last - first + 1];
        int k = 0;
        for (int s = first; s <= last; s++) {
            if (excess[r][s] >= bar) {
                own[k++] = excess[r][s];
            }
        }
        own = Arrays.copyOf(own, k);
        Arrays.sort(own);
        double others = largestOfOthers(excess, r);
        double least = 1;
        int before = 0;
        for (int quarter = 1; quarter <= 4; quarter++) {
            int j = Math.max(1, k * quarter / 4);
            if (j == before || k == 0) {
                continue;
            }
            before = j;
            double level = own[k - j];
            double beyond = level > others ? Math.pow(Math.max(0, others) / level, TAIL * j) : 1;
            least = Math.min(least, beyond * upperTail(reaching(excess, level), 1.0 / excess.length, j));
        }
        return Math.min(1, least * excess.length * PLACES);
    }

    private static double largestOfOthers(double[][] excess, int r) {
        double largest = 0;
        for (int o = 0; o < excess.length; o++) {
            for (int s = 0; o != r && s < excess[o].length; s++) {
                largest = excess[o][s] > largest ? excess[o][s] : largest;
            }
        }
        return largest;
    }

    private static int reaching(double[][] excess, double level) {
        int m = 0;
        for (double[] row : excess) {
            for (double x : row) {
                m += x >= level ? 1 : 0;
            }
        }
        return m;
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
