package dev.argus.hostlocal.live;

import dev.argus.model.Topology;
import org.jspecify.annotations.Nullable;

/**
 * How a job is watched.
 *
 * @param topology layout stated by the user, or null
 * @param latenessNanos how long a step waits for ranks that have not reported it, from when the first one has
 * @param settleNanos how long the first conclusion waits for ranks that the job has and that have not appeared
 * @param conclusionNanos least time between two conclusions; more where they cost more, and while all steps are alike ({@link ConclusionPace})
 * @param hangNanos least time without any progress that is a hang
 */
public record LiveOptions(
        @Nullable Topology topology, long latenessNanos, long settleNanos, long conclusionNanos, long hangNanos) {
    /** Of jobs up to this size the shape is made again at once. */
    static final int SMALL_RANKS = 64;

    /** The shape of a job of so many ranks is made again after the time that the first conclusion waits. */
    private static final int SETTLING_RANKS = 4096;

    private static final long SECOND = 1_000_000_000L;

    private static final long MOST_BETWEEN_SHAPES = 30 * SECOND;

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

    /** Least time from one shape to the next, while ranks declare one after the other: making it and feeding new detectors costs some seconds for ten thousand ranks. */
    long betweenShapes(int ranks) {
        return ranks <= SMALL_RANKS ? 0 : Math.min(MOST_BETWEEN_SHAPES, settleNanos * ranks / SETTLING_RANKS);
    }
}
