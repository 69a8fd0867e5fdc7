package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Pauses that the job is seen to have waited for: in a step that is longer than the others, a gap of a rank that is about as long as
 * the step is longer. Each is too short to accuse its rank; what they are together says {@link WanderingPauses}. A gap is held against what the same rank has in most
 * steps, for where all pause at once none stands out from the others.
 *
 * <p>A step counts as longer from {@value #SIGMAS} standard deviations of quiet steps on. Where some rank pauses in every step there are none: if steps without their longest
 * gap are all alike, and the steps themselves are not, that is how long quiet ones would be. Cost: O(ranks x steps x log steps).
 */
final class SeenPauses {
    /** Longer than quiet steps by so many of their standard deviations, and by a share of the step. */
    private static final double SIGMAS = 6;

    private static final double LEAST_RATIO = 0.015;

    /** A gap that explains a longer step has this share of it, and no more than so many times of it. */
    private static final double LEAST_SHARE = 0.5;

    private static final double MOST_SHARE = 2;

    /** What wanders in the length of steps, at most, when their longest gap is taken out, where some rank pauses in each. */
    private static final double ALWAYS_SHARE = 0.4;

    /** Ranks kept of a step, those with the longest gaps. */
    private static final int MOST_RANKS = 4;

    /** Steps from which on it is known what is quiet. */
    private static final int LEAST_STEPS = 5;

    /** A rank, by position, and a step. */
    record Pause(int r, int step, double nanos) {}

    private SeenPauses() {}

    /**
     * Finds them.
     *
     * @param gaps idle time, [rank][step]; NaN where missing
     * @param stepNanos step times, the median of the ranks
     */
    static List<Pause> of(double[][] gaps, double[] stepNanos) {
        if (stepNanos.length < LEAST_STEPS) {
            return List.of();
        }
        double[] usual =
                Arrays.stream(gaps).mapToDouble(g -> Robust.quantile(g, 0.4)).toArray();
        double[] without = withoutLongest(gaps, usual, stepNanos);
        double[] with = new double[without.length]; // the same steps
        Arrays.setAll(with, i -> Double.isNaN(without[i]) ? Double.NaN : stepNanos[i]);
        boolean always = Robust.rmsAround(without, Robust.median(without))
                <= ALWAYS_SHARE * Robust.rmsAround(with, Robust.median(stepNanos));
        double quiet =
                Math.min(Robust.quantile(stepNanos, 0.3), always ? Robust.median(without) : Double.POSITIVE_INFINITY);
        double sigma = Robust.shorthSigma(always ? without : stepNanos);
        double least = Math.max(SIGMAS * sigma, LEAST_RATIO * quiet);
        List<Pause> pauses = new ArrayList<>();
        for (int s = 1; s < stepNanos.length; s++) {
            double longer = stepNanos[s] - quiet;
            if (!(longer >= least)) {
                continue;
            }
            List<Pause> in = new ArrayList<>();
            for (int r = 0; r < gaps.length; r++) {
                double gap = gaps[r][s] - usual[r];
                if (gap >= LEAST_SHARE * longer && gap <= MOST_SHARE * longer) {
                    in.add(new Pause(r, s, gap));
                }
            }
            in.sort(Comparator.comparingDouble(Pause::nanos).reversed());
            in.stream()
                    .limit(MOST_RANKS)
                    .map(p -> new Pause(p.r(), p.step(), Math.min(longer, p.nanos())))
                    .forEach(pauses::add);
        }
        return pauses;
    }

    /** What the steps would take without the longest gap in each; NaN for the first, in which recorders start, and where no gap is known. */
    private static double[] withoutLongest(double[][] gaps, double[] usual, double[] stepNanos) {
        double[] without = stepNanos.clone();
        without[0] = Double.NaN;
        for (int s = 1; s < without.length; s++) {
            double longest = Double.NaN;
            for (int r = 0; r < gaps.length; r++) {
                double gap = Math.max(0, gaps[r][s] - usual[r]);
                if (gap >= 0 && !(gap <= longest)) {
                    longest = gap;
                }
            }
            without[s] -= longest;
        }
        return without;
    }
}
