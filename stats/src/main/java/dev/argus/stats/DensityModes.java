package dev.argus.stats;

import java.util.Arrays;

/**
 * Separates the modes of a binned sample at the prominent valleys of its density, without being told how many there are.
 *
 * <p>The density is the sample smoothed by a Gaussian over the logarithm. Of all valleys the one is taken that stands out most
 * against Poisson noise; the two sides are then judged anew, each with a width from its own spread, so that a mode far away
 * hides nothing here. With N the number of events that the smoothing sees at a place, a valley separates where
 *
 * <pre>
 * 2 (sqrt(N peak) - sqrt(N valley)) &gt;= {@value #SIGNIFICANCE}     peak = the lower of the highest on either side; a standard normal under a flat density
 * N valley &lt;= {@value #DEPTH} N peak
 * distance of the peaks &gt;= {@value #LEAST_GAP} bins, 16 %
 * </pre>
 *
 * <p>The smoothing width follows Silverman (Density Estimation, 1986, eq. 3.31) with two departures: a factor of 0.6 instead of 0.9,
 * for the significance test is what guards against noise, and limits of {@value #LEAST_WIDTH} and {@value #MOST_WIDTH} bins. The
 * published way uses one width for the whole sample and merges modes 2x apart once a mode 100x away exists.
 *
 * <p>Cost: O(bins x taps) a split, taps about 25; the inner loop is the kind a compiler vectorises. Workspace of one thread.
 */
public final class DensityModes {
    private static final double SIGNIFICANCE = 5;
    private static final double DEPTH = 0.6;
    private static final int LEAST_GAP = 28;
    private static final double LEAST_WIDTH = 4;
    private static final double MOST_WIDTH = 40;
    private static final double WIDTH_FACTOR = 0.6;

    /** Taps reach so many widths; gaps of twice that are passed over, for nothing lies in them. */
    private static final double REACH = 3.5;

    private static final int CELLS_PER_WIDTH = 2;
    private static final int LEAST_COUNT = 8;

    private double[] cells = new double[256];
    private double[] density = new double[256];
    private double[] peakBefore = new double[256];
    private int[] cellOfPeak = new int[256];
    private int[] place = new int[64];
    private int[] borders = new int[8];
    private int count;
    private final int[] refused = new int[4];
    private final double[] taps = new double[CELLS_PER_WIDTH * 4 + 1];

    /**
     * Finds the modes.
     *
     * @return for each mode the index (in the sample) of its first bin, ascending; the first is 0
     */
    public int[] firstBins(BinnedSample sample) {
        count = 0;
        if (place.length < sample.size()) {
            place = new int[2 * sample.size()];
        }
        split(sample, 0, sample.size());
        int[] result = new int[count + 1];
        System.arraycopy(borders, 0, result, 1, count);
        return result;
    }

    private void split(BinnedSample sample, int from, int to) {
        long n = sample.before(to) - sample.before(from);
        if (n < LEAST_COUNT || sample.bin(to - 1) - sample.bin(from) < LEAST_GAP) {
            return;
        }
        double width = width(sample, from, to);
        int border = -1;
        Arrays.fill(refused, -1);
        for (int attempt = 0; attempt < refused.length && border < 0; attempt++) {
            int candidate = valley(sample, from, to, width);
            if (candidate < 0) {
                return;
            }
            if (stands(sample, from, to, candidate, width)) {
                border = candidate;
            } else {
                refused[attempt] = candidate;
            }
        }
        if (border < 0) {
            return;
        }
        split(sample, from, border);
        if (count == borders.length) {
            borders = Arrays.copyOf(borders, 2 * count);
        }
        borders[count++] = border;
        split(sample, border, to);
    }

    /** In bins. */
    private static double width(BinnedSample sample, int from, int to) {
        long n = sample.before(to) - sample.before(from);
        double sum = 0;
        double squares = 0;
        int origin = sample.bin(from);
        for (int i = from; i < to; i++) {
            double x = sample.bin(i) - origin;
            double c = sample.before(i + 1) - sample.before(i);
            sum += c * x;
            squares += c * x * x;
        }
        double sigma = Math.sqrt(Math.max(0, squares / n - sum / n * (sum / n)));
        double before = sample.before(from);
        double quartiles = sample.bin(sample.at(before + 0.75 * n)) - sample.bin(sample.at(before + 0.25 * n));
        double spread = Math.min(sigma, quartiles / 1.349);
        return Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, WIDTH_FACTOR * spread * Math.pow((double) n, -0.2)));
    }

    /** Index of the first bin above the most prominent valley, or -1 where none is prominent. */
    private int valley(BinnedSample sample, int from, int to, double width) {
        double perCell = width / CELLS_PER_WIDTH;
        int used = fill(sample, from, to, perCell);
        smooth(used);
        // the highest place up to here, from the left; then walk back from the right with the same
        double highest = -1;
        int at = 0;
        for (int i = 0; i < used; i++) {
            if (density[i] > highest) {
                highest = density[i];
                at = i;
            }
            peakBefore[i] = highest;
            cellOfPeak[i] = at;
        }
        double best = SIGNIFICANCE;
        int bestFirst = -1;
        int bestLast = -1;
        highest = -1;
        for (int i = used - 1; i > 0; i--) {
            if (density[i] > highest) {
                highest = density[i];
                at = i;
            }
            double peak = Math.min(highest, peakBefore[i]);
            double z = 2 * (Math.sqrt(peak) - Math.sqrt(density[i]));
            if (z >= best
                    && density[i] <= DEPTH * peak
                    && (at - cellOfPeak[i]) * perCell >= LEAST_GAP
                    && !isRefused(i, LEAST_GAP / perCell)) {
                bestLast = z > best || bestFirst != i + 1 ? i : bestLast;
                bestFirst = i;
                best = z;
            }
        }
        return bestFirst < 0 ? -1 : firstAbove(from, to, (bestFirst + bestLast) / 2.0);
    }

    /** Whether the valley is still one when seen with the width of the lower side alone: dips in a tail are not. */
    private boolean stands(BinnedSample sample, int from, int to, int border, double width) {
        double own =
                Math.max(width, width(sample, sideFrom(sample, from, border, to), sideTo(sample, from, border, to)));
        if (own <= width) {
            return true;
        }
        int used = fill(sample, from, to, own / CELLS_PER_WIDTH);
        smooth(used);
        int low = place[border - 1];
        int high = place[border];
        double left = 0;
        double right = 0;
        double valley = Double.POSITIVE_INFINITY;
        for (int i = 0; i < used; i++) {
            left = i <= low ? Math.max(left, density[i]) : left;
            right = i >= high ? Math.max(right, density[i]) : right;
            valley = i >= low && i <= high ? Math.min(valley, density[i]) : valley;
        }
        double peak = Math.min(left, right);
        return 2 * (Math.sqrt(peak) - Math.sqrt(valley)) >= SIGNIFICANCE && valley <= DEPTH * peak;
    }

    private static boolean upperIsLess(BinnedSample sample, int from, int border, int to) {
        return sample.before(to) - sample.before(border) < sample.before(border) - sample.before(from);
    }

    private static int sideFrom(BinnedSample sample, int from, int border, int to) {
        return upperIsLess(sample, from, border, to) ? border : from;
    }

    private static int sideTo(BinnedSample sample, int from, int border, int to) {
        return upperIsLess(sample, from, border, to) ? to : border;
    }

    private boolean isRefused(int cell, double reach) {
        for (int border : refused) {
            if (border >= 0 && cell > place[border - 1] - reach && cell < place[border] + reach) {
                return true;
            }
        }
        return false;
    }

    private int firstAbove(int from, int to, double cell) {
        int border = from + 1;
        while (border < to - 1 && place[border] <= cell) {
            border++;
        }
        return border;
    }

    /** Counts in cells of a part of the smoothing width; long empty stretches shortened. */
    private int fill(BinnedSample sample, int from, int to, double perCell) {
        int edge = (int) Math.ceil(REACH * CELLS_PER_WIDTH) + 1;
        int most = 2 * edge + 2;
        double exact = edge;
        for (int i = from; i < to; i++) {
            if (i > from) {
                exact += Math.min((sample.bin(i) - sample.bin(i - 1)) / perCell, most);
            }
            place[i] = (int) exact;
        }
        int used = place[to - 1] + edge + 1;
        if (cells.length < used) {
            cells = new double[2 * used];
            density = new double[2 * used];
            peakBefore = new double[2 * used];
            cellOfPeak = new int[2 * used];
        }
        Arrays.fill(cells, 0, used, 0);
        for (int i = from; i < to; i++) {
            cells[place[i]] += sample.before(i + 1) - sample.before(i);
        }
        return used;
    }

    /** Density as the number of events a smoothing sees: scaled by its equivalent width, 2 sqrt(pi) sigma. */
    private void smooth(int used) {
        int reach = (int) (REACH * CELLS_PER_WIDTH);
        for (int t = 0; t <= reach; t++) {
            double x = (double) t / CELLS_PER_WIDTH;
            taps[t] = Math.sqrt(2) * Math.exp(-x * x / 2);
        }
        double[] to = density;
        double[] in = cells;
        Arrays.fill(to, 0, used, 0);
        for (int i = 0; i < used; i++) {
            to[i] = taps[0] * in[i];
        }
        for (int t = 1; t <= reach; t++) {
            double weight = taps[t];
            for (int i = t; i < used - t; i++) {
                to[i] += weight * (in[i - t] + in[i + t]);
            }
        }
    }
}
