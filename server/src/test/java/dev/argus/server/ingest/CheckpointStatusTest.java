package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CheckpointStatusTest {
    /** An operator is told once that a disk is full, not each time how many bytes more are missing. */
    @Test
    void problemsAreTheSameWhateverTheirNumbers() {
        var full = new Checkpoints.Status(3, 0, 0, 0, "batch 4: the disk of /d has room for 0 bytes, expected 6371703");
        assertThat(full.isProblem("batch 4: the disk of /d has room for 12 bytes, expected 7096667"))
                .isTrue();
        assertThat(full.isProblem("batch 4: the disk of /e has room for 0 bytes, expected 6371703"))
                .isFalse();
        assertThat(full.isProblem("")).isFalse();
        var fine = new Checkpoints.Status(3, 0, 0, 0, "");
        assertThat(fine.isProblem("")).isTrue();
        assertThat(fine.isProblem("17")).isFalse();
    }
}
