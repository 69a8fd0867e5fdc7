package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointPaceTest {
    /** Seconds; a checkpoint that waited 8 s for a job with much to judge, and worked for half a second, was followed by a pause of 76 s. */
    @ParameterizedTest
    @CsvSource({"5, 0.1, 0.1, 4.9", "5, 2, 2, 18", "5, 8.5, 0.5, 4.5", "5, 8.5, 0, 0", "5, 0, 0, 5"})
    void aPauseIsAsLongAsWhatACheckpointWorksDemands(double each, double took, double work, double pause) {
        assertThat(Ingest.pauseNanos(nanos(each), nanos(took), nanos(work))).isEqualTo(nanos(pause));
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
