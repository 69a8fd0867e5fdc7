package dev.argus.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.List;

/**
 * Stated confidence against how often it is right, in ten bins of equal width.
 *
 * @param bins bins that have findings, ascending
 */
public record Calibration(List<Bin> bins) {
    /** Findings from which on a bin counts. */
    public static final int ENOUGH = 50;

    private static final int BINS = 10;

    /**
     * Findings of about the same confidence.
     *
     * @param from lower edge
     * @param count findings
     * @param confidence their mean confidence
     * @param right share that is right
     */
    public record Bin(double from, int count, double confidence, double right) {
        /** How much more is claimed than holds; below 0 when less is. */
        public double excess() {
            return confidence - right;
        }
    }

    static Calibration of(List<Score.Finding> findings) {
        List<Bin> bins = new ArrayList<>();
        for (int b = 0; b < BINS; b++) {
            int own = b;
            List<Score.Finding> inside = findings.stream()
                    .filter(f -> Math.min(BINS - 1, (int) (f.confidence() * BINS)) == own)
                    .toList();
            if (!inside.isEmpty()) {
                double mean = inside.stream()
                        .mapToDouble(Score.Finding::confidence)
                        .average()
                        .orElseThrow();
                long right = inside.stream().filter(Score.Finding::right).count();
                bins.add(new Bin(b / (double) BINS, inside.size(), mean, right / (double) inside.size()));
            }
        }
        return new Calibration(bins);
    }

    private List<Bin> full() {
        return bins.stream().filter(b -> b.count() >= ENOUGH).toList();
    }

    /** Expected calibration error over the bins with enough findings; NaN when there is none. */
    public double error() {
        int all = full().stream().mapToInt(Bin::count).sum();
        return full().stream()
                .mapToDouble(b -> Math.abs(b.excess()) * b.count() / all)
                .reduce(Double::sum)
                .orElse(Double.NaN);
    }

    /** Most that a bin with enough findings claims too much; NaN when there is none. */
    public double worstExcess() {
        return full().stream().mapToDouble(Bin::excess).max().orElse(Double.NaN);
    }
}
