package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobShapeTest {
    private static JobShape on(int worldSize, Map<Integer, String> hosts) {
        return new JobShape(
                0,
                worldSize,
                RankSet.of(hosts.keySet()),
                hosts,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                List.of(),
                List.of());
    }

    @Test
    void ranksAreOnOneHostExactlyWhereTheirHostsAreCalledTheSame() {
        Map<Integer, String> hosts = Map.of(0, "a", 1, "a", 2, "b", 3, "", 40, "a", 41, "c");
        for (int worldSize : new int[] {0, 4, 64}) {
            JobShape shape = on(worldSize, hosts);
            assertThat(shape.hostCount()).isEqualTo(3);
            for (int one : new int[] {-1, 0, 1, 2, 3, 5, 40, 41, 1_000_000}) {
                for (int other : new int[] {-1, 0, 1, 2, 3, 5, 40, 41, 1_000_000}) {
                    assertThat(shape.onOneHost(one, other))
                            .as("%d and %d of %d", one, other, worldSize)
                            .isEqualTo(shape.hostOf(one).equals(shape.hostOf(other)));
                }
            }
        }
    }
}
