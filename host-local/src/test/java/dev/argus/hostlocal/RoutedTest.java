package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against the map of the library. */
class RoutedTest {
    private record Placed(long place, String record) {}

    @Test
    void recordsOfAKeyTogetherInTheirOrder() {
        Random random = new Random(4);
        Routed<String> routed = new Routed<>();
        for (int batch : new int[] {0, 1, 3000, 7, 500}) { // used again for each
            Map<Long, List<Placed>> truth = new LinkedHashMap<>();
            for (int i = 0; i < batch; i++) {
                long key = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(90) * (1L << 32);
                routed.add(i * 3L, key, "record " + i);
                truth.computeIfAbsent(key, k -> new ArrayList<>()).add(new Placed(i * 3L, "record " + i));
            }
            Map<Long, List<Placed>> found = new LinkedHashMap<>();
            routed.drain((key, records) -> {
                List<Placed> of = new ArrayList<>();
                records.forEach((place, record) -> of.add(new Placed(place, record)));
                assertThat(found.put(key, of)).isNull();
            });
            assertThat(new ArrayList<>(found.entrySet())).isEqualTo(new ArrayList<>(truth.entrySet()));
        }
        routed.drain((key, records) -> assertThat(key).isNull());
    }
}
