package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.storage.Rows;
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
}
