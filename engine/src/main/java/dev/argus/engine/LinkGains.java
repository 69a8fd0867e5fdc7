package dev.argus.engine;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * What each cell of the evidence (a group at a step) gains by being slow instead of healthy, in nats, strength by strength. It depends on the
 * strength, not on the element that is blamed, so each group's gains are computed once a strength, when first asked for.
 *
 * <p>A group's gains are nowhere positive at a strength of which none of its cells reaches half, and never more than what its cells say
 * against nothing being slow. Memory: a number a cell and strength that was asked for.
 */
final class LinkGains {
    static final double[] STRENGTHS = DoubleStream.iterate(
                    LinkFit.WEAKEST, s -> s <= LinkFit.STRONGEST, s -> s * LinkFit.NEXT)
            .toArray();

    private final LinkEvidence evidence;
    private final int steps;
    private final int[] kind;

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

    /** @param kind kind of each group */
    LinkGains(LinkEvidence evidence, int[] kind) {
        this.evidence = evidence;
        this.kind = kind;
        int groups = kind.length;
        steps = evidence.steps.length;
        above = new double[groups * steps];
        most = new double[groups];
        limit = new double[groups];
        promises = new double[STRENGTHS.length][groups];
        filledOf = new boolean[STRENGTHS.length][groups];
        expected = new double[evidence.healthy.length];
        tolerated = new double[evidence.healthy.length];
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

    /** What is computed from now on is of another strength. */
    void turn(int number) {
        promise = promises[number];
        filled = filledOf[number];
        rows = Objects.requireNonNullElseGet(rowsOf[number], () -> new double[most.length * steps]);
        rowsOf[number] = rows;
        double strength = STRENGTHS[number];
        for (int k = 0; k < expected.length; k++) {
            expected[k] = Math.log1p(evidence.weight[k] * Math.expm1(strength)) / evidence.sigma[k];
            tolerated[k] = Math.max(0, LinkFit.TOLERANCE * expected[k] - 1);
        }
    }

    /** The most that a group gains, whatever the strength. */
    double limit(int group) {
        return limit[group];
    }

    /** Sum of the positive gains of a group at the strength of this turn. */
    double promise(int group) {
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

    /** Adds a group's gains at the strength of this turn to those of its kind, by kind and step. */
    void addTo(double[] gains, int group) {
        fill(group);
        int to = kind[group] * steps;
        int from = group * steps;
        for (int s = 0; s < steps; s++) {
            gains[to + s] += rows[from + s];
        }
    }
}
