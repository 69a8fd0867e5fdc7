package dev.argus.engine;

import dev.argus.stats.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * The elements that explain the evidence best, of many, without fitting those that cannot win (branch and bound).
 *
 * <p>The gain of a cell depends on the strength, not on the element. So strength by strength each group's gains are computed once, when
 * first asked for, and an element adds up those of its groups. No choice of steps gains more than the sum of what is positive: first
 * of the groups alone, then of their sums by kind and step. Where that, less the priors, is below what the best so far have, the element is left at that
 * strength. A group's gains are nowhere positive at a strength of which none of its cells reaches half, and never more than what its cells
 * say against nothing being slow. Where an element is sure to be compared in a kind, it pays that kind's head start.
 *
 * <p>Levels of the evidence may change between calls of {@link #learned}. Memory: a number a cell of the evidence and strength, of
 * eighteen. Cost: a pass over the cells for each strength that some cell reaches half of, and little more for all elements.
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

    // of each group: its kind, number of cells, whether it has one at every step
    private final int[] kind;
    private final int[] seen;
    private final boolean[] full;

    /** By group and step: standard deviations that a cell is above the healthy level. */
    private final double[] above;

    /** Of each group the most of them. */
    private final double[] most;

    /** Of each group what it gains at most, whatever the strength. */
    private final double[] limit;

    /** By strength and group; NaN = not asked for yet. */
    private final double[][] promises;

    /** By strength: gains by group and step, and of which groups they are there; made when a strength is looked at. */
    private final double[] @Nullable [] rowsOf = new double[STRENGTHS.length][];

    private final boolean[][] filledOf;

    // at the strength of this turn
    private double[] promise = {};
    private double[] rows = {};
    private boolean[] filled = {};
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
        above = new double[groups * steps];
        most = new double[groups];
        limit = new double[groups];
        kind = new int[groups];
        seen = new int[groups];
        full = new boolean[groups];
        for (int i = 0; i < groups; i++) {
            LinkTraffic t = evidence.traffic.get(i);
            kind[i] = t.kind();
            for (double log : t.logs()) {
                seen[i] += Double.isNaN(log) ? 0 : 1;
            }
            full[i] = seen[i] == steps;
        }
        promises = new double[STRENGTHS.length][groups];
        filledOf = new boolean[STRENGTHS.length][groups];
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
            double max = 0;
            double sum = 0;
            for (int s = 0; s < steps; s++) {
                double by = (t.logs()[s] - healthy) / sigma;
                above[i * steps + s] = by;
                if (by > 0) {
                    max = Math.max(max, by);
                    sum += LinkEvidence.loss(by) / 2;
                }
            }
            most[i] = max;
            limit[i] = sum;
        }
        for (double[] of : promises) {
            Arrays.fill(of, Double.NaN);
        }
        for (boolean[] of : filledOf) {
            Arrays.fill(of, false);
        }
    }

    /** An element and what passes it. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Candidate(LinkElement element, int[] passing, boolean[] compared) {}

    /** The kinds in which whoever is slow in some step is compared with others. */
    private Candidate candidate(LinkElement element) {
        int[] passing = new int[element.traffic().size()];
        int[] inside = new int[kinds];
        boolean[] compared = new boolean[kinds];
        int n = 0;
        for (int i : element.traffic()) {
            passing[n++] = i;
            inside[kind[i]] += seen[i];
            compared[kind[i]] |= full[i];
        }
        for (int k = 0; k < kinds; k++) {
            compared[k] &= cells[k] - inside[k] >= LinkEvidence.OUTSIDE;
        }
        return new Candidate(element, passing, compared);
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
        Candidate[] all = new Candidate[n];
        double[] limits = new double[n];
        LinkFit[] fits = new LinkFit[n];
        boolean[] none = new boolean[steps];
        for (int e = 0; e < n; e++) {
            all[e] = candidate(elements.get(e));
            limits[e] = limit(all[e]);
            fits[e] = new LinkFit(elements.get(e), none, 0, Double.NEGATIVE_INFINITY);
        }
        Leaders leaders = new Leaders(fits, keep, floor);
        for (int strength = 0; strength < STRENGTHS.length; strength++) {
            turn(strength);
            for (int e = 0; e < n; e++) {
                if (mayLead(limits[e], all[e], leaders) && mayLead(reach(all[e]), all[e], leaders)) {
                    fit(fits, e, all[e], STRENGTHS[strength], leaders);
                }
            }
        }
        return leaders.list();
    }

    /** The elements in front; the score of the last of them tells what need not be looked at. */
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
            }
            front.sort(Comparator.comparingDouble((Integer e) -> -fits[e].score())
                    .thenComparing(Comparator.naturalOrder()));
            if (front.size() > keep) {
                front.removeLast();
            }
            if (front.size() == keep) {
                floor = Math.max(floor, fits[front.getLast()].score());
            }
        }

        /** Those in front, then such that are slow in no step, as far as there is room. */
        List<LinkFit> list() {
            List<LinkFit> list = new ArrayList<>();
            front.forEach(e -> list.add(fits[e]));
            for (int e = 0; e < fits.length && list.size() < keep; e++) {
                if (!front.contains(e)) {
                    list.add(fits[e]);
                }
            }
            return list;
        }
    }

    /** What is computed from now on is of another strength. */
    private void turn(int number) {
        promise = promises[number];
        filled = filledOf[number];
        rows = Objects.requireNonNullElseGet(rowsOf[number], () -> new double[most.length * steps]);
        rowsOf[number] = rows;
        double strength = STRENGTHS[number];
        for (int k = 0; k < kinds; k++) {
            expected[k] = Math.log1p(evidence.weight[k] * Math.expm1(strength)) / evidence.sigma[k];
            tolerated[k] = Math.max(0, LinkFit.TOLERANCE * expected[k] - 1);
        }
    }

    /** False if an element that is left so much at most is not among the leading ones, or would be slow in no step. */
    private boolean mayLead(double left, Candidate c, Leaders leaders) {
        return left - choices(c.element().prior()) >= leaders.floor() && left > Double.NEGATIVE_INFINITY;
    }

    /** What at least the choices cost that an explanation makes. */
    private double choices(double prior) {
        return prior + LinkFit.STRENGTH_PRIOR + leastStepsPrior - ROUNDING;
    }

    /** The most that is left of what the groups gain, whatever strength and steps. */
    private double limit(Candidate c) {
        Arrays.fill(sums, 0);
        for (int i : c.passing()) {
            sums[kind[i]] += limit[i];
        }
        return left(c.compared());
    }

    /** The same at the strength of this turn. */
    private double reach(Candidate c) {
        Arrays.fill(sums, 0);
        for (int i : c.passing()) {
            sums[kind[i]] += promise(i);
        }
        return left(c.compared());
    }

    /**
     * Of what is gained by kind, less what the choice of the healthy levels gave: a kind that is not surely compared may count for nothing.
     * Minus infinity when nothing is gained.
     */
    private double left(boolean[] compared) {
        double gained = 0;
        double left = 0;
        for (int k = 0; k < kinds; k++) {
            double more = sums[k] - evidence.headStart(k);
            gained += sums[k];
            left += compared[k] ? more : Math.max(0, more);
        }
        return gained > 0 ? left : Double.NEGATIVE_INFINITY;
    }

    /**
     * False if no two or more of the elements, taken together, can score more than is demanded.
     *
     * @param elements of one prior each; what is taken together pays for each
     * @param together at most so many at once
     */
    boolean canReach(List<LinkElement> elements, int together, double demanded) {
        double[][] gains = new double[kinds][elements.size()];
        double[][] counts = new double[kinds][elements.size()];
        boolean[] compared = new boolean[kinds];
        Arrays.fill(compared, true);
        int at = 0;
        for (LinkElement e : elements) {
            Candidate c = candidate(e);
            limit(c);
            for (int i : c.passing()) {
                counts[kind[i]][at] += seen[i];
            }
            for (int k = 0; k < kinds; k++) {
                gains[k][at] = sums[k];
                compared[k] &= c.compared()[k];
            }
            at++;
        }
        for (int k = 0; k < kinds; k++) {
            compared[k] &= cells[k] - largest(counts[k], together) >= LinkEvidence.OUTSIDE;
            sums[k] = largest(gains[k], together);
        }
        return left(compared) - choices(2 * elements.getFirst().prior()) > demanded;
    }

    private static double largest(double[] values, int n) {
        Arrays.sort(values);
        double sum = 0;
        for (int i = Math.max(0, values.length - n); i < values.length; i++) {
            sum += values[i];
        }
        return sum;
    }

    /** Sum of the positive gains of a group. */
    private double promise(int group) {
        if (Double.isNaN(promise[group])) {
            int k = kind[group];
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
        if (filled[group]) {
            return;
        }
        filled[group] = true;
        double predicted = expected[kind[group]];
        double tolerance = tolerated[kind[group]];
        for (int s = group * steps; s < (group + 1) * steps; s++) {
            double off = Math.max(0, Math.abs(above[s] - predicted) - tolerance);
            double gain = (LinkEvidence.loss(above[s]) - LinkEvidence.loss(off)) / 2;
            rows[s] = Double.isNaN(gain) ? 0 : gain;
        }
    }

    private void fit(LinkFit[] fits, int element, Candidate c, double strength, Leaders leaders) {
        add(c.passing());
        if (!mayLead(left(c.compared()), c, leaders)) {
            return;
        }
        count(c.passing());
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
            int to = kind[i] * steps;
            int from = i * steps;
            for (int s = 0; s < steps; s++) {
                gains[to + s] += rows[from + s];
            }
        }
        Arrays.fill(sums, 0);
        for (int k = 0; k < kinds; k++) {
            for (int s = k * steps; s < (k + 1) * steps; s++) {
                sums[k] += Math.max(0, gains[s]);
            }
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
