package dev.argus.stats;

/**
 * Knots of a quantile function on the two grids: places between the events ({@link PositionGrid}) and bins of the values
 * ({@link LogBins}, {@link BinnedSample#BITS}). Modes follow each other; each owns the knots from its first to the one before the next
 * mode's first, its own minimum and maximum being the outer two.
 *
 * @param positionBits significant bits of the places
 * @param places ascending, from 0 to the last place
 * @param bins ascending
 * @param modeFirst index of the first knot of every mode, ascending from 0
 * @param errorRatio proven bound of W1 between the sample and what is rebuilt, as a share of the mean: of the whole or of a mode,
 *     whichever is worse
 */
@SuppressWarnings("ArrayRecordComponent")
public record Knots(int positionBits, int[] places, int[] bins, int[] modeFirst, double errorRatio) {

    /**
     * The quantile function of knots, every value multiplied by the one factor that makes the mean what the sum says.
     *
     * @param n number of events, &gt;= 1
     * @param sum exact sum of the events
     */
    public static QuantileFunction rebuild(long n, long sum, int positionBits, int[] places, int[] bins) {
        return toMean(plain(n, positionBits, places, bins), (double) sum / n);
    }

    /**
     * The mean that knots have before they are corrected: that of their quantile function. Allocates nothing.
     *
     * @throws IllegalArgumentException if they are not knots from place 0 to the last, ascending, as many places as bins
     */
    public static double plainMean(long n, int positionBits, int[] places, int[] bins) {
        PositionGrid grid = new PositionGrid(n, positionBits);
        require(places.length >= 2 && places.length == bins.length, places);
        double p = (double) grid.position(places[0]) / n;
        double q = LogBins.middle(bins[0], BinnedSample.BITS);
        require(p == 0, places);
        double area = 0;
        for (int i = 1; i < places.length; i++) {
            double nextP = (double) grid.position(places[i]) / n;
            double nextQ = LogBins.middle(bins[i], BinnedSample.BITS);
            require(p <= nextP && q <= nextQ, places);
            area += (nextP - p) * (q + nextQ) / 2;
            p = nextP;
            q = nextQ;
        }
        require(p == 1, places);
        return area;
    }

    private static void require(boolean holds, int[] places) {
        if (!holds) {
            throw new IllegalArgumentException(
                    places.length + " knots: expected places from the first to the last, with values, both ascending");
        }
    }

    private static QuantileFunction plain(long n, int positionBits, int[] places, int[] bins) {
        PositionGrid grid = new PositionGrid(n, positionBits);
        double[] p = new double[places.length];
        double[] q = new double[places.length];
        for (int i = 0; i < p.length; i++) {
            p[i] = (double) grid.position(places[i]) / n;
            q[i] = LogBins.middle(bins[i], BinnedSample.BITS);
        }
        return QuantileFunction.of(p, q);
    }

    /** The step function of events known by their bins, with the exact mean. */
    public static QuantileFunction steps(long sum, int[] bins) {
        double[] q = new double[bins.length];
        for (int i = 0; i < q.length; i++) {
            q[i] = LogBins.middle(bins[i], BinnedSample.BITS);
        }
        return toMean(QuantileFunction.steps(q), (double) sum / q.length);
    }

    private static QuantileFunction toMean(QuantileFunction plain, double mean) {
        double own = plain.mean();
        return own > 0 ? plain.scaled(mean / own) : plain;
    }

    /** Bins limited to a range, the outer ones set to its ends: the shape of one window between minimum and maximum of another. */
    public static int[] within(int[] bins, int first, int last) {
        int[] result = bins.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] = Math.max(first, Math.min(last, result[i]));
        }
        result[0] = first;
        result[result.length - 1] = last;
        return result;
    }

    /** Fresh bins, but where an old one is at most {@code still} bins away the old one; the outer two fresh; ascending. */
    public static int[] settled(int[] old, int[] fresh, int still) {
        int[] result = fresh.clone();
        int last = result.length - 1;
        for (int i = 1; i < last; i++) {
            int kept = Math.abs(old[i] - fresh[i]) <= still ? old[i] : fresh[i];
            result[i] = Math.max(result[i - 1], Math.min(kept, fresh[last]));
        }
        return result;
    }
}
