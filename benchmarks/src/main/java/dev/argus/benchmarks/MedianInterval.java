package dev.argus.benchmarks;

import java.util.List;

/**
 * A median and the interval that holds the true one in 95 of 100 cases, by order statistics (each value lies below the median with probability one half; the
 * normal approximation of the binomial): nothing is assumed of the distribution.
 *
 * @param median middle value
 * @param low lower end
 * @param high upper end
 * @param count values
 */
record MedianInterval(double median, double low, double high, int count) {
    private static final double NORMAL_95 = 1.96;

    static MedianInterval of(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(d -> d).sorted().toArray();
        int n = sorted.length;
        int reach = (int) Math.ceil(NORMAL_95 * Math.sqrt(n) / 2);
        return new MedianInterval(
                Figure.median(values),
                sorted[Math.max(0, n / 2 - reach)],
                sorted[Math.min(n - 1, (n - 1) / 2 + reach)],
                n);
    }

    double width() {
        return high - low;
    }
}
