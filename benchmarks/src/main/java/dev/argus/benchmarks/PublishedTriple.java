package dev.argus.benchmarks;

import java.util.Arrays;

/**
 * The published summary, for comparison: (count, p50, p99) per density mode, rebuilt as log-normals; as defined beside the public
 * traces: natural logarithm of durations above 0, Gaussian density of width 1.06 sigma n^(-1/5) at 256 points, valleys with at least 3 events on
 * each side and 0.15 between them in logarithm, 24 bytes a mode.
 */
final class PublishedTriple {
    private static final int POINTS = 256;
    private static final int LEAST = 3;
    private static final double GAP = 0.15;
    private static final double Z99 = 2.3263478740408408;

    static final int BYTES_A_MODE = 24;

    private PublishedTriple() {}

    /** First position of each mode in the ascending positive durations. */
    static int[] modes(long[] ascending) {
        int n = ascending.length;
        double[] x = Arrays.stream(ascending).mapToDouble(Math::log).toArray();
        double mean = Arrays.stream(x).average().orElse(0);
        double sigma =
                Math.sqrt(Arrays.stream(x).map(v -> (v - mean) * (v - mean)).sum() / n);
        double width = 1.06 * sigma * Math.pow(n, -0.2);
        if (n < 2 * LEAST || !(width > 0)) {
            return new int[] {0};
        }
        double low = x[0] - 3 * width;
        double step = (x[n - 1] + 3 * width - low) / (POINTS - 1);
        double[] density = new double[POINTS];
        for (int i = 0; i < POINTS; i++) {
            for (double v : x) {
                double z = (low + i * step - v) / width;
                density[i] += Math.exp(-z * z / 2);
            }
        }
        int[] first = new int[POINTS];
        int count = 1;
        for (int i = 1; i < POINTS - 1; i++) {
            if (density[i] < density[i - 1] && density[i] <= density[i + 1]) {
                int at = above(x, low + i * step);
                boolean room = at - first[count - 1] >= LEAST && n - at >= LEAST;
                if (room && x[at] - x[at - 1] >= GAP) {
                    first[count++] = at;
                }
            }
        }
        return Arrays.copyOf(first, count);
    }

    private static int above(double[] x, double value) {
        int at = 0;
        while (at < x.length && x[at] <= value) {
            at++;
        }
        return at;
    }

    /** As many ascending durations as there were, as the log-normals have them. */
    static double[] rebuilt(long[] ascending) {
        int n = ascending.length;
        int zeros = 0;
        while (zeros < n && ascending[zeros] == 0) {
            zeros++;
        }
        long[] positive = Arrays.copyOfRange(ascending, zeros, n);
        double[] rebuilt = new double[n];
        if (positive.length > 0) {
            int[] first = modes(positive);
            for (int m = 0; m < first.length; m++) {
                int to = m + 1 < first.length ? first[m + 1] : positive.length;
                fill(positive, first[m], to, rebuilt, zeros);
            }
        }
        Arrays.sort(rebuilt);
        return rebuilt;
    }

    private static void fill(long[] positive, int from, int to, double[] into, int offset) {
        int n = to - from;
        double p50 = positive[from + (int) Math.ceil(0.5 * n) - 1];
        double p99 = positive[from + (int) Math.ceil(0.99 * n) - 1];
        double sigma = Math.log(p99 / p50) / Z99;
        for (int i = 0; i < n; i++) {
            into[offset + from + i] = p50 * Math.exp(sigma * normalQuantile((i + 0.5) / n));
        }
    }

    static int bytes(long[] ascending) {
        long[] positive = Arrays.stream(ascending).filter(v -> v > 0).toArray();
        return BYTES_A_MODE * (positive.length == 0 ? 1 : modes(positive).length);
    }

    /** Inverse of the normal distribution function by Acklam's rational approximation (2003), relative error below 1.2e-9. */
    static double normalQuantile(double p) {
        double[] a = {
            -3.969683028665376e+01,
            2.209460984245205e+02,
            -2.759285104469687e+02,
            1.383577518672690e+02,
            -3.066479806614716e+01,
            2.506628277459239e+00
        };
        double[] b = {
            -5.447609879822406e+01,
            1.615858368580409e+02,
            -1.556989798598866e+02,
            6.680131188771972e+01,
            -1.328068155288572e+01,
            1
        };
        double[] c = {
            -7.784894002430293e-03,
            -3.223964580411365e-01,
            -2.400758277161838e+00,
            -2.549732539343734e+00,
            4.374664141464968e+00,
            2.938163982698783e+00
        };
        double[] d = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1};
        if (p < 0.02425) {
            double q = Math.sqrt(-2 * Math.log(p));
            return polynomial(c, q) / polynomial(d, q);
        }
        if (p > 1 - 0.02425) {
            return -normalQuantile(1 - p);
        }
        double q = p - 0.5;
        return polynomial(a, q * q) * q / polynomial(b, q * q);
    }

    private static double polynomial(double[] coefficients, double x) {
        double sum = 0;
        for (double c : coefficients) {
            sum = sum * x + c;
        }
        return sum;
    }
}
