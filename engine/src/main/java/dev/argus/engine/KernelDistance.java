package dev.argus.engine;

import dev.argus.model.DurationSummary;
import dev.argus.sketch.Rebuilt;
import dev.argus.stats.QuantileFunction;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

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
record KernelDistance(double signedRatio, double movedRatio, double modeRatio) {
    private static final int PARTS = 32;
    private static final int CENTRE_PEERS = 64;
    private static final double MOVED_SHARE = 0.25;

    /** A mode of fewer events than this share says nothing of the kernel. */
    private static final double LEAST_MODE_SHARE = 0.05;

    /** The peers of one kernel and step; made once for all suspects among them. */
    static final class Centre {
        private final double[] parts = new double[PARTS];
        private final List<DurationSummary> typical;

        /** Of one or more members, each with its streams. */
        Centre(List<List<DurationSummary>> members) {
            record Member(double mean, List<DurationSummary> streams) {}
            List<Member> order = new ArrayList<>(members.size());
            members.forEach(m -> order.add(new Member(mean(m), m)));
            order.sort(Comparator.comparingDouble(Member::mean));
            List<List<DurationSummary>> byMean =
                    order.stream().map(Member::streams).toList();
            typical = byMean.get((byMean.size() - 1) / 2);
            int n = Math.min(CENTRE_PEERS, byMean.size());
            double[][] of = new double[n][];
            for (int i = 0; i < n; i++) {
                int at = n == 1 ? 0 : Math.toIntExact((long) i * (byMean.size() - 1) / (n - 1));
                of[i] = whole(byMean.get(at)).partMeans(PARTS);
            }
            double[] column = new double[n];
            for (int p = 0; p < PARTS; p++) {
                for (int i = 0; i < n; i++) {
                    column[i] = of[i][p];
                }
                parts[p] = Robust.median(column);
            }
        }

        /** Of one member. */
        KernelDistance to(List<DurationSummary> own) {
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

    private static QuantileFunction whole(List<DurationSummary> streams) {
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
