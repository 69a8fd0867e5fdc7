package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes come back, whether they lie in memory or in the file. */
class SpillStoreTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_000, 100_000, 1L << 40})
    void whatWentInComesOut(long limit) throws IOException {
        Random random = new Random(limit);
        try (SpillStore store = new SpillStore(limit)) {
            List<byte[]> all = new ArrayList<>();
            List<SpillStore.Ref> refs = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                byte[] bytes = new byte[random.nextInt(400)];
                random.nextBytes(bytes);
                all.add(bytes);
                refs.add(store.append(bytes));
            }
            for (int i = 499; i >= 0; i--) {
                assertThat(store.read(refs.get(i))).isEqualTo(all.get(i));
            }
            long inMemory = refs.stream()
                    .filter(r -> r.position() < 0)
                    .mapToLong(SpillStore.Ref::length)
                    .sum();
            assertThat(inMemory).isLessThanOrEqualTo(limit);
            boolean all2 = refs.stream().allMatch(r -> r.position() < 0);
            assertThat(all2).isEqualTo(limit == 1L << 40);
        }
    }

    @Test
    void aPositionNeverGivenIsRefused() throws IOException {
        try (SpillStore store = new SpillStore(10)) {
            store.append(new byte[3]);
            assertThatThrownBy(() -> store.read(new SpillStore.Ref(0, 3))).isInstanceOf(IllegalStateException.class);
        }
    }
}
