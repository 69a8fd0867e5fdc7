package dev.argus.trace.export;

import dev.argus.model.RankSet;
import org.jspecify.annotations.Nullable;

/**
 * What of a job goes into a timeline. Steps are cut by each rank's own marks; a rank without marks is cut by time. What lies across
 * the border is kept whole.
 *
 * @param attempt attempt of the job, or -1 for all
 * @param ranks ranks, or null for all, with those whose number is unknown
 * @param firstStep first step, the framework's number
 * @param lastStep last step, inclusive
 * @param fromNanos for ranks without marks: not before, nanoseconds since the Unix epoch
 * @param untilNanos for ranks without marks: not after
 */
public record TimelineCut(
        int attempt, @Nullable RankSet ranks, long firstStep, long lastStep, long fromNanos, long untilNanos) {
    /** Everything. */
    public static final TimelineCut ALL =
            new TimelineCut(-1, null, Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);

    /** True if this rank of this attempt is wanted. */
    public boolean has(int ofAttempt, int rank) {
        return (attempt < 0 || attempt == ofAttempt) && (ranks == null || ranks.contains(rank));
    }

    /** True if all steps are wanted. */
    boolean allSteps() {
        return firstStep == Long.MIN_VALUE && lastStep == Long.MAX_VALUE;
    }
}
