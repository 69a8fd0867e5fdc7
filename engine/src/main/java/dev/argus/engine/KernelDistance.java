package dev.argus.engine;

import dev.argus.model.DurationSummary;
import dev.argus.sketch.Rebuilt;
import dev.argus.stats.QuantileFunction;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * How the durations of one kernel on one rank in one step lie against its peers' centre.
 *
 * <p>In one dimension W1 is the L1 distance of quantile functions, so a rank is compared with the centre (the median of the peers'
 * quantile functions, part by part) in O(n), and the sign is kept. The centre is made of at most {@value #CENTRE_PEERS} peers, evenly
 * spaced in the order of their means: the median of a set and of so many evenly spaced members of it differ by at most one member's
 * place.
 *
 * @param signedRatio signed distance of the quantile functions over the centre's mean
 * @param movedRatio share of the quantile function that moved at least a quarter as far as the whole, the same way
 * @param modeRatio largest distance of one of its duration modes from the nearest mode of a typical peer, as a ratio less 1: near 0 when
 *     the modes are where the peers have them and only their weights differ
 */
public record KernelDistance(double signedRatio, double movedRatio, double modeRatio) {
    private static final int PARTS = 32;
    private static final int CENTRE_PEERS = 64;
    private static final double MOVED_SHARE = 0.25;

    /** A mode of fewer events than this share says nothing of the kernel. */
    private static final double LEAST_MODE_SHARE = 0.05;

    /** The peers of one kernel and step; made once for all suspects among them. */
    public static final class Centre {
        private final double[] parts = new double[PARTS];
        private final List<DurationSummary> typical;

        /** Of one or more members, each with its streams. */
        public Centre(List<List<DurationSummary>> members) {
            this(members.stream().mapToDouble(KernelDistance::mean).toArray(), members::get);
        }

        /**
         * Of one or more members.
         *
         * @param means mean of each
         * @param members streams of each
         */
        Centre(double[] means, IntFunction<List<DurationSummary>> members) {
            int n = Math.min(CENTRE_PEERS, means.length);
            int[] places = new int[n + 1];
            for (int i = 0; i < n; i++) {
                places[i] = n == 1 ? 0 : Math.toIntExact((long) i * (means.length - 1) / (n - 1));
            }
            places[n] = (means.length - 1) / 2;
            int[] chosen = byOrder(means, places);
            typical = members.apply(chosen[n]);
            double[][] of = new double[n][];
            for (int i = 0; i < n; i++) {
                of[i] = whole(members.apply(chosen[i])).partMeans(PARTS);
            }
            double[] column = new double[n];
            for (int p = 0; p < PARTS; p++) {
                for (int i = 0; i < n; i++) {
                    column[i] = of[i][p];
                }
                parts[p] = Robust.median(column);
            }
        }

        /** The members at some places in ascending order of their values; of equal values the earlier member is the lower one. */
        static int[] byOrder(double[] values, int[] places) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            int[] members = new int[places.length];
            int[] skip = new int[places.length];
            for (int p = 0; p < places.length; p++) {
                while (skip[p] < places[p] && sorted[places[p] - skip[p] - 1] == sorted[places[p]]) {
                    skip[p]++;
                }
            }
            double[] wanted = new double[places.length];
            for (int p = 0; p < places.length; p++) {
                wanted[p] = sorted[places[p]];
            }
            double[] known = wanted.clone();
            Arrays.sort(known);
            for (int m = 0; m < values.length; m++) {
                if (Arrays.binarySearch(known, values[m]) >= 0) {
                    for (int p = 0; p < wanted.length; p++) {
                        if (wanted[p] == values[m] && skip[p]-- == 0) {
                            members[p] = m;
                        }
                    }
                }
            }
            return members;
        }

        /** Of one member. */
        public KernelDistance to(List<DurationSummary> own) {
            double[] mine = whole(own).partMeans(PARTS);
            double base = Arrays.stream(parts).sum();
            double signed = Arrays.stream(mine).sum() - base;
            double ratio = base > 0 ? signed / base : 0;
            int moved = 0;
            for (int p = 0; p < PARTS; p++) {
                moved += (mine[p] - parts[p]) * Math.signum(ratio) > MOVED_SHARE * Math.abs(ratio) * parts[p] ? 1 : 0;
            }
            return new KernelDistance(ratio, (double) moved / PARTS, modes(own));
        }

        private double modes(List<DurationSummary> own) {
            double worst = 0;
            for (double mine : places(own)) {
                double nearest = Double.POSITIVE_INFINITY;
                for (double theirs : places(typical)) {
                    double off = theirs > 0 ? mine / theirs - 1 : 0;
                    nearest = Math.abs(off) < Math.abs(nearest) ? off : nearest;
                }
                worst = Math.abs(nearest) > Math.abs(worst) ? nearest : worst;
            }
            return worst;
        }
    }

    static double mean(List<DurationSummary> streams) {
        double sum = 0;
        double count = 0;
        for (DurationSummary s : streams) {
            sum += s.sumNanos();
            count += s.count();
        }
        return sum / count;
    }

    /** The distribution of all streams together. */
    public static QuantileFunction whole(List<DurationSummary> streams) {
        if (streams.size() == 1) {
            return Rebuilt.of(streams.getFirst());
        }
        double[] weights = streams.stream().mapToDouble(DurationSummary::count).toArray();
        return QuantileFunction.mixture(streams.stream().map(Rebuilt::of).toList(), weights);
    }

    /** Means of the duration modes that matter. */
    private static double[] places(List<DurationSummary> streams) {
        long all = streams.stream().mapToLong(DurationSummary::count).sum();
        List<Double> means = new ArrayList<>();
        for (DurationSummary s : streams) {
            for (int m = 0; m < Rebuilt.modes(s); m++) {
                if (Rebuilt.modeCount(s, m) >= LEAST_MODE_SHARE * all) {
                    means.add(Rebuilt.mode(s, m).mean());
                }
            }
        }
        return means.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
