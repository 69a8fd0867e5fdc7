package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.Arrays;

/** Which level of several is the healthy one. */
final class LinkLevels {
    /** Two clusters must be this many standard deviations of a cell apart. */
    private static final double CLUSTERS_APART = 4;

    /** And the lower one holds at least this share of the cells. */
    private static final double LEAST_CLUSTER = 0.08;

    private LinkLevels() {}

    /**
     * Median of the cells of a kind, or of the lower of two clusters, where the split that explains most (Otsu 1979) separates two
     * that are apart. Cost O(n log n).
     */
    static double lower(double[] cells, double sigma) {
        double[] sorted = Robust.measured(cells);
        int n = sorted.length;
        double total = Arrays.stream(sorted).sum();
        double low = 0;
        double best = 0;
        int split = n;
        for (int i = 1; i < n; i++) {
            low += sorted[i - 1];
            double apart = (total - low) / (n - i) - low / i;
            double between = apart * apart * i * (n - i);
            if (between > best && apart > CLUSTERS_APART * sigma && i >= Math.max(2, LEAST_CLUSTER * n)) {
                best = between;
                split = i;
            }
        }
        return Robust.sortedQuantile(Arrays.copyOf(sorted, split), 0.5);
    }
}
