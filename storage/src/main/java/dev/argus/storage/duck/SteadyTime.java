package dev.argus.storage.duck;

import java.time.Duration;

/**
 * Time for retention, of a clock that may jump: a step of more than a day is believed when the clock has stayed on its far side for an hour. Until then the time before counts, so that a wrong clock does not remove a year of
 * incidents. Thread-safe.
 */
final class SteadyTime {
    private static final long FAR = Duration.ofDays(1).toNanos();
    private static final long PATIENCE = Duration.ofHours(1).toNanos();

    private long believed;
    private long doubtedSince;
    private boolean doubting;

    /** Begins with a time that was believed, 0 for none. */
    SteadyTime(long believed) {
        this.believed = believed;
    }

    /** What the clock says, or what is believed instead. */
    synchronized long at(long nowNanos) {
        if (believed == 0 || near(nowNanos, believed)) {
            doubting = false;
            believed = nowNanos;
        } else if (!doubting || !near(nowNanos, doubtedSince)) {
            doubting = true;
            doubtedSince = nowNanos;
        } else if (nowNanos - doubtedSince >= PATIENCE) {
            doubting = false;
            believed = nowNanos;
        }
        return believed;
    }

    private static boolean near(long a, long b) {
        long far = a - b;
        return far <= FAR && far >= -FAR;
    }
}
