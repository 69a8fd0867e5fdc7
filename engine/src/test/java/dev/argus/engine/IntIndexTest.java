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
}
