package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against the map of the library. */
class IntIndexTest {
    @Test
    void likeALinkedMap() {
        Random random = new Random(5);
        for (int room : new int[] {0, 5, 3000}) {
            IntIndex index = new IntIndex(room);
            Map<Integer, Integer> truth = new LinkedHashMap<>();
            for (int i = 0; i < 5000; i++) {
                int key = i % 3 == 0 ? random.nextInt() : random.nextInt(400) * 1024 - 1000;
                truth.putIfAbsent(key, truth.size());
                assertThat(index.add(key)).isEqualTo(truth.get(key));
            }
            assertThat(index.size()).isEqualTo(truth.size());
            truth.forEach((key, number) -> assertThat(index.get(key)).isEqualTo(number));
            assertThat(index.get(Integer.MIN_VALUE)).isEqualTo(-1);
            assertThat(index.sortedKeys())
                    .containsExactly(
                            truth.keySet().stream().mapToInt(k -> k).sorted().toArray());
        }
    }

    @Test
    void keysThatAscendAndThenDoNot() {
        IntIndex index = new IntIndex();
        for (int pass = 0; pass < 2; pass++) {
            for (int key = -50; key < 5000; key += 7) {
                assertThat(index.add(key)).isEqualTo((key + 50) / 7);
            }
        }
        assertThat(index.get(-49)).isEqualTo(-1);
        assertThat(index.get(6000)).isEqualTo(-1);
        assertThat(index.get(-50 + 7 * 600)).isEqualTo(600);
        int size = index.size();
        assertThat(index.add(-49)).isEqualTo(size);
        assertThat(index.add(-49)).isEqualTo(size);
        assertThat(index.get(-50)).isZero();
        assertThat(index.add(-60)).isEqualTo(size + 1);
        assertThat(index.sortedKeys()).isSorted().hasSize(size + 2).startsWith(-60, -50, -49, -43);
    }
}
