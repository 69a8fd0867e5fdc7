package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.storage.Rows;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobRowsTest {
    /** An agent whose ranks are unknown loses each of their records; that is one row of a checkpoint, not one each, and none is dropped for the others. */
    @Test
    void whatIsMissingIsCountedByJobAndReason() {
        JobRows rows = new JobRows();
        for (int i = 0; i < 3 * JobRows.MOST_OTHERS; i++) {
            rows.add(new Rows.Loss("a", 100 + i, i % 2 == 0 ? "frame-missing" : "record-of-unknown-rank", 2));
        }
        JobRows later = new JobRows();
        later.add(new Rows.Loss("b", 7, "frame-missing", 1));
        later.add(new Rows.Loss("a", 8, "frame-missing", Long.MAX_VALUE));
        rows.addAll(later);
        assertThat(rows.losses())
                .containsExactly(
                        new Rows.Loss("a", 100, "frame-missing", Long.MAX_VALUE),
                        new Rows.Loss("a", 101, "record-of-unknown-rank", 3L * JobRows.MOST_OTHERS),
                        new Rows.Loss("b", 7, "frame-missing", 1));
        assertThat(rows.size()).isEqualTo(3);
        assertThat(rows.dropped()).isZero();
    }

    /** Reasons come from agents, too. */
    @Test
    void reasonsAreBounded() {
        JobRows rows = new JobRows();
        for (int i = 0; i <= JobRows.MOST_OTHERS; i++) {
            rows.add(new Rows.Loss("a", i, "reason-" + i, 1));
        }
        assertThat(rows.losses()).hasSize(JobRows.MOST_OTHERS);
        assertThat(rows.losses().getFirst().reason()).isEqualTo("reason-1");
        assertThat(rows.dropped()).isEqualTo(1);
    }

    private static Rows.Step step(String job, long number) {
        return new Rows.Step(job, 0, number, 1_000 * number, 900, 950, 3, 8);
    }

    @Test
    void whatFindsNoRoomIsKeptAsALossOfItsJob() {
        JobRows rows = new JobRows();
        for (int i = 0; i < JobRows.MOST_OTHERS + 3; i++) {
            rows.add(step("a", i));
        }
        JobRows together = new JobRows();
        together.add(step("b", 7));
        together.addAll(rows); // b's is the oldest
        assertThat(together.dropped()).isEqualTo(4);
        var batch = together.batch(1, 77, Map.of());
        assertThat(batch.steps()).hasSize(JobRows.MOST_OTHERS);
        assertThat(batch.losses())
                .containsExactlyInAnyOrder(
                        new Rows.Loss("a", 77, "row-not-stored", 3), new Rows.Loss("b", 77, "row-not-stored", 1));
        assertThat(new JobRows().batch(1, 77, Map.of()).losses()).isEmpty();
    }

    @Test
    void rowsAreCrowdedLongBeforeThereIsNoRoom() {
        JobRows rows = new JobRows();
        for (int i = 0; i < JobRows.MOST_OTHERS / 4; i++) {
            rows.add(step("a", i));
        }
        assertThat(rows.crowded()).isFalse();
        rows.add(step("a", JobRows.MOST_OTHERS));
        assertThat(rows.crowded()).isTrue();
        assertThat(rows.dropped()).isZero();
    }
}
