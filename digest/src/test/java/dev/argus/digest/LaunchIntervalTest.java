package dev.argus.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The pace of a CPU from its launches alone. */
class LaunchIntervalTest {
    private static final long[] NONE = {};

    /** Calls that take no time. */
    private static LaunchInterval of(long[] launched, long[] started) {
        return new LaunchInterval(launched, launched, started);
    }

    private static LaunchInterval paced(int launches, long nanos, long behind) {
        long[] launched = new long[launches];
        long[] started = new long[launches];
        for (int i = 0; i < launches; i++) {
            launched[i] = i * nanos;
            started[i] = i * nanos + behind;
        }
        return of(launched, started);
    }

    @Test
    void isTheTimeFromOneLaunchToTheNext() {
        LaunchInterval intervals = paced(200, 10_000, 5_000);
        assertThat(intervals.of(0, 1_000_000)).isEqualTo(10_000);
        assertThat(intervals.of(1_000_000, 2_000_000)).isEqualTo(10_000);
    }

    @Test
    void pausesAreNoPace() {
        long[] launched = new long[100];
        for (int i = 1; i < launched.length; i++) {
            launched[i] = launched[i - 1] + (i % 10 == 0 ? 5_000_000 : 10_000);
        }
        assertThat(of(launched, launched).of(0, Long.MAX_VALUE)).isEqualTo(10_000);
    }

    @Test
    void ofAGraphIsOneLaunch() {
        long[] launched = new long[1_000];
        for (int i = 0; i < launched.length; i++) {
            launched[i] = i / 10 * 10_000L;
        }
        assertThat(of(launched, launched).of(0, Long.MAX_VALUE)).isEqualTo(10_000);
    }

    /** A call that waits for room in the queue is no slow CPU. */
    @Test
    void theCallsThemselvesDoNotCount() {
        long[] launched = new long[100];
        long[] returned = new long[100];
        for (int i = 1; i < launched.length; i++) {
            launched[i] = launched[i - 1] + (i < 40 ? 15_000 : 400_000);
            returned[i - 1] = launched[i] - 10_000;
        }
        returned[99] = launched[99] + 5_000;
        assertThat(new LaunchInterval(launched, returned, launched).of(0, Long.MAX_VALUE))
                .isEqualTo(10_000);
    }

    /** Where the queue may be full the GPU sets the pace. */
    @Test
    void launchesFarAheadOfTheGpuAreLeftOut() {
        long[] launched = new long[1_000];
        long[] started = new long[1_000];
        for (int i = 1; i < launched.length; i++) {
            launched[i] = launched[i - 1] + (i < 500 ? 10_000 : 80_000);
            started[i] = i * 80_000L + 60_000_000;
        }
        LaunchInterval intervals = of(launched, started);
        assertThat(intervals.of(0, launched[600])).isEqualTo(10_000);
        assertThat(intervals.of(launched[600], Long.MAX_VALUE)).isEqualTo(-1);
    }

    @Test
    void isUnknownOfFewLaunchesAndOfNone() {
        assertThat(paced(32, 10_000, 0).of(0, Long.MAX_VALUE)).isEqualTo(-1);
        assertThat(paced(33, 10_000, 0).of(0, Long.MAX_VALUE)).isEqualTo(10_000);
        assertThat(of(NONE, NONE).of(0, Long.MAX_VALUE)).isZero();
        long[] unknown = new long[100];
        Arrays.fill(unknown, LaunchIndex.UNKNOWN);
        assertThat(of(unknown, new long[100]).of(0, Long.MAX_VALUE)).isZero();
    }

    /** Work starts in another order than it was launched in, where it runs on several streams. */
    @Test
    void ordersLaunches() {
        long[] launched = new long[100];
        long[] started = new long[100];
        for (int i = 0; i < launched.length; i++) {
            launched[i] = (i ^ 1) * 10_000L;
            started[i] = i * 10_000L + 20_000;
        }
        assertThat(of(launched, started).of(0, Long.MAX_VALUE)).isEqualTo(10_000);
    }
}
