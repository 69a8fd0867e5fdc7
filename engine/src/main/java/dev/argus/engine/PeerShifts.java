package dev.argus.engine;

import dev.argus.model.RankSet;
import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the step since which many ranks of a peer set compute longer: what comparing the ranks of a step with each other cannot show,
 * because the centre moves with them.
 *
 * <p>Each rank is divided by its own median over the steps. Over the ranks, an upper and a lower quartile a step are looked at: whatever share
 * of the ranks from a quarter on changes, and whether they did early or late, one of both shows a step. Method: the split at which the
 * medians differ most, of those whose two sides do not overlap; where there is none, the stretch of {@value #MIN_PASSING} steps or more that lies above all others: a change that is over by the end. Cost: O(ranks x steps x log
 * ranks + steps^2 log steps).
 */
final class PeerShifts {
    /** Steps demanded on either side. */
    private static final int MIN_STEPS = 2;

    /** Steps of a change that is over by the end; where it has no more it must be large: there are more stretches than splits, and a few long steps are no change. */
    private static final int MIN_PASSING = 3;

    private static final double SHORT_PASSING_RATIO = 0.15;

    /** Least change where either side has fewer than three steps. */
    private static final double FEW_RATIO = 0.03;

    /** Fewer ranks than this share are found by comparison with the others. */
    private static final double LEAST_SHARE = 0.25;

    /** A change must exceed its noise by so much: there are as many possible steps. */
    private static final double SIGMAS = 5;

    /** Ranks that changed are alike in it, and apart from those that did not: shares of the typical change. */
    private static final double LEAST_OF_CHANGED = 0.6;

    private static final double MOST_OF_CHANGED = 1.6;
    private static final double MOST_OF_OTHERS = 0.4;

    /** Work that differs by more explains a change of compute. */
    private static final double SAME_WORK = 0.01;

    /** From this spread of compute from step to step on it is held against the work done, which varies with it. */
    private static final double UNEVEN = 0.02;

    private PeerShifts() {}

    /**
     * The shift, or null.
     *
     * @param compute own compute, [rank][step]; NaN where missing
     * @param work threads launched, likewise
     * @param within standard deviation of a rank from step to step, in the unit of compute
     */
    static @Nullable PeerShift find(
            int attempt, int peerSet, StepMatrix m, double[][] compute, double[][] work, double within, Thresholds t) {
        int steps = m.size();
        int[] ranks = m.rows();
        if (ranks.length < 2 || steps < 2 * MIN_STEPS) {
            return null;
        }
        boolean uneven = within
                > UNEVEN
                        * Robust.median(Arrays.stream(compute)
                                .mapToDouble(Robust::median)
                                .toArray());
        double[][] steady = uneven ? atUsualWork(compute, work) : null;
        if (steady != null) {
            double[][] same = new double[work.length][steps];
            for (int r = 0; r < same.length; r++) {
                Arrays.fill(same[r], Robust.median(work[r]));
            }
            return find(attempt, peerSet, m, steady, same, new WorkNoise(steady, 0.5).within, t);
        }
        double[][] relative = new double[ranks.length][];
        double[] usual = new double[ranks.length];
        for (int r = 0; r < ranks.length; r++) {
            double own = Robust.median(compute[r]);
            usual[r] = own;
            relative[r] = Arrays.stream(compute[r]).map(x -> x / own).toArray();
        }
        double noise = within / Math.max(1, Robust.median(usual));
        PeerShift best = null;
        for (double q : new double[] {0.75, 0.25}) {
            double[] series = series(relative, q);
            Segment in = split(series, t);
            PeerShift shift = in == null ? null : at(in, attempt, peerSet, m, ranks, compute, work, noise, t);
            Segment over = shift == null ? passing(series) : null;
            shift = over == null ? shift : at(over, attempt, peerSet, m, ranks, compute, work, noise, t);
            best = shift != null
                            && (best == null
                                    || shift.changed().size() > best.changed().size())
                    ? shift
                    : best;
        }
        return best;
    }

    /** Compute as it would be at the usual work of each rank; null where the work is not known everywhere, or does not vary either. */
    private static double @Nullable [][] atUsualWork(double[][] compute, double[][] work) {
        double[][] steady = new double[compute.length][];
        double moved = 0;
        for (int r = 0; r < compute.length; r++) {
            double usual = Robust.median(work[r]);
            steady[r] = compute[r].clone();
            for (int s = 0; s < steady[r].length; s++) {
                if (!(usual > 0) || (!Double.isNaN(compute[r][s]) && !(work[r][s] > 0))) {
                    return null;
                }
                steady[r][s] *= usual / work[r][s];
                moved = Math.max(moved, Double.isNaN(compute[r][s]) ? 0 : Math.abs(work[r][s] / usual - 1));
            }
        }
        return moved > SAME_WORK ? steady : null;
    }

    private static double[] series(double[][] relative, double q) {
        double[] series = new double[relative[0].length];
        for (int s = 0; s < series.length; s++) {
            series[s] = Robust.lowerQuantile(WorkAnalyst.column(relative, s), q);
        }
        return series;
    }

    /** What lies behind the best split; null when there is none. */
    private static @Nullable Segment split(double[] series, Thresholds t) {
        double best = 0;
        Segment at = null;
        for (int k = MIN_STEPS; k <= series.length - MIN_STEPS; k++) {
            double[] before = Arrays.copyOfRange(series, 0, k);
            double[] after = Arrays.copyOfRange(series, k, series.length);
            double a = Robust.median(before);
            double b = Robust.median(after);
            double high =
                    Arrays.stream(before).filter(v -> !Double.isNaN(v)).max().orElse(0);
            double low =
                    Arrays.stream(after).filter(v -> !Double.isNaN(v)).min().orElse(0);
            boolean few = Math.min(k, series.length - k) < 3;
            double least = few ? FEW_RATIO : t.computeShiftRatio();
            boolean apart = low > high + 0.25 * (b - a);
            if (apart && b / a - 1 >= least && b / a > best) {
                best = b / a;
                at = new Segment(k, series.length - 1, b / a);
            }
        }
        return at;
    }

    /** The stretch that lies most above all other steps, some before and some behind it; null when there is none. */
    private static @Nullable Segment passing(double[] series) {
        int n = series.length;
        double[] behind = new double[n + 1]; // the highest from a position on
        for (int s = n - 1; s >= 0; s--) {
            behind[s] = Math.max(behind[s + 1], orZero(series[s]));
        }
        Segment best = null;
        double before = 0;
        for (int k = 0; k < n - MIN_STEPS - MIN_PASSING; k++) {
            double low = Double.POSITIVE_INFINITY;
            for (int e = k; k >= MIN_STEPS && e < n - MIN_STEPS; e++) {
                low = Double.isNaN(series[e]) ? low : Math.min(low, series[e]);
                double high = Math.max(before, behind[e + 1]);
                if (low <= before) {
                    break;
                }
                if (e - k + 1 < MIN_PASSING || low <= high) {
                    continue;
                }
                double rest = Robust.median(without(series, k, e));
                double in = Robust.median(Arrays.copyOfRange(series, k, e + 1));
                double least = e - k + 1 > MIN_PASSING ? FEW_RATIO : SHORT_PASSING_RATIO;
                boolean apart = low > high + 0.25 * (in - rest) && in / rest - 1 >= least;
                if (apart && (best == null || in / rest > best.score())) {
                    best = new Segment(k, e, in / rest);
                }
            }
            before = Math.max(before, orZero(series[k]));
        }
        return best;
    }

    private static double[] without(double[] values, int first, int last) {
        double[] rest = values.clone();
        Arrays.fill(rest, first, last + 1, Double.NaN);
        return rest;
    }

    private static double orZero(double v) {
        return Double.isNaN(v) ? 0 : v;
    }

    private static @Nullable PeerShift at(
            Segment in,
            int attempt,
            int peerSet,
            StepMatrix m,
            int[] ranks,
            double[][] compute,
            double[][] work,
            double noise,
            Thresholds t) {
        int steps = m.size();
        double[] change = new double[ranks.length];
        for (int r = 0; r < ranks.length; r++) {
            change[r] = ratio(compute[r], in) - 1;
            double more = ratio(work[r], in) - 1;
            change[r] = Math.abs(more) > SAME_WORK ? Double.NaN : change[r];
        }
        double high = Robust.quantile(change, 0.85);
        boolean known = Arrays.stream(work).anyMatch(w -> Robust.median(w) > 0);
        List<Integer> changed = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        List<Double> nanos = new ArrayList<>();
        for (int r = 0; r < ranks.length; r++) {
            boolean apart = change[r] >= LEAST_OF_CHANGED * high || change[r] <= MOST_OF_OTHERS * high;
            if (!apart || change[r] > MOST_OF_CHANGED * high) {
                return null; // no two groups of ranks
            }
            if (change[r] >= LEAST_OF_CHANGED * high) {
                changed.add(ranks[r]);
                ratios.add(change[r]);
                nanos.add(change[r] * Robust.median(without(compute[r], in.first(), in.last())));
            }
        }
        double ratio = median(ratios);
        double sigma = Math.max(1e-4, noise * Math.sqrt(1.0 / in.length() + 1.0 / (steps - in.length())));
        boolean ended = in.last() < steps - 1;
        if (ended && !known) {
            return null; // some steps of other work perhaps
        }
        boolean many = changed.size() >= Math.max(2, LEAST_SHARE * ranks.length);
        if (!many || !(ratio >= Math.max(t.computeShiftRatio(), SIGMAS * sigma))) {
            return null;
        }
        return new PeerShift(
                attempt,
                peerSet,
                m.step(in.first()),
                m.step(in.last()),
                1 + ratio,
                median(nanos),
                RankSet.of(changed.stream().mapToInt(Integer::intValue).toArray()),
                ranks.length,
                ratio / sigma,
                known);
    }

    /** Median of a stretch over the median of the other steps; 1 where nothing is known. */
    private static double ratio(double[] values, Segment in) {
        double before = Robust.median(without(values, in.first(), in.last()));
        double after = Robust.median(Arrays.copyOfRange(values, in.first(), in.last() + 1));
        return before > 0 && after > 0 ? after / before : 1;
    }

    private static double median(List<Double> values) {
        return Robust.median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
