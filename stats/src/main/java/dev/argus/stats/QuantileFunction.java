package dev.argus.stats;

import java.util.Arrays;
import java.util.List;

/**
 * An ascending function on [0, 1], linear between knots: the inverse of a distribution. A jump is two knots at one
 * probability, an atom is two knots of one value. Immutable.
 *
 * <p>Every method is exact for the knots up to rounding of {@code double}. Cost: look-ups O(log k), distances O(k + m) for k and m
 * knots, no allocation but the result.
 */
public final class QuantileFunction {
    private final double[] p;
    private final double[] q;

    private QuantileFunction(double[] p, double[] q) {
        this.p = p;
        this.q = q;
    }

    /**
     * Of knots.
     *
     * @param probabilities ascending, not strictly, from 0 to 1
     * @param values ascending, not strictly
     * @throws IllegalArgumentException if they are not so, or fewer than 2
     */
    public static QuantileFunction of(double[] probabilities, double[] values) {
        int n = probabilities.length;
        if (n < 2 || values.length != n || probabilities[0] != 0 || probabilities[n - 1] != 1) {
            throw new IllegalArgumentException(n + " probabilities and " + values.length
                    + " values: expected as many of both, at least 2, from probability 0 to 1");
        }
        for (int i = 1; i < n; i++) {
            if (!(probabilities[i - 1] <= probabilities[i] && values[i - 1] <= values[i])) {
                throw new IllegalArgumentException("knot " + i + " (" + probabilities[i] + ", " + values[i]
                        + ") lies below its predecessor (" + probabilities[i - 1] + ", " + values[i - 1] + ")");
            }
        }
        return new QuantileFunction(probabilities.clone(), values.clone());
    }

    /** The step function of ascending values of equal weight: the inverse of their empirical distribution. */
    public static QuantileFunction steps(double[] ascending) {
        int n = ascending.length;
        double[] p = new double[2 * n];
        double[] q = new double[2 * n];
        for (int i = 0; i < n; i++) {
            p[2 * i] = (double) i / n;
            p[2 * i + 1] = (double) (i + 1) / n;
            q[2 * i] = ascending[i];
            q[2 * i + 1] = ascending[i];
        }
        return of(p, q);
    }

    /**
     * Of a mixture: what the events of several distributions have together. Exact. Cost: O(k log k) for k knots in all.
     *
     * @param parts one or more distributions
     * @param weights their shares, &gt; 0, on any scale
     */
    public static QuantileFunction mixture(List<QuantileFunction> parts, double[] weights) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        double total = Arrays.stream(weights).sum();
        double[] values = parts.stream()
                .flatMapToDouble(f -> Arrays.stream(f.q))
                .sorted()
                .distinct()
                .toArray();
        double[] p = new double[2 * values.length];
        double[] q = new double[2 * values.length];
        for (int i = 0; i < values.length; i++) {
            for (int k = 0; k < weights.length; k++) {
                p[2 * i] += weights[k] / total * parts.get(k).below(values[i]);
                p[2 * i + 1] += weights[k] / total * parts.get(k).cdf(values[i]);
            }
            q[2 * i] = values[i];
            q[2 * i + 1] = values[i];
        }
        p[0] = 0;
        p[p.length - 1] = 1;
        for (int i = 1; i < p.length; i++) {
            p[i] = Math.min(1, Math.max(p[i - 1], p[i])); // sums of equal shares differ in the last bit
        }
        return of(p, q);
    }

    /** The share of the distribution that is below a value. */
    private double below(double value) {
        int high = lowerBound(q, value);
        if (high == 0) {
            return 0;
        }
        return high == q.length ? 1 : between(value, q[high - 1], p[high - 1], q[high], p[high]);
    }

    /** Number of knots. */
    public int knots() {
        return p.length;
    }

    /** Smallest value. */
    public double min() {
        return q[0];
    }

    /** Largest value. */
    public double max() {
        return q[q.length - 1];
    }

    /** The mean of the distribution: the area below the function. */
    public double mean() {
        double area = 0;
        for (int i = 1; i < p.length; i++) {
            area += (p[i] - p[i - 1]) * (q[i - 1] + q[i]) / 2;
        }
        return area;
    }

    /** The value at a probability, 0..1; at a jump the lower one, as {@code x[ceil(p n) - 1]} is for n values. */
    public double at(double probability) {
        int high = lowerBound(p, probability);
        if (high == 0) {
            return q[0];
        }
        if (high == p.length) {
            return q[p.length - 1];
        }
        return between(probability, p[high - 1], q[high - 1], p[high], q[high]);
    }

    /** The share of the distribution that is not above a value. */
    public double cdf(double value) {
        int high = upperBound(q, value);
        if (high == 0) {
            return 0;
        }
        if (high == q.length) {
            return 1;
        }
        return between(value, q[high - 1], p[high - 1], q[high], p[high]);
    }

    /**
     * The mean over each of n equal parts of [0, 1]: their mean is that of the distribution, and the mean of their absolute
     * differences to those of another function is W1 where neither crosses the other inside a part, else a little less.
     */
    public double[] partMeans(int n) {
        double[] means = new double[n];
        int i = 1;
        double at = 0;
        for (int part = 0; part < n; part++) {
            double end = part + 1 == n ? 1 : (double) (part + 1) / n;
            double area = 0;
            while (at < end) {
                while (p[i] <= at && i < p.length - 1) {
                    i++;
                }
                double next = Math.min(end, p[i]);
                area += (next - at) * (value(i, at) + value(i, next)) / 2;
                at = next;
            }
            means[part] = area * n;
        }
        return means;
    }

    /** The function with every value multiplied by a factor &gt;= 0. */
    public QuantileFunction scaled(double factor) {
        double[] values = q.clone();
        for (int i = 0; i < values.length; i++) {
            values[i] *= factor;
        }
        return new QuantileFunction(p, values);
    }

    /** The part between two probabilities as a distribution of its own; one value where to &lt;= from. Jumps at its ends stay outside. */
    public QuantileFunction slice(double from, double to) {
        if (to <= from) {
            return steps(new double[] {at(from)});
        }
        double[] ps = new double[p.length + 2];
        double[] qs = new double[p.length + 2];
        int n = 0;
        qs[n++] = atFromAbove(from);
        for (int i = 0; i < p.length; i++) {
            if (p[i] > from && p[i] < to) {
                ps[n] = (p[i] - from) / (to - from);
                qs[n++] = q[i];
            }
        }
        ps[n] = 1;
        qs[n++] = at(to);
        return of(Arrays.copyOf(ps, n), Arrays.copyOf(qs, n));
    }

    private double atFromAbove(double probability) {
        int high = upperBound(p, probability);
        return high == p.length
                ? q[high - 1]
                : high == 0 ? q[0] : between(probability, p[high - 1], q[high - 1], p[high], q[high]);
    }

    /**
     * Where another function lies above this one and where below, as two areas. Their sum is the Wasserstein distance W1 (in one
     * dimension the area between quantile functions), their difference the shift of the mean.
     */
    public Shift shiftTo(QuantileFunction other) {
        double more = 0;
        double less = 0;
        int i = 1;
        int j = 1;
        double at = 0;
        while (i < p.length && j < other.p.length) {
            double next = Math.min(p[i], other.p[j]);
            if (next > at) {
                double left = other.value(j, at) - value(i, at);
                double right = other.value(j, next) - value(i, next);
                double positive = positiveArea(left, right) * (next - at);
                more += positive;
                less += positive - (left + right) / 2 * (next - at);
                at = next;
            }
            boolean mine = p[i] <= next;
            if (other.p[j] <= next) {
                j++;
            }
            if (mine) {
                i++;
            }
        }
        return new Shift(more, Math.max(0, less));
    }

    /** The value of the segment that ends at knot i. */
    private double value(int i, double probability) {
        return between(probability, p[i - 1], q[i - 1], p[i], q[i]);
    }

    private static double between(double x, double x0, double y0, double x1, double y1) {
        if (x >= x1) {
            return y1;
        }
        return x <= x0 || x1 == x0 ? y0 : y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
    }

    /** The area of the positive part of a line over an interval of length 1. */
    static double positiveArea(double left, double right) {
        if (left >= 0 && right >= 0) {
            return (left + right) / 2;
        }
        if (left <= 0 && right <= 0) {
            return 0;
        }
        double top = Math.max(left, right);
        return top / Math.abs(left - right) * top / 2;
    }

    private static int lowerBound(double[] a, double x) {
        int low = 0;
        int high = a.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (a[middle] < x) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static int upperBound(double[] a, double x) {
        int low = 0;
        int high = a.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (a[middle] <= x) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
