package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Against the map of the library. */
class IntMapTest {
    @Test
    void likeATreeMap() {
        Random random = new Random(5);
        IntMap<String> map = new IntMap<>();
        Map<Integer, String> truth = new TreeMap<>();
        for (int i = 0; i < 5000; i++) {
            int key = i % 3 == 0 ? random.nextInt() : random.nextInt(400) * 1024 - 1000;
            map.put(key, "v" + i);
            truth.put(key, "v" + i);
            if (i % 97 == 0) {
                assertThat(map.sortedKeys())
                        .containsExactly(
                                truth.keySet().stream().mapToInt(k -> k).toArray());
            }
        }
        assertThat(map.size()).isEqualTo(truth.size());
        truth.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        assertThat(map.get(Integer.MIN_VALUE)).isNull();
        IntMap<String> same = new IntMap<>();
        for (int key : map.sortedKeys()) {
            same.put(key, map.getOrDefault(key, ""));
        }
        assertThat(same).isEqualTo(map).hasSameHashCodeAs(map);
        same.put(7, "other");
        assertThat(same).isNotEqualTo(map);
    }
}
