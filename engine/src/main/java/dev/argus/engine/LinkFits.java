package dev.argus.engine;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements that explain the evidence best, of many, without fitting those that cannot win (branch and bound).
 *
 * <p>The gain of a cell depends on the strength, not on the element. So strength by strength each group's gains are computed once, when
 * first asked for, and an element adds up those of its groups. No choice of steps gains more than the sum of what is positive: first
 * of the groups alone, then of their sums by kind and step. Where that, less the priors, is below what the best so far have, the element is left at that
 * strength. Where an element is sure to be compared in a kind, it pays that kind's head start.
 *
 * <p>Levels of the evidence may change between calls of {@link #learned}. Memory: a number a cell of the evidence and strength, of
 * eighteen. Cost: a pass over the cells for each strength that some cell reaches half of, and little more for all elements.
 */
final class LinkFits {
    /** What rounding can make of a bound, in nats. */
    private static final double ROUNDING = 1e-6;

    private final LinkEvidence evidence;
    private final int[] cells;
    private final int[] kind;
    private final int[] seen;
    private final int steps;
    private final int kinds;
    private final double leastStepsPrior;

    private final LinkGains cellGains;

    // of the element at hand
    private final double[] gains;
    private final double[] sums;
    private final int[] touched;
    private final int[] traffic;

    /** @param groups of the evidence, whatever its levels */
    LinkFits(LinkEvidence evidence, LinkGroups groups) {
        this.evidence = evidence;
        kind = groups.kind;
        seen = groups.seen;
        cells = groups.cells;
        steps = evidence.steps.length;
        kinds = evidence.healthy.length;
        leastStepsPrior = Math.min(LinkFit.segmentPrior(steps), Math.log(steps + 1.0));
        cellGains = new LinkGains(evidence, kind);
        gains = new double[kinds * steps];
        sums = new double[kinds];
        touched = new int[kinds * steps];
        traffic = new int[kinds];
    }

    /** To be called when the evidence has other levels than before. */
    void learned() {
        cellGains.learned();
    }

    /** The best fit of the best element, the first of equals; null without elements. What does not reach the floor may be any fit below it. */
    @Nullable
    LinkFit best(List<LinkGroups.Candidate> elements, double floor) {
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
    List<LinkFit> best(List<LinkGroups.Candidate> elements, int keep, double floor) {
        int n = elements.size();
        LinkGroups.Candidate[] all = elements.toArray(LinkGroups.Candidate[]::new);
        double[] limits = new double[n];
        LinkFit[] fits = new LinkFit[n];
        boolean[] none = new boolean[steps];
        for (int e = 0; e < n; e++) {
            limits[e] = limit(all[e]);
            fits[e] = new LinkFit(all[e].element(), none, 0, Double.NEGATIVE_INFINITY);
        }
        LinkLeaders leaders = new LinkLeaders(fits, keep, floor);
        for (int strength = 0; strength < LinkGains.STRENGTHS.length; strength++) {
            cellGains.turn(strength);
            for (int e = 0; e < n; e++) {
                if (mayLead(limits[e], all[e], leaders) && mayLead(reach(all[e]), all[e], leaders)) {
                    fit(fits, e, all[e], LinkGains.STRENGTHS[strength], leaders);
                }
            }
        }
        return leaders.list();
    }

    /** False if an element that is left so much at most is not among the leading ones, or would be slow in no step. */
    private boolean mayLead(double left, LinkGroups.Candidate c, LinkLeaders leaders) {
        return left - choices(c.element().prior()) >= leaders.floor() && left > Double.NEGATIVE_INFINITY;
    }

    /** What at least the choices cost that an explanation makes. */
    private double choices(double prior) {
        return prior + LinkFit.STRENGTH_PRIOR + leastStepsPrior - ROUNDING;
    }

    /** The most that is left of what the groups gain, whatever strength and steps. */
    private double limit(LinkGroups.Candidate c) {
        Arrays.fill(sums, 0);
        for (int i : c.passing()) {
            sums[kind[i]] += cellGains.limit(i);
        }
        return left(c.compared());
    }

    /** The same at the strength of this turn. */
    private double reach(LinkGroups.Candidate c) {
        Arrays.fill(sums, 0);
        for (int i : c.passing()) {
            sums[kind[i]] += cellGains.promise(i);
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
    boolean canReach(List<LinkGroups.Candidate> elements, int together, double demanded) {
        double[][] gains = new double[kinds][elements.size()];
        double[][] counts = new double[kinds][elements.size()];
        boolean[] compared = new boolean[kinds];
        Arrays.fill(compared, true);
        int at = 0;
        for (LinkGroups.Candidate c : elements) {
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
        return left(compared) - choices(2 * elements.getFirst().element().prior()) > demanded;
    }

    private static double largest(double[] values, int n) {
        Arrays.sort(values);
        double sum = 0;
        for (int i = Math.max(0, values.length - n); i < values.length; i++) {
            sum += values[i];
        }
        return sum;
    }

    private void fit(LinkFit[] fits, int element, LinkGroups.Candidate c, double strength, LinkLeaders leaders) {
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
            better |= improve(fits, element, LinkFit.segment(series), LinkFit.segmentPrior(steps), strength);
            better |= improve(fits, element, LinkFit.positive(series), Double.NaN, strength);
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
            cellGains.addTo(gains, i);
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
