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
}
