package dev.argus.stats;

import java.util.Arrays;

/**
 * Chooses few knots whose rebuilt quantile function is proven to lie within a share of the mean of a binned sample, in W1, as a whole
 * and mode by mode.
 *
 * <p>A value known to lie in a bin of half-width h around m is at most {@code |Q - m| + h} from Q; the bound is the integral of
 * that, after rounding to both grids and after the correction of the mean, so it holds whatever the values inside their bins
 * are. The distance between line and staircase is integrated exactly.
 *
 * <p>Method: the polyline of the staircase is simplified from above (split where the line is farthest off, the worst segment first:
 * Douglas and Peucker 1973, with the area between as the criterion), then knots that turn out not to be needed are taken
 * away, the cheapest first; positions are rounded to the coarsest grid that keeps the bound. Cost: O(bins x knots). Workspace of
 * one thread.
 */
public final class KnotFit {
    /** What the split leaves for rounding; tried in this order until a grid is found. Tuned with {@code bench compression}. */
    private static final double[] SPENT = {0.9, 0.7, 0.5, 0.35, 0.2, 0.1, 0};

    /** So many knots may be tried in vain before the search for one that is not needed ends. */
    private static final int VAIN = 2;

    private BinnedSample sample = new BinnedSample();
    private double sum;
    private double share;

    // the sample: events below each bin, its middle, and what the widths of the bins below add to the error
    private double[] edges = new double[65];
    private double[] middles = new double[64];
    private double[] inBins = new double[65];

    private int[] modeBins = {0};
    private double[] modeSums = {0};

    private int[] vertices = new int[64];
    private double[] errors = new double[64];
    private int size;

    private double[] p = new double[64];
    private double[] q = new double[64];
    private int[] places = new int[64];
    private int[] bins = new int[64];
    private int[] firsts = new int[8];
    private double[] mapped = new double[64];
    private double[] slopes = new double[64];

    /**
     * Fits.
     *
     * @param of the sample, not empty
     * @param firstBins for each mode the index of its first bin, as {@link DensityModes#firstBins}
     * @param exactSum exact sum of the values
     * @param errorShare largest W1, as a share of the mean; 0.005 or more, for the bins alone cost up to 0.0039
     * @return knots; their error exceeds the share only where the bins cannot do it
     */
    public Knots fit(BinnedSample of, int[] firstBins, double exactSum, double errorShare) {
        open(of, firstBins, exactSum, errorShare);
        for (double spent : SPENT) {
            split(spent);
            int bits = coarsest();
            if (bits > 0) {
                bits = prune(bits);
                return result(bits, check(bits));
            }
        }
        double error = check(PositionGrid.MOST_BITS, Double.MAX_VALUE);
        if (Double.isInfinite(error) && firstBins.length > 1) {
            return fit(of, new int[] {0}, exactSum, errorShare); // a mode between two neighbouring places: of no weight
        }
        return result(PositionGrid.MOST_BITS, error);
    }

    /**
     * The bound that given knots have for a sample: how knots of the window before are tried on this one.
     *
     * @param limit what is enough to know: above it only a part is measured
     * @return share of the mean, infinite where the knots do not fit
     */
    public double errorRatio(
            BinnedSample of,
            int[] firstBins,
            double exactSum,
            PositionGrid grid,
            int[] givenPlaces,
            int[] givenBins,
            int[] modeFirst,
            double limit) {
        open(of, firstBins, exactSum, 0);
        for (int m = 1; m < firstBins.length; m++) {
            if (firstBins[m] <= firstBins[m - 1]) {
                return Double.POSITIVE_INFINITY; // a mode without events
            }
        }
        size = givenPlaces.length;
        grow(size);
        firsts = modeFirst.clone();
        for (int i = 0; i < size; i++) {
            p[i] = grid.position(givenPlaces[i]);
            q[i] = LogBins.middle(givenBins[i], BinnedSample.BITS);
        }
        return measure(limit);
    }

    /**
     * The values of a sample at given places, where the modes keep their number: how the knots of the window before are moved.
     * Outer knots of a mode take its minimum and maximum; of two knots at one place the lower takes the value below it.
     */
    public int[] valuesAt(BinnedSample of, int[] firstBins, PositionGrid grid, int[] givenPlaces, int[] modeFirst) {
        open(of, firstBins, 1, 0);
        int[] values = new int[givenPlaces.length];
        for (int m = 0; m < modeFirst.length; m++) {
            int from = modeFirst[m];
            int to = m + 1 < modeFirst.length ? modeFirst[m + 1] : values.length;
            for (int i = from; i < to; i++) {
                double position = grid.position(givenPlaces[i]);
                boolean lower = i + 1 < to && givenPlaces[i + 1] == givenPlaces[i];
                int bin = of.at(lower ? position - 0.5 : position);
                values[i] = of.bin(Math.max(modeBins[m], Math.min(bin, modeBins[m + 1] - 1)));
            }
            values[from] = of.bin(modeBins[m]);
            values[to - 1] = of.bin(modeBins[m + 1] - 1);
        }
        return values;
    }

    private void open(BinnedSample of, int[] firstBins, double exactSum, double errorShare) {
        sample = of;
        sum = exactSum;
        share = errorShare;
        modeBins = Arrays.copyOf(firstBins, firstBins.length + 1);
        modeBins[firstBins.length] = of.size();
        modeSums = new double[firstBins.length];
        int n = of.size();
        if (middles.length < n) {
            edges = new double[2 * n + 1];
            middles = new double[2 * n];
            inBins = new double[2 * n + 1];
        }
        for (int i = 0; i < n; i++) {
            edges[i + 1] = of.before(i + 1);
            middles[i] = of.middle(i);
            inBins[i + 1] = inBins[i] + of.halfWidth(i) * (edges[i + 1] - edges[i]);
        }
        for (int m = 0; m < modeSums.length; m++) {
            for (int i = modeBins[m]; i < modeBins[m + 1]; i++) {
                modeSums[m] += (of.middle(i) - of.halfWidth(i)) * (of.before(i + 1) - of.before(i)); // at least
            }
        }
    }

    private double middle(int i) {
        return middles[i];
    }

    /** Vertex 2i is the start of the i-th bin's flat piece, 2i + 1 its end. */
    private double vertexPosition(int vertex) {
        return edges[(vertex + 1) >> 1];
    }

    private void split(double spent) {
        size = 0;
        if (firsts.length < modeSums.length) {
            firsts = new int[modeSums.length];
        }
        for (int m = 0; m < modeSums.length; m++) {
            firsts[m] = size;
            int first = 2 * modeBins[m];
            int last = 2 * modeBins[m + 1] - 1;
            double inMode = inBins[modeBins[m + 1]] - inBins[modeBins[m]];
            double allowed = Math.max(0, spent * (share * modeSums[m] - inMode));
            splitMode(first, last, allowed);
        }
    }

    private void splitMode(int first, int last, double allowed) {
        grow(size + 2);
        int start = size;
        vertices[size] = first;
        errors[size++] = 0;
        vertices[size] = last;
        errors[size++] = area(first, last);
        double total = errors[start + 1];
        while (total > allowed) {
            int worst = start + 1;
            for (int i = start + 2; i < size; i++) {
                worst = errors[i] > errors[worst] ? i : worst;
            }
            if (errors[worst] <= 0) {
                return;
            }
            int low = vertices[worst - 1];
            int high = vertices[worst];
            int at = farthest(low, high);
            grow(size + 1);
            System.arraycopy(vertices, worst, vertices, worst + 1, size - worst);
            System.arraycopy(errors, worst, errors, worst + 1, size - worst);
            size++;
            vertices[worst] = at;
            errors[worst] = area(low, at);
            errors[worst + 1] = area(at, high);
            total = 0;
            for (int i = start + 1; i < size; i++) {
                total += errors[i];
            }
        }
    }

    /** The vertex strictly between which is farthest above or below the line. */
    private int farthest(int low, int high) {
        double c0 = vertexPosition(low);
        double v0 = middle(low >> 1);
        double slope = slope(c0, v0, vertexPosition(high), middle(high >> 1));
        double most = -1;
        int at = low + 1;
        for (int v = low + 1; v < high; v++) {
            double off = Math.abs(v0 + slope * (vertexPosition(v) - c0) - middle(v >> 1));
            if (off > most) {
                most = off;
                at = v;
            }
        }
        return at;
    }

    private static double slope(double c0, double v0, double c1, double v1) {
        return c1 > c0 ? (v1 - v0) / (c1 - c0) : 0;
    }

    /** The area between the line from one vertex to another and the staircase. */
    private double area(int low, int high) {
        double c0 = vertexPosition(low);
        double v0 = middle(low >> 1);
        double c1 = vertexPosition(high);
        double slope = slope(c0, v0, c1, middle(high >> 1));
        double total = 0;
        for (int i = low >> 1; i <= high >> 1; i++) {
            double a = Math.max(c0, edges[i]);
            double b = Math.min(c1, edges[i + 1]);
            if (b > a) {
                double left = v0 + slope * (a - c0) - middle(i);
                double right = v0 + slope * (b - c0) - middle(i);
                total += absoluteArea(left, right) * (b - a);
            }
        }
        return total;
    }

    private static double absoluteArea(double left, double right) {
        if (left * right >= 0) {
            return Math.abs(left + right) / 2;
        }
        return (left * left + right * right) / (2 * Math.abs(right - left));
    }

    /** The fewest bits that keep the bound, or 0; found by halving, as if each bit more made it better. */
    private int coarsest() {
        if (check(PositionGrid.MOST_BITS) > share) {
            return 0;
        }
        int low = 0;
        int high = PositionGrid.MOST_BITS;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (check(middle) <= share) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** Takes away, again and again, the knot whose loss costs the least area, while the bound holds. */
    private int prune(int bits) {
        int vain = 0;
        for (int i = 0; i < size; i++) {
            errors[i] = loss(i);
        }
        while (vain < VAIN) {
            int least = 0;
            for (int i = 1; i < size; i++) {
                least = errors[i] < errors[least] ? i : least;
            }
            if (errors[least] == Double.POSITIVE_INFINITY) {
                break;
            }
            int vertex = vertices[least];
            remove(least);
            if (check(bits) <= share) {
                errors[least - 1] = Math.max(errors[least - 1], loss(least - 1));
                errors[least] = Math.max(errors[least], loss(least));
            } else {
                insert(least, vertex);
                errors[least] = Double.POSITIVE_INFINITY;
                vain++;
            }
        }
        int now = bits;
        while (now > 1 && check(now - 1) <= share) {
            now--;
        }
        return now;
    }

    /** The area that a knot saves; infinite for those that must stay. */
    private double loss(int knot) {
        if (knot == 0 || knot == size - 1 || isModeEnd(knot)) {
            return Double.POSITIVE_INFINITY;
        }
        int low = vertices[knot - 1];
        int high = vertices[knot + 1];
        return area(low, high) - area(low, vertices[knot]) - area(vertices[knot], high);
    }

    private boolean isModeEnd(int knot) {
        for (int m = 0; m < modeSums.length; m++) {
            if (firsts[m] == knot || firsts[m] == knot + 1) {
                return true;
            }
        }
        return false;
    }

    private void insert(int knot, int vertex) {
        grow(size + 1);
        System.arraycopy(vertices, knot, vertices, knot + 1, size - knot);
        System.arraycopy(errors, knot, errors, knot + 1, size - knot);
        vertices[knot] = vertex;
        size++;
        for (int m = 1; m < modeSums.length; m++) {
            firsts[m] += firsts[m] >= knot ? 1 : 0;
        }
    }

    private void remove(int knot) {
        System.arraycopy(vertices, knot + 1, vertices, knot, size - knot - 1);
        System.arraycopy(errors, knot + 1, errors, knot, size - knot - 1);
        size--;
        for (int m = 0; m < modeSums.length; m++) {
            firsts[m] -= firsts[m] > knot ? 1 : 0;
        }
    }

    /** Rounds the vertices to the grid and measures. */
    private double check(int bits) {
        return check(bits, share);
    }

    private double check(int bits, double limit) {
        round(new PositionGrid(sample.count(), bits));
        return measure(limit);
    }

    private void round(PositionGrid grid) {
        for (int i = 0; i < size; i++) {
            int vertex = vertices[i];
            double position = vertexPosition(vertex);
            places[i] = grid.nearest(position);
            p[i] = grid.position(places[i]);
            int bin = vertex >> 1;
            if (p[i] != position && !isModeEnd(i) && !jumps(i)) {
                bin = sample.at(p[i]); // on a slope: the value belongs to the place
                bin = Math.max(i == 0 ? 0 : vertices[i - 1] >> 1, Math.min(bin, vertices[i + 1] >> 1));
            }
            bins[i] = i > 0 ? Math.max(bins[i - 1], sample.bin(bin)) : sample.bin(bin);
            q[i] = LogBins.middle(bins[i], BinnedSample.BITS);
        }
        places[0] = 0;
        places[size - 1] = grid.last();
    }

    private boolean jumps(int knot) {
        return (knot > 0 && vertexPosition(vertices[knot - 1]) == vertexPosition(vertices[knot]))
                || (knot < size - 1 && vertexPosition(vertices[knot + 1]) == vertexPosition(vertices[knot]));
    }

    /** The bound of p, q for the sample, as a whole and by mode; only a part of it once it is above the limit. */
    private double measure(double limit) {
        double area = 0;
        for (int i = 1; i < size; i++) {
            area += (p[i] - p[i - 1]) * (q[i - 1] + q[i]) / 2;
        }
        double factor = area > 0 ? sum / area : 1;
        slopes(p, 0, size);
        double worst = ratio(distance(0, sample.size(), p, 0, size, factor, limit * sum), sum);
        for (int m = 0; m < modeSums.length && modeSums.length > 1 && worst <= limit; m++) {
            int from = firsts[m];
            int to = m + 1 < modeSums.length ? firsts[m + 1] : size;
            double low = edges[modeBins[m]];
            double high = edges[modeBins[m + 1]];
            double width = p[to - 1] - p[from];
            if (width <= 0) {
                return Double.POSITIVE_INFINITY;
            }
            for (int i = from; i < to; i++) {
                mapped[i] = low + (p[i] - p[from]) * ((high - low) / width);
            }
            mapped[to - 1] = high;
            slopes(mapped, from, to);
            worst = Math.max(
                    worst,
                    ratio(
                            distance(modeBins[m], modeBins[m + 1], mapped, from, to, factor, limit * modeSums[m]),
                            modeSums[m]));
        }
        return worst;
    }

    private void slopes(double[] at, int from, int to) {
        for (int k = from + 1; k < to; k++) {
            slopes[k] = slope(at[k - 1], q[k - 1], at[k], q[k]);
        }
    }

    private static double ratio(double error, double of) {
        return of > 0 ? error / of : 0;
    }

    /** Integral of |Q - middle| + half-width over the events of some bins; given up once it is above the limit. */
    private double distance(
            int fromBin, int toBin, double[] at, int fromKnot, int toKnot, double factor, double limit) {
        double[] e = edges;
        double[] m = middles;
        double total = inBins[toBin] - inBins[fromBin];
        int k = fromKnot + 1;
        int last = toKnot - 1;
        double a = e[fromBin];
        for (int i = fromBin; i < toBin && total <= limit; i++) {
            double end = e[i + 1];
            double middle = m[i];
            while (a < end) {
                while (k < last && at[k] <= a) {
                    k++;
                }
                double b = k == last ? end : Math.min(end, at[k]);
                double slope = factor * slopes[k];
                double left = factor * q[k - 1] + slope * (a - at[k - 1]) - middle;
                double right = left + slope * (b - a);
                total += absoluteArea(left, right) * (b - a);
                a = b;
            }
        }
        return total;
    }

    private Knots result(int bits, double error) {
        return new Knots(
                bits,
                Arrays.copyOf(places, size),
                Arrays.copyOf(bins, size),
                Arrays.copyOf(firsts, modeSums.length),
                error);
    }

    private void grow(int least) {
        if (vertices.length < least) {
            int n = 2 * least;
            vertices = Arrays.copyOf(vertices, n);
            errors = Arrays.copyOf(errors, n);
            p = Arrays.copyOf(p, n);
            q = Arrays.copyOf(q, n);
            places = Arrays.copyOf(places, n);
            bins = Arrays.copyOf(bins, n);
            mapped = Arrays.copyOf(mapped, n);
            slopes = Arrays.copyOf(slopes, n);
        }
    }
}
