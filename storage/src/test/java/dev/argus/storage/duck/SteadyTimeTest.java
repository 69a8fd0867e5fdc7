package dev.argus.storage.duck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A clock that jumps far is believed when it stays there. */
class SteadyTimeTest {
    private static final long MINUTE = 60 * Batches.SECOND;
    private static final long YEAR = 365 * 24 * Batches.HOUR;

    @Test
    void goesWithTheClock() {
        SteadyTime time = new SteadyTime(0);
        assertThat(time.at(Batches.EPOCH)).isEqualTo(Batches.EPOCH);
        assertThat(time.at(Batches.EPOCH + 24 * Batches.HOUR)).isEqualTo(Batches.EPOCH + 24 * Batches.HOUR);
        assertThat(time.at(Batches.EPOCH)).isEqualTo(Batches.EPOCH);
    }

    @Test
    void aJumpIsBelievedAfterAnHour() {
        SteadyTime time = new SteadyTime(Batches.EPOCH);
        for (long at = 0; at < 60; at++) {
            assertThat(time.at(Batches.EPOCH + YEAR + at * MINUTE)).isEqualTo(Batches.EPOCH);
        }
        assertThat(time.at(Batches.EPOCH + YEAR + 60 * MINUTE)).isEqualTo(Batches.EPOCH + YEAR + 60 * MINUTE);
    }

    @Test
    void aJumpAndBackIsForgotten() {
        SteadyTime time = new SteadyTime(Batches.EPOCH);
        assertThat(time.at(Batches.EPOCH + YEAR)).isEqualTo(Batches.EPOCH);
        assertThat(time.at(Batches.EPOCH + MINUTE)).isEqualTo(Batches.EPOCH + MINUTE);
        assertThat(time.at(Batches.EPOCH + YEAR + Batches.HOUR)).isEqualTo(Batches.EPOCH + MINUTE);
    }
}
