package dev.argus.engine;

import dev.argus.stats.Robust;
import dev.argus.stats.Segment;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Centre and noise of one part of own time over ranks and steps. */
final class WorkNoise {
    /** What is healthy at each step. */
    final double[] centre;
    /** Difference from it, [rank][step]. */
    final double[][] excess;
    /** How far the centre was above its typical value: a disturbance of all. */
    final double[] common;
    /** Median of the centre over steps. */
    final double typical;
    /** Standard deviation of a rank's excess from step to step. */
    final double within;
    /**
     * The same with its tail, {@link #wide}. Above {@link #within} where some steps are far off, as where single kernels now and then take
     * several times as long.
     */
    final double withinWide;
    /** What each rank has above the centre in most steps, the median. */
    final double[] lasting;
    /** Standard deviation of the ranks' lasting excess. */
    final double between;
    /** The peers' own bad steps: a healthy rank's upper quartile of excess. */
    final double tail;
    /** The same of the median rank. */
    final double tailOfMost;
    /** The largest sum of excess over any stretch, by rank. */
    final double[] best;

    /** Two groups of ranks are apart by this multiple of the wider one. */
    private static final double APART = 1.5;

    /** Where ranks fall in two groups of like size these quantiles lie in the one and in the other. */
    private static final double LAST_FASTER = 0.4;

    private static final double FIRST_SLOWER = 0.9;

    /** Quantile over ranks that is taken as healthy. */
    final double healthy;

    private @Nullable GapChance chance;
    private double @Nullable [] sortedBest;

    /** Ranks that are known to be slower together, by position; null where there are none. */
    private final boolean @Nullable [] slower;

    /** @param healthy quantile over ranks that is taken as healthy */
    WorkNoise(double[][] x, double healthy) {
        this(x, healthy, null);
    }

    /**
     * @param healthy quantile over ranks that is taken as healthy
     * @param slower ranks that are slower together, by position, and lie above that
     */
    WorkNoise(double[][] x, double healthy, boolean @Nullable [] slower) {
        this.healthy = healthy;
        this.slower = slower;
        centre = centres(x, healthy);
        typical = orZero(Robust.median(centre));
        common = new double[centre.length];
        excess = new double[x.length][centre.length];
        for (int s = 0; s < centre.length; s++) {
            common[s] = Math.max(0, orZero(centre[s]) - typical);
            for (int r = 0; r < x.length; r++) {
                excess[r][s] = x[r][s] - centre[s];
            }
        }
        double[] changes = new double[x.length * Math.max(1, centre.length)];
        Arrays.fill(changes, Double.NaN);
        lasting = new double[x.length];
        double[] worst = new double[x.length];
        for (int r = 0; r < x.length; r++) {
            for (int s = 1; s < centre.length; s++) {
                changes[r * centre.length + s] = Math.abs(excess[r][s] - excess[r][s - 1]);
            }
            lasting[r] = Robust.median(excess[r]);
            worst[r] = Robust.quantile(excess[r], 0.75);
        }
        within = orZero(Robust.MAD_TO_SIGMA * Robust.median(changes) / Math.sqrt(2));
        withinWide = Math.max(within, orZero(wide(excess)));
        between = x.length < 3 ? 0 : orZero(Robust.shorthSigma(lasting));
        tailOfMost = Math.max(0, orZero(x.length < 4 ? Robust.lowerQuantile(worst, 0.5) : Robust.median(worst)));
        tail = Math.max(0, orZero(healthy < 0.5 ? Robust.lowerQuantile(worst, healthy) : Robust.median(worst)));
        best = new double[x.length];
        for (int r = 0; r < x.length; r++) {
            double[] over = new double[centre.length];
            for (int s = 0; s < over.length; s++) {
                over[s] = excess[r][s] - tail - common[s];
            }
            Segment segment = Segment.best(over, 0);
            best[r] = segment == null ? 0 : segment.score();
        }
    }

    /**
     * Standard deviation of a rank from step to step, tails included: the root mean square of the median rank, after what a rank always
     * has and what most ranks have in a step is taken off. (A second slow rank among few moves the centre, and all others with it.)
     *
     * @param excess difference from a centre, [rank][step]; NaN where missing
     * @return NaN where fewer than two steps were seen
     */
    static double wide(double[][] excess) {
        double[][] settled = new double[excess.length][];
        for (int r = 0; r < excess.length; r++) {
            double usual = Robust.median(excess[r]);
            settled[r] = Arrays.stream(excess[r]).map(e -> e - usual).toArray();
        }
        int steps = excess.length < 3 ? 0 : excess[0].length; // of two, nobody knows which one moved
        for (int s = 0; s < steps; s++) {
            double moved = Robust.medianOf(WorkAnalyst.column(settled, s));
            for (double[] row : settled) {
                row[s] -= moved;
            }
        }
        double[] rms = Arrays.stream(settled)
                .mapToDouble(row -> Robust.rmsAround(row, 0))
                .toArray();
        return Robust.lowerQuantile(rms, 0.5);
    }

    /** The healthy quantile over ranks; of two ranks the faster, for their median would share the blame. */
    private static double[] centres(double[][] x, double healthy) {
        double[] out = new double[x.length == 0 ? 0 : x[0].length];
        for (int s = 0; s < out.length; s++) {
            out[s] = healthy < 0.5
                    ? Robust.lowerQuantile(WorkAnalyst.column(x, s), healthy)
                    : Robust.median(WorkAnalyst.column(x, s));
        }
        for (int s = 0; x.length == 2 && s < out.length; s++) {
            out[s] = Double.isNaN(out[s]) ? out[s] : Math.min(orMax(x[0][s]), orMax(x[1][s]));
        }
        return out;
    }

    private static double orMax(double v) {
        return Double.isNaN(v) ? Double.MAX_VALUE : v;
    }

    /**
     * Takes from the excess of ranks that load data for others what all of them have: the least lasting excess among the others
     * of that role.
     */
    void withoutRole(int[] ranks, IntPredicate role) {
        double[] lasting = new double[ranks.length];
        for (int r = 0; r < ranks.length; r++) {
            lasting[r] = orZero(Robust.median(excess[r]));
        }
        int first = -1;
        int second = -1; // of those of the role, the two with the least
        for (int o = 0; o < ranks.length; o++) {
            if (role.test(ranks[o])) {
                if (first < 0 || lasting[o] < lasting[first]) {
                    second = first;
                    first = o;
                } else if (second < 0 || lasting[o] < lasting[second]) {
                    second = o;
                }
            }
        }
        for (int r = 0; r < ranks.length; r++) {
            int other = r == first ? second : first;
            double least = other >= 0 && role.test(ranks[r]) ? lasting[other] : Double.POSITIVE_INFINITY;
            if (least > 0 && least < Double.POSITIVE_INFINITY) {
                for (int s = 0; s < centre.length; s++) {
                    excess[r][s] -= least;
                }
            }
        }
    }

    /**
     * Takes out what says nothing about a rank, neither for it nor against it: steps in which all were disturbed by far more than it differs from them.
     *
     * @param share of the disturbance that a rank may differ by
     * @param least smaller disturbances are none, nanoseconds
     */
    void withoutDisturbed(double share, double least) {
        for (double[] row : excess) {
            for (int s = 0; s < row.length; s++) {
                double may = share * common[s];
                if (may > least && Math.abs(row[s]) < may) {
                    row[s] = Double.NaN;
                }
            }
        }
    }

    /** True if a rank is one of those that are known to be slower together. */
    boolean slower(int r) {
        return slower != null && slower[r];
    }

    /** What the ranks that are known to be slower together have for good, the median of them; 0 for a rank that is none of them. */
    double shared(int r) {
        boolean[] together = slower;
        if (together == null || !together[r]) {
            return 0;
        }
        double[] of = lasting.clone();
        for (int o = 0; o < of.length; o++) {
            of[o] = together[o] ? of[o] : Double.NaN;
        }
        return Robust.median(of);
    }

    /** The order statistic at or below a quantile of the best stretches of the ranks but one. */
    double bestOfOthers(int r, double p) {
        double[] sorted = sortedBest;
        if (sorted == null) {
            sorted = Robust.measured(best);
            sortedBest = sorted;
        }
        if (sorted.length < 2) {
            return Double.NaN;
        }
        int at = (int) Math.floor(p * (sorted.length - 2));
        int own = Arrays.binarySearch(sorted, best[r]);
        return sorted[at < own ? at : at + 1];
    }

    /**
     * Where the ranks fall in two groups of like size for as long as was seen: which are in the slower one, by position; else null. They are apart in their lasting excess by a share of the typical value and by far
     * more than either group is wide. The slower group has a quarter to a half of the ranks: fewer do not move the centre, more are the centre.
     */
    boolean @Nullable [] slowerHalf(double leastRatio) {
        return slowerHalf(lasting, leastRatio * typical);
    }

    /**
     * The same of what each rank has above its usual in a run of steps, the longest there is: which are slower must be the same ones from its first step to its last.
     *
     * @param leastSteps shorter runs tell nothing
     */
    boolean @Nullable [] slowerHalfFor(int leastSteps, double leastRatio) {
        boolean[] longest = null;
        boolean[] now = null;
        int most = leastSteps - 1;
        int run = 0;
        for (int s = 0; s < centre.length; s++) {
            double[] above = WorkAnalyst.column(excess, s);
            for (int r = 0; r < above.length; r++) {
                above[r] -= lasting[r];
            }
            boolean[] half = slowerHalf(above, leastRatio * typical);
            run = half == null ? 0 : Arrays.equals(half, now) ? run + 1 : 1;
            now = half;
            if (run > most) {
                most = run;
                longest = half;
            }
        }
        return longest;
    }

    private static boolean @Nullable [] slowerHalf(double[] excess, double least) {
        if (!(Robust.lowerQuantile(excess, FIRST_SLOWER) - Robust.lowerQuantile(excess, LAST_FASTER) >= least)) {
            return null; // as in nearly all steps: nothing is sorted
        }
        double[] sorted =
                Arrays.stream(excess).filter(v -> !Double.isNaN(v)).sorted().toArray();
        int n = sorted.length;
        int from = n - n / 2;
        for (int k = from; k <= n - Math.max(2, n / 4) && n >= 4; k++) {
            double gap = sorted[k] - sorted[k - 1];
            double width = Math.max(sorted[k - 1] - sorted[0], sorted[n - 1] - sorted[k]);
            if (gap >= least && gap >= APART * width) {
                boolean[] slower = new boolean[excess.length];
                for (int r = 0; r < slower.length; r++) {
                    slower[r] = excess[r] >= sorted[k];
                }
                return slower;
            }
        }
        return null;
    }

    /** What is chance among the cells of this part; made when first asked for, for a job of so many ranks. */
    GapChance chance(long family) {
        GapChance c = chance;
        if (c == null) {
            c = new GapChance(excess, family);
            chance = c;
        }
        return c;
    }

    private static double orZero(double v) {
        return Double.isNaN(v) ? 0 : v;
    }
}
