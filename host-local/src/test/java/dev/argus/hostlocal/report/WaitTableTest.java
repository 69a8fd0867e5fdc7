package dev.argus.hostlocal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.WaitPairs;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who made whom wait: whatever the size, all cells sum to all waits. */
class WaitTableTest {
    private static JobShape shape(int world, int perHost) {
        RankSet all = RankSet.range(0, world - 1);
        Map<Integer, String> hosts = new HashMap<>();
        all.stream().forEach(r -> hosts.put(r, perHost > 0 ? "n" + r / perHost : ""));
        return new JobShape(
                0,
                world,
                all,
                hosts,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                List.of(all),
                List.of("all ranks"));
    }

    @Test
    void whoIsAccusedLeadsHoweverLittleItCausedAndSomeOthersStandBeside() {
        WaitTableBuilder builder = new WaitTableBuilder(shape(40, 0), RankSet.range(20, 39));
        for (int late = 0; late < 40; late++) {
            builder.waited(late, (late + 1) % 40, 1000L - late);
        }
        WaitTable table = builder.build();
        assertThat(table.rows())
                .extracting(WaitTable.Row::late)
                .startsWith("rank 20", "rank 21")
                .containsSequence("rank 26", "13 other accused ranks", "rank 0", "rank 1", "rank 2", "17 other ranks");
        assertThat(table.rows().stream().filter(WaitTable.Row::accused)).hasSize(WaitTable.MOST_ACCUSED + 1);
        assertThat(table.rows().stream().mapToLong(WaitTable.Row::totalNanos).sum())
                .isEqualTo(table.totalNanos());
    }

    @Test
    void fewRanksHaveAColumnEach() {
        WaitTableBuilder builder = new WaitTableBuilder(shape(3, 0), RankSet.EMPTY);
        builder.waited(1, 0, 5);
        builder.waited(1, 2, 7);
        builder.waited(WaitPairs.NOBODY, 0, 1);
        WaitTable table = builder.build();
        assertThat(table.columns()).containsExactly("rank 0", "rank 1", "rank 2");
        assertThat(table.rows()).extracting(WaitTable.Row::late).containsExactly("rank 1", "several together");
        assertThat(table.rows().getFirst().nanos()).containsExactly(5, 0, 7);
        assertThat(table.totalNanos()).isEqualTo(13);
    }

    @Test
    void manyRanksAreGatheredAndNothingIsLost() {
        for (int perHost : new int[] {0, 8, 100, 1000}) {
            WaitTableBuilder builder = new WaitTableBuilder(shape(1000, perHost), RankSet.EMPTY);
            Random random = new Random(3);
            long sum = 0;
            for (int i = 0; i < 20_000; i++) {
                int nanos = 1 + random.nextInt(1_000_000);
                sum += nanos;
                builder.waited(random.nextInt(1001) - 1, random.nextInt(1000), nanos);
            }
            WaitTable table = builder.build();
            assertThat(table.columns()).hasSizeBetween(1, WaitTable.MOST_COLUMNS);
            assertThat(table.rows()).hasSize(WaitTable.MOST_ROWS + 2);
            assertThat(table.totalNanos()).isEqualTo(sum);
            assertThat(table.rows().stream()
                            .mapToLong(r -> Arrays.stream(r.nanos()).sum())
                            .sum())
                    .isEqualTo(sum);
        }
    }

    @Test
    void aJobWithoutWaitsHasNoRows() {
        assertThat(new WaitTableBuilder(shape(4, 2), RankSet.EMPTY).build().rows())
                .isEmpty();
    }
}
