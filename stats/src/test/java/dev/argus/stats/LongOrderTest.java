package dev.argus.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Against the stable sort of boxed positions. */
class LongOrderTest {
    private static int[] oracle(long[] keys, int n) {
        return IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @RepeatedTest(300)
    void randomKeysWithManyTies(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        int n = random.nextInt(400);
        long spread = 1L << random.nextInt(63);
        long[] keys = random.longs(n, -spread, spread).toArray();
        assertThat(LongOrder.ascending(keys, n)).isEqualTo(oracle(keys, n));
    }

    @RepeatedTest(100)
    void nearlySortedKeysAsTracesHaveThem(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        long[] keys = new long[25 + random.nextInt(2_000)];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = i / 3L + (random.nextInt(20) == 0 ? random.nextInt(-50, 50) : 0);
        }
        assertThat(LongOrder.ascending(keys, keys.length)).isEqualTo(oracle(keys, keys.length));
    }

    @Test
    void sortedKeysKeepTheirPlaces() {
        long[] keys = {Long.MIN_VALUE, -1, -1, 0, 7, 7, 7, Long.MAX_VALUE};
        assertThat(LongOrder.ascending(keys, 8)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void onlyTheFirstKeysCountAndTheKeysStay() {
        long[] keys = {3, 1, 2, 0};
        assertThat(LongOrder.ascending(keys, 3)).containsExactly(1, 2, 0);
        assertThat(keys).containsExactly(3, 1, 2, 0);
        assertThat(LongOrder.ascending(keys, 0)).isEmpty();
    }
}
