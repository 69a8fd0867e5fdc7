package dev.argus.engine;

import dev.argus.stats.Segment;
import java.util.Arrays;

/** Oracle of {@link LinkFits}: one element after the other, every strength, nothing left out. */
final class PlainLinkFit {
    private PlainLinkFit() {}

    static LinkFit best(LinkEvidence evidence, LinkElement element, int[] cells) {
        LinkFit best = new LinkFit(element, new boolean[evidence.steps.length], 0, Double.NEGATIVE_INFINITY);
        for (double strength = LinkFit.WEAKEST; strength <= LinkFit.STRONGEST; strength *= LinkFit.NEXT) {
            Gains gains = new Gains(evidence, element, strength, cells);
            for (boolean peered : new boolean[] {true, false}) {
                double[] sums = gains.byStep(peered);
                LinkFit segment = gains.fit(segment(sums), LinkFit.segmentPrior(sums.length));
                LinkFit scattered = gains.fit(positive(sums), Double.NaN);
                best = better(better(best, segment), scattered);
            }
        }
        return best;
    }

    private static LinkFit better(LinkFit a, LinkFit b) {
        return b.score() > a.score() ? b : a;
    }

    private static boolean[] segment(double[] sums) {
        boolean[] active = new boolean[sums.length];
        Segment segment = Segment.best(sums, 0);
        if (segment != null) {
            Arrays.fill(active, segment.first(), segment.last() + 1, true);
        }
        return active;
    }

    private static boolean[] positive(double[] sums) {
        boolean[] active = new boolean[sums.length];
        for (int i = 0; i < sums.length; i++) {
            active[i] = sums[i] > 0;
        }
        return active;
    }

    /** Gains of one element at one strength, by kind and step. */
    private static final class Gains {
        private final LinkEvidence evidence;
        private final LinkElement element;
        private final double strength;
        private final double[][] gains;
        private final int[][] touched;
        private final int[] traffic;
        private final int[] cells;

        Gains(LinkEvidence evidence, LinkElement element, double strength, int[] cells) {
            this.evidence = evidence;
            this.element = element;
            this.strength = strength;
            this.cells = cells;
            int kinds = evidence.healthy.length;
            gains = new double[kinds][evidence.steps.length];
            touched = new int[kinds][evidence.steps.length];
            traffic = new int[kinds];
            double[] predicted = new double[kinds];
            for (int k = 0; k < kinds; k++) {
                predicted[k] = Math.log1p(evidence.weight[k] * Math.expm1(strength)) / evidence.sigma[k];
            }
            for (int i : element.traffic()) {
                LinkTraffic t = evidence.traffic.get(i);
                int k = t.kind();
                traffic[k]++;
                double expected = predicted[k];
                double tolerated = Math.max(0, LinkFit.TOLERANCE * expected - 1);
                for (int s = 0; s < t.logs().length; s++) {
                    double seen = (t.logs()[s] - evidence.healthy[k]) / evidence.sigma[k];
                    if (!Double.isNaN(seen)) {
                        double off = Math.max(0, Math.abs(seen - expected) - tolerated);
                        gains[k][s] += (LinkEvidence.loss(seen) - LinkEvidence.loss(off)) / 2;
                        touched[k][s]++;
                    }
                }
            }
        }

        /** Over kinds; optionally those only that have groups outside. */
        double[] byStep(boolean peered) {
            double[] sums = new double[evidence.steps.length];
            for (int k = 0; k < gains.length; k++) {
                if (!peered || traffic[k] < evidence.members(k)) {
                    for (int s = 0; s < sums.length; s++) {
                        sums[s] += gains[k][s];
                    }
                }
            }
            return sums;
        }

        /** @param stepsPrior what the choice of steps costs; NaN = as the number of subsets of that size */
        LinkFit fit(boolean[] active, double stepsPrior) {
            double score = -element.prior() - LinkFit.STRENGTH_PRIOR;
            int count = 0;
            for (int k = 0; k < gains.length; k++) {
                double sum = 0;
                int inside = 0;
                for (int s = 0; s < active.length; s++) {
                    sum += active[s] ? gains[k][s] : 0;
                    inside += active[s] ? touched[k][s] : 0;
                }
                if (inside > 0 && cells[k] - inside >= LinkEvidence.OUTSIDE) {
                    score += evidence.manyPerHost[k] ? Math.max(sum, -LinkFit.ESCAPE_PRIOR) : sum;
                    score -= evidence.headStart(k);
                }
            }
            for (boolean a : active) {
                count += a ? 1 : 0;
            }
            score -= Double.isNaN(stepsPrior) ? LinkFit.subsetPrior(active.length, count) : stepsPrior;
            return new LinkFit(element, active, strength, count == 0 ? Double.NEGATIVE_INFINITY : score);
        }
    }
}
