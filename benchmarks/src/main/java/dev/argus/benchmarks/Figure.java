package dev.argus.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One measured figure.
 *
 * @param name camel case, as in the contract
 * @param value median of the runs, or a figure derived from all of them; finite
 * @param unit such as {@code 1/s}, {@code B/s}, {@code s}, {@code x}
 * @param runs every run in the order measured, not empty
 * @param reference what it is compared with or how it was measured
 * @param bar what it has to reach; null = information only
 */
record Figure(
        String name,
        double value,
        String unit,
        List<Double> runs,
        String reference,
        @Nullable Bar bar) {
    Figure {
        runs = List.copyOf(runs);
        if (runs.isEmpty() || !Double.isFinite(value)) {
            throw new IllegalArgumentException("figure " + name + " has value " + value + " of " + runs.size()
                    + " runs: expected a finite one of 1 or more");
        }
    }

    /** The median of its runs. */
    static Figure median(String name, String unit, List<Double> runs, String reference, @Nullable Bar bar) {
        return new Figure(name, median(runs), unit, runs, reference, bar);
    }

    /** One count. */
    static Figure count(String name, String unit, long value, String reference, @Nullable Bar bar) {
        return single(name, unit, (double) value, reference, bar);
    }

    /** One value that was measured once. */
    static Figure single(String name, String unit, double value, String reference, @Nullable Bar bar) {
        return new Figure(name, value, unit, List.of(value), reference, bar);
    }

    /** Null for information. */
    @Nullable
    Boolean holds() {
        return bar == null ? null : bar.holds(value);
    }

    /** The middle value, or the mean of the two in the middle. */
    static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("the median of no values");
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The smallest run. */
    double least() {
        return runs.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    /** The largest run. */
    double most() {
        return runs.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** Element-wise ratio of two figures measured in the same rounds. */
    static List<Double> ratios(List<Double> numerators, List<Double> denominators) {
        if (numerators.size() != denominators.size()) {
            throw new IllegalArgumentException(
                    numerators.size() + " runs against " + denominators.size() + ": expected as many of both");
        }
        Double[] ratios = new Double[numerators.size()];
        Arrays.setAll(ratios, i -> numerators.get(i) / denominators.get(i));
        return List.of(ratios);
    }

    /** A number for people: whole without a fraction, else four significant digits. */
    static String plain(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e6) {
            return Long.toString((long) value);
        }
        if (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3) {
            return String.format(Locale.ROOT, "%.3e", value);
        }
        int decimals = Math.max(0, 3 - (int) Math.floor(Math.log10(Math.abs(value))));
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
        return text.indexOf('.') < 0 ? text : text.replaceAll("\\.?0+$", "");
    }
}
