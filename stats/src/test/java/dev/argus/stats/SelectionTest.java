package dev.argus.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Against sorting; also where pivots are bad: ties, sorted, organ pipes. */
class SelectionTest {
    @Test
    void likeSorting() {
        Random random = new Random(11);
        for (IntToDoubleFunction make : new IntToDoubleFunction[] {
            i -> random.nextDouble(),
            i -> random.nextInt(3),
            i -> i,
            i -> -i,
            i -> Math.abs(i - 500),
            i -> i == 7 ? Double.POSITIVE_INFINITY : 1
        }) {
            for (int n : new int[] {1, 2, 33, 34, 100, 1001}) {
                double[] values = new double[n];
                Arrays.setAll(values, make);
                double[] sorted = values.clone();
                Arrays.sort(sorted);
                for (int k : new int[] {0, n / 4, n / 2, n - 1}) {
                    double[] a = values.clone();
                    assertThat(Selection.select(a, k)).isEqualTo(sorted[k]);
                    if (k + 1 < n) {
                        assertThat(Selection.leastFrom(a, k + 1)).isEqualTo(sorted[k + 1]);
                    }
                }
            }
        }
    }

    /** Against adding up in order; whole weights, so that sums are exact. */
    @Test
    void weightedMediansAreThoseOfTheDefinition() {
        Random random = new Random(12);
        for (int round = 0; round < 400; round++) {
            int n = 1 + random.nextInt(round < 300 ? 12 : 400);
            int values = 1 + random.nextInt(2 * n);
            double[] a = random.ints(n, 0, values).asDoubleStream().toArray();
            double[] weights = random.ints(n, 0, 4).asDoubleStream().toArray();
            weights[random.nextInt(n)] = 1;
            double[] given = Arrays.copyOf(a, n + 1); // one more than is asked for
            given[n] = Double.NaN;
            assertThat(Selection.weightedMedian(given, Arrays.copyOf(weights, n + 1), n))
                    .isEqualTo(inOrder(a, weights));
        }
        assertThat(Selection.weightedMedian(new double[0], new double[0], 0)).isNaN();
    }

    private static double inOrder(double[] a, double[] weights) {
        double all = Arrays.stream(weights).sum();
        for (double least : Arrays.stream(a).sorted().toArray()) {
            double upTo = 0;
            for (int i = 0; i < a.length; i++) {
                upTo += a[i] <= least ? weights[i] : 0;
            }
            if (2 * upTo >= all) {
                return least;
            }
        }
        return Double.NaN;
    }
}
