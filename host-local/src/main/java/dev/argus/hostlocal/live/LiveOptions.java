package dev.argus.hostlocal.live;

import dev.argus.model.Topology;
import org.jspecify.annotations.Nullable;

/**
 * How a job is watched.
 *
 * @param topology layout stated by the user, or null
 * @param latenessNanos how long a step waits for ranks that have not reported it, from when the first one has
 * @param settleNanos how long the first conclusion waits for ranks that the job has and that have not appeared
 * @param conclusionNanos least time between two conclusions of a job of {@value #CONCLUSION_RANKS} ranks or fewer; of more, in proportion, and {@value #QUIET} times as much while all its steps are alike
 * @param hangNanos least time without any progress that is a hang
 */
public record LiveOptions(
        @Nullable Topology topology, long latenessNanos, long settleNanos, long conclusionNanos, long hangNanos) {
    static final int CONCLUSION_RANKS = 64;
    private static final long SECOND = 1_000_000_000L;

    /** While all steps are alike conclusions lie so many times as far apart: an asked detector costs the same whatever it says. */
    static final int QUIET = 20;

    private static final long MOST_BETWEEN = 60 * SECOND;

    /** Ten seconds for late ranks, ten at the beginning, a quarter of a second between conclusions, half a minute of standstill. */
    public static final LiveOptions DEFAULT = new LiveOptions(null, 10 * SECOND, 10 * SECOND, SECOND / 4, 30 * SECOND);

    /** Refuses times that are not positive. */
    public LiveOptions {
        if (latenessNanos <= 0 || settleNanos < 0 || conclusionNanos < 0 || hangNanos <= 0) {
            throw new IllegalArgumentException("times of " + latenessNanos + ", " + settleNanos + ", " + conclusionNanos
                    + " and " + hangNanos + " ns: expected lateness and hang above 0, the others not below");
        }
    }

    /** The same with a layout stated by the user, or null. */
    public LiveOptions with(@Nullable Topology stated) {
        return new LiveOptions(stated, latenessNanos, settleNanos, conclusionNanos, hangNanos);
    }

    long betweenConclusions(int ranks, boolean stirred) {
        long scaled = (stirred ? 1 : QUIET) * conclusionNanos * Math.max(CONCLUSION_RANKS, ranks) / CONCLUSION_RANKS;
        return Math.min(Math.max(conclusionNanos, MOST_BETWEEN), scaled);
    }
}
