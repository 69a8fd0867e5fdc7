package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerClockTest {
    private static final long SECOND = 1_000_000_000L;
    private long wall = 1_000 * SECOND;
    private long mono = 5 * SECOND;

    private final ServerClock clock = new ServerClock(() -> wall, () -> mono);

    @Test
    void followsTheWallClockWhileNobodySetsIt() {
        pass(10 * SECOND);
        assertThat(clock.nanos()).isEqualTo(1_010 * SECOND);
        assertThat(clock.errorNanos()).isZero();
    }

    @Test
    void anHourAheadIsCaughtUpWithSlowlyAndNotAtOnce() {
        wall += 3600 * SECOND;
        pass(SECOND);
        assertThat(clock.nanos()).isEqualTo(1_001 * SECOND + SECOND / 20);
        for (int i = 0; i < 21; i++) {
            pass(3600 * SECOND);
            clock.nanos();
        }
        assertThat(clock.errorNanos()).isZero();
    }

    @Test
    void neverGoesBack() {
        wall -= 3600 * SECOND;
        long before = clock.nanos();
        for (int i = 0; i < 100; i++) {
            pass(SECOND);
            long now = clock.nanos();
            assertThat(now).isGreaterThanOrEqualTo(before + SECOND * 9 / 10);
            before = now;
        }
    }

    private void pass(long nanos) {
        wall += nanos;
        mono += nanos;
    }
}
