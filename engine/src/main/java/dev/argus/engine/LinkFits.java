package dev.argus.engine;

import dev.argus.stats.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The elements that explain the evidence best, of many, without fitting those that cannot win (branch and bound).
 *
 * <p>The gain of a cell depends on the strength, not on the element. So strength by strength each group's gains are computed once, when
 * first asked for, and an element adds up those of its groups. No choice of steps gains more than the sum of what is positive: first
 * of the groups alone, then of their sums by kind and step. Where that, less the priors, is below what the best so far have, the element is left at that
 * strength. A group's gains are nowhere positive at a strength of which none of its cells reaches half.
 *
 * <p>Levels of the evidence may change between calls of {@link #learned}. Memory: a number a cell of the evidence. Cost: a pass over the cells a
 * strength that some cell reaches half of, and little more for all elements.
 */
final class LinkFits {
    /** What rounding can make of a bound, in nats. */
    private static final double ROUNDING = 1e-6;

    private static final double[] STRENGTHS = DoubleStream.iterate(
                    LinkFit.WEAKEST, s -> s <= LinkFit.STRONGEST, s -> s * LinkFit.NEXT)
            .toArray();

    private final LinkEvidence evidence;
    private final int[] cells;
    private final int steps;
    private final int kinds;
    private final double leastStepsPrior;

    /** Of each group the most standard deviations that a cell is above the healthy level. */
    private final double[] most;

    /** By strength and group; NaN = not asked for yet. */
    private final double[][] promises;

    private final double[] rows;
    private final int[] filled;
    private int turn;

    // at the strength of this turn
    private double[] promise = {};
    private final double[] expected;
    private final double[] tolerated;

    // of the element at hand
    private final double[] gains;
    private final double[] sums;
    private final int[] touched;
    private final int[] traffic;

    LinkFits(LinkEvidence evidence) {
        this.evidence = evidence;
        cells = evidence.cellCounts();
        steps = evidence.steps.length;
        kinds = evidence.healthy.length;
        leastStepsPrior = Math.min(LinkFit.segmentPrior(steps), Math.log(steps + 1.0));
        int groups = evidence.traffic.size();
        most = new double[groups];
        rows = new double[groups * steps];
        promises = new double[STRENGTHS.length][groups];
        filled = new int[groups];
        expected = new double[kinds];
        tolerated = new double[kinds];
        gains = new double[kinds * steps];
        sums = new double[kinds];
        touched = new int[kinds * steps];
        traffic = new int[kinds];
    }

    /** To be called when the evidence has other levels than before. */
    void learned() {
        for (int i = 0; i < most.length; i++) {
            LinkTraffic t = evidence.traffic.get(i);
            double healthy = evidence.healthy[t.kind()];
            double sigma = evidence.sigma[t.kind()];
            double max = Double.NEGATIVE_INFINITY;
            for (double log : t.logs()) {
                double seen = (log - healthy) / sigma;
                max = seen > max ? seen : max;
            }
            most[i] = max;
        }
        for (double[] of : promises) {
            Arrays.fill(of, Double.NaN);
        }
    }

    /** The best fit of the best element, the first of equals; null without elements. What does not reach the floor may be any fit below it. */
    @Nullable
    LinkFit best(List<LinkElement> elements, double floor) {
        List<LinkFit> first = best(elements, 1, floor);
        return first.isEmpty() ? null : first.getFirst();
    }

    /**
     * The best fits of the elements that have the best ones.
     *
     * @param elements to choose from
     * @param keep how many are wanted
     * @param floor fits below this score need not be found
     * @return descending by score, equals in the order of the elements
     */
    List<LinkFit> best(List<LinkElement> elements, int keep, double floor) {
        int n = elements.size();
        int[][] passing = new int[n][];
        for (int e = 0; e < n; e++) {
            passing[e] = elements.get(e).traffic().stream().mapToInt(i -> i).toArray();
        }
        LinkFit[] fits = new LinkFit[n];
        boolean[] none = new boolean[steps];
        for (int e = 0; e < n; e++) {
            fits[e] = new LinkFit(elements.get(e), none, 0, Double.NEGATIVE_INFINITY);
        }
        Leaders leaders = new Leaders(fits, keep, floor);
        for (int strength = 0; strength < STRENGTHS.length; strength++) {
            turn(strength);
            for (int e = 0; e < n; e++) {
                if (mayLead(reach(passing[e]), fits[e], leaders)) {
                    fit(fits, e, passing[e], STRENGTHS[strength], leaders);
                }
            }
        }
        return IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer e) -> -fits[e].score()))
                .limit(keep)
                .map(e -> fits[e])
                .toList();
    }

    /** The scores of the elements in front, as far as they tell what need not be looked at. */
    private static final class Leaders {
        private final LinkFit[] fits;
        private final List<Integer> front = new ArrayList<>();
        private final int keep;
        private double floor;

        Leaders(LinkFit[] fits, int keep, double floor) {
            this.fits = fits;
            this.keep = keep;
            this.floor = floor;
        }

        double floor() {
            return floor;
        }

        /** An element has a better fit than before. */
        void improved(int element) {
            if (!front.contains(element)) {
                front.add(element);
                front.sort(Comparator.comparingDouble(e -> -fits[e].score()));
                if (front.size() > keep) {
                    front.removeLast();
                }
            }
            if (front.size() == keep) {
                double least = Double.POSITIVE_INFINITY;
                for (int e : front) {
                    least = Math.min(least, fits[e].score());
                }
                floor = Math.max(floor, least);
            }
        }
    }

    /** What is computed from now on is of another strength. */
    private void turn(int number) {
        turn++;
        promise = promises[number];
        double strength = STRENGTHS[number];
        for (int k = 0; k < kinds; k++) {
            expected[k] = Math.log1p(evidence.weight[k] * Math.expm1(strength)) / evidence.sigma[k];
            tolerated[k] = Math.max(0, LinkFit.TOLERANCE * expected[k] - 1);
        }
    }

    /** False if an element that gains at most so much is not among the leading ones, or would be slow in no step. */
    private boolean mayLead(double reach, LinkFit fit, Leaders leaders) {
        return reach >= 0 && reach - choices(fit.element().prior()) >= leaders.floor();
    }

    /** What at least the choices cost that an explanation makes. */
    private double choices(double prior) {
        return prior + LinkFit.STRENGTH_PRIOR + leastStepsPrior - ROUNDING;
    }

    /** The most that a choice of steps can leave of what the groups gain; negative when they gain nothing. */
    private double reach(int[] passing) {
        Arrays.fill(sums, 0);
        for (int i : passing) {
            sums[evidence.traffic.get(i).kind()] += promise(i);
        }
        return beyondHeadStarts();
    }

    /**
     * False if no two or more of the elements, taken together, can score more than is demanded.
     *
     * @param elements of one prior each; what is taken together pays for each
     * @param together at most so many at once
     */
    boolean canReach(List<LinkElement> elements, int together, double demanded) {
        double[][] by = new double[kinds][elements.size()];
        for (int strength = 0; strength < STRENGTHS.length; strength++) {
            turn(strength);
            for (int e = 0; e < elements.size(); e++) {
                reach(elements.get(e).traffic().stream().mapToInt(i -> i).toArray());
                for (int k = 0; k < kinds; k++) {
                    by[k][e] = -sums[k];
                }
            }
            for (int k = 0; k < kinds; k++) {
                Arrays.sort(by[k]);
                sums[k] = -Arrays.stream(by[k]).limit(together).sum();
            }
            double reach = beyondHeadStarts();
            if (reach >= 0 && reach - choices(2 * elements.getFirst().prior()) > demanded) {
                return true;
            }
        }
        return false;
    }

    /** What the sums by kind leave, less what the choice of the healthy levels gave; a kind that loses may be left out. Negative when nothing is gained. */
    private double beyondHeadStarts() {
        double gained = 0;
        double left = 0;
        for (int k = 0; k < kinds; k++) {
            gained += sums[k];
            left += Math.max(0, sums[k] - evidence.headStart(k));
        }
        return gained > 0 ? left : -1;
    }

    /** Sum of the positive gains of a group. */
    private double promise(int group) {
        if (Double.isNaN(promise[group])) {
            int k = evidence.traffic.get(group).kind();
            if (2 * most[group] < expected[k] - tolerated[k]) {
                promise[group] = 0;
            } else {
                fill(group);
                double sum = 0;
                for (int s = group * steps; s < (group + 1) * steps; s++) {
                    sum += Math.max(0, rows[s]);
                }
                promise[group] = sum;
            }
        }
        return promise[group];
    }

    /** Gains of a group by step. */
    private void fill(int group) {
        if (filled[group] == turn) {
            return;
        }
        filled[group] = turn;
        LinkTraffic t = evidence.traffic.get(group);
        int k = t.kind();
        double[] logs = t.logs();
        double healthy = evidence.healthy[k];
        double sigma = evidence.sigma[k];
        for (int s = 0; s < steps; s++) {
            double seen = (logs[s] - healthy) / sigma;
            double gain = 0;
            if (!Double.isNaN(seen)) {
                double off = Math.max(0, Math.abs(seen - expected[k]) - tolerated[k]);
                gain = (LinkEvidence.loss(seen) - LinkEvidence.loss(off)) / 2;
            }
            rows[group * steps + s] = gain;
        }
    }

    private void fit(LinkFit[] fits, int element, int[] passing, double strength, Leaders leaders) {
        add(passing);
        if (!mayLead(beyondHeadStarts(), fits[element], leaders)) {
            return;
        }
        count(passing);
        boolean allPeered = true;
        for (int k = 0; k < kinds; k++) {
            allPeered &= traffic[k] < evidence.members(k);
        }
        boolean better = false;
        for (boolean peered : new boolean[] {true, false}) {
            if (peered && allPeered) {
                continue; // the same steps follow without
            }
            double[] series = byStep(peered);
            better |= improve(fits, element, segment(series), LinkFit.segmentPrior(steps), strength);
            better |= improve(fits, element, positive(series), Double.NaN, strength);
        }
        if (better) {
            leaders.improved(element);
        }
    }

    private boolean improve(LinkFit[] fits, int element, boolean[] active, double stepsPrior, double strength) {
        LinkElement e = fits[element].element();
        double score = score(e, active, stepsPrior);
        if (score > fits[element].score()) {
            fits[element] = new LinkFit(e, active, strength, score);
            return true;
        }
        return false;
    }

    /** Adds up the groups' gains by kind and step, and what is positive of these by kind. */
    private void add(int[] passing) {
        Arrays.fill(gains, 0);
        for (int i : passing) {
            fill(i);
            int to = evidence.traffic.get(i).kind() * steps;
            int from = i * steps;
            for (int s = 0; s < steps; s++) {
                gains[to + s] += rows[from + s];
            }
        }
        Arrays.fill(sums, 0);
        for (int i = 0; i < gains.length; i++) {
            sums[i / steps] += Math.max(0, gains[i]);
        }
    }

    /** Counts the groups by kind, and their cells by kind and step. */
    private void count(int[] passing) {
        Arrays.fill(traffic, 0);
        Arrays.fill(touched, 0);
        for (int i : passing) {
            LinkTraffic t = evidence.traffic.get(i);
            traffic[t.kind()]++;
            for (int s = 0; s < steps; s++) {
                touched[t.kind() * steps + s] += Double.isNaN(t.logs()[s]) ? 0 : 1;
            }
        }
    }

    /** Over kinds; optionally those only that have groups outside. */
    private double[] byStep(boolean peered) {
        double[] series = new double[steps];
        for (int k = 0; k < kinds; k++) {
            if (!peered || traffic[k] < evidence.members(k)) {
                for (int s = 0; s < steps; s++) {
                    series[s] += gains[k * steps + s];
                }
            }
        }
        return series;
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

    /** @param stepsPrior what the choice of steps costs; NaN = as the number of subsets of that size */
    private double score(LinkElement element, boolean[] active, double stepsPrior) {
        double score = -element.prior() - LinkFit.STRENGTH_PRIOR;
        int count = 0;
        for (boolean a : active) {
            count += a ? 1 : 0;
        }
        if (count == 0) {
            return Double.NEGATIVE_INFINITY;
        }
        for (int k = 0; k < kinds; k++) {
            double sum = 0;
            int inside = 0;
            for (int s = 0; s < steps; s++) {
                sum += active[s] ? gains[k * steps + s] : 0;
                inside += active[s] ? touched[k * steps + s] : 0;
            }
            if (inside > 0 && cells[k] - inside >= LinkEvidence.OUTSIDE) {
                score += evidence.manyPerHost[k] ? Math.max(sum, -LinkFit.ESCAPE_PRIOR) : sum;
                score -= evidence.headStart(k);
            }
        }
        return score - (Double.isNaN(stepsPrior) ? LinkFit.subsetPrior(steps, count) : stepsPrior);
    }
}
