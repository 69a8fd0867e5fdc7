package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Which peers make the centre. */
class KernelDistanceTest {
    @RepeatedTest(50)
    void membersByOrderAreThoseOfAStableSort(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        int n = 1 + random.nextInt(60);
        int distinct = 1 + random.nextInt(20);
        double[] values = random.ints(n, 0, distinct).asDoubleStream().toArray();
        int[] sorted = IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> values[i]))
                .mapToInt(i -> i)
                .toArray();
        int[] places = random.ints(10, 0, n).toArray();
        assertThat(KernelDistance.Centre.byOrder(values, places))
                .containsExactly(Arrays.stream(places).map(p -> sorted[p]).toArray());
    }
}
