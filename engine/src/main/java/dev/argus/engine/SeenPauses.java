package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Pauses that the job is seen to have waited for: in a step that is longer than the others, a gap of a rank that is about as long as
 * the step is longer. Each is too short to accuse its rank; what they are together says {@link WanderingPauses}.
 *
 * <p>A step counts as longer from {@value #SIGMAS} standard deviations of quiet steps on. Cost: O(ranks x steps).
 */
final class SeenPauses {
    /** Longer than quiet steps by so many of their standard deviations, and by a share of the step. */
    private static final double SIGMAS = 6;

    private static final double LEAST_RATIO = 0.015;

    /** A gap that explains a longer step has this share of it, and no more than so many times of it. */
    private static final double LEAST_SHARE = 0.5;

    private static final double MOST_SHARE = 2;

    /** Ranks kept of a step: more are no single pauses. */
    private static final int MOST_RANKS = 4;

    /** Steps from which on it is known what is quiet. */
    private static final int LEAST_STEPS = 5;

    /** A rank, by position, and a step. */
    record Pause(int r, int step, double nanos) {}

    private SeenPauses() {}

    /**
     * Finds them.
     *
     * @param excess gaps above the centre of the peers, [rank][step]; NaN where missing
     * @param stepNanos step times, the median of the ranks
     */
    static List<Pause> of(double[][] excess, double[] stepNanos) {
        if (stepNanos.length < LEAST_STEPS) {
            return List.of();
        }
        double quiet = Robust.quantile(stepNanos, 0.3);
        double sigma = Robust.shorthSigma(stepNanos);
        double least = Math.max(SIGMAS * sigma, LEAST_RATIO * quiet);
        List<Pause> pauses = new ArrayList<>();
        for (int s = 1; s < stepNanos.length; s++) {
            double longer = stepNanos[s] - quiet;
            if (!(longer >= least)) {
                continue;
            }
            int at = s;
            int[] ranks = IntStream.range(0, excess.length)
                    .filter(r -> excess[r][at] >= LEAST_SHARE * longer && excess[r][at] <= MOST_SHARE * longer)
                    .toArray();
            if (ranks.length <= MOST_RANKS) {
                Arrays.stream(ranks).forEach(r -> pauses.add(new Pause(r, at, Math.min(longer, excess[r][at]))));
            }
        }
        return pauses;
    }
}
