package dev.argus.hostlocal.live;

import java.util.List;

/**
 * A step that all ranks that report have ended, or were given up waiting for.
 *
 * @param attempt attempt of the job
 * @param step its number; within an attempt they ascend, unless the job counts them anew
 * @param ranks what was reported, ascending by rank; not empty
 */
public record JobStep(int attempt, long step, List<RankStep> ranks) {
    /** Copies defensively. */
    public JobStep {
        ranks = List.copyOf(ranks);
    }

    /** Median of its length over the ranks, the upper of two. */
    long lengthNanos() {
        long[] lengths = ranks.stream()
                .mapToLong(s -> s.digest().durationNanos())
                .sorted()
                .toArray();
        return lengths.length == 0 ? 0 : lengths[lengths.length / 2];
    }
}
