package dev.argus.agent.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Launches whose kernels have not ended, held against a plain map. */
class GpuLaunchesTest {
    private final GpuLaunches launches = new GpuLaunches();

    @Test
    void theOldestOpenLaunchIsKnownWhateverTheOrderOfEnds() {
        Random random = new Random(3);
        Map<Integer, Long> plain = new HashMap<>();
        int next = 1000;
        for (int i = 0; i < 20_000; i++) {
            if (plain.size() < 3000 && random.nextInt(5) < 3) {
                launches.launched(next, 1, 10L * next);
                plain.put(next, 10L * next);
                next++;
            } else if (!plain.isEmpty()) {
                int at = plain.keySet().stream()
                        .skip(random.nextInt(Math.min(20, plain.size())))
                        .findFirst()
                        .orElseThrow();
                assertThat(launches.ended(at)).isTrue();
                assertThat(launches.foundStart()).isEqualTo(plain.remove(at));
            }
            if (i % 500 == 0) {
                assertThat(launches.oldest())
                        .isEqualTo(
                                plain.values().stream().mapToLong(n -> n).min().orElse(Long.MAX_VALUE));
            }
        }
        assertThat(launches.open()).isEqualTo(plain.size());
        assertThat(launches.givenUp()).isZero();
    }

    @Test
    void aKernelMayBeToldBeforeItsLaunch() {
        assertThat(launches.ended(7)).isFalse();
        assertThat(launches.launched(7, 3, 100)).isTrue();
        assertThat(launches.foundThread()).isEqualTo(3);
        assertThat(launches.oldest()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void launchesWhoseEndIsNeverToldAreBoundedAndCounted() {
        for (int i = 0; i < 3 * GpuLaunches.MOST; i++) {
            launches.launched(i, 1, i);
        }
        assertThat(launches.open()).isEqualTo(GpuLaunches.MOST);
        assertThat(launches.givenUp()).isEqualTo(2L * GpuLaunches.MOST);
        assertThat(launches.oldest()).isEqualTo(2L * GpuLaunches.MOST);
        launches.over(3L * GpuLaunches.MOST - 5);
        assertThat(launches.open()).isEqualTo(5);
        launches.over(1, 0, Long.MAX_VALUE);
        assertThat(launches.open()).isZero();
    }
}
