package dev.argus.sketch;

import dev.argus.model.DurationSummary;
import dev.argus.stats.Knots;
import dev.argus.stats.PositionGrid;
import dev.argus.stats.QuantileFunction;
import dev.argus.stats.Shift;

/**
 * The distribution a summary stands for: its quantile function, from which quantiles, the distribution function and the signed
 * distance to any other summary are read exactly and in linear time.
 *
 * <p>Worked example: {@code Rebuilt.distance(before, now)} with {@code more = 3000} and {@code less = 0} says that the
 * kernel became longer by 3 us in the mean and nowhere shorter.
 */
public final class Rebuilt {
    private Rebuilt() {}

    /**
     * The quantile function, in nanoseconds; its mean is sum / count.
     *
     * @throws IllegalArgumentException if the summary is empty: no events have no distribution
     */
    public static QuantileFunction of(DurationSummary summary) {
        if (summary.count() == 0) {
            throw new IllegalArgumentException("a summary of 0 events has no quantile function; expected 1 or more");
        }
        return switch (summary.form()) {
            case EVENTS -> QuantileFunction.steps(toDouble(summary.events()));
            case STEPS -> Knots.steps(summary.sumNanos(), summary.bins());
            case KNOTS ->
                Knots.rebuild(
                        summary.count(), summary.sumNanos(), summary.positionBits(), summary.places(), summary.bins());
        };
    }

    /** Number of duration modes; few events are one. */
    public static int modes(DurationSummary summary) {
        return Math.max(1, summary.modeFirst().length);
    }

    /** Number of events in a mode, by the places where it begins and ends; the bound is on W1, not on it. */
    public static long modeCount(DurationSummary summary, int mode) {
        if (summary.modeFirst().length == 0) {
            return summary.count();
        }
        PositionGrid grid = new PositionGrid(summary.count(), summary.positionBits());
        return grid.position(summary.places()[lastKnot(summary, mode)])
                - grid.position(summary.places()[summary.modeFirst()[mode]]);
    }

    /** The quantile function of one mode: its median and p99 are {@code at(0.5)} and {@code at(0.99)}. */
    public static QuantileFunction mode(DurationSummary summary, int mode) {
        QuantileFunction whole = of(summary);
        if (summary.modeFirst().length <= 1) {
            return whole;
        }
        PositionGrid grid = new PositionGrid(summary.count(), summary.positionBits());
        double n = summary.count();
        return whole.slice(
                grid.position(summary.places()[summary.modeFirst()[mode]]) / n,
                grid.position(summary.places()[lastKnot(summary, mode)]) / n);
    }

    private static int lastKnot(DurationSummary summary, int mode) {
        int[] first = summary.modeFirst();
        return mode + 1 < first.length ? first[mode + 1] - 1 : summary.places().length - 1;
    }

    /** How the second has moved against the first, in nanoseconds; the sum of both areas is W1. */
    public static Shift distance(DurationSummary first, DurationSummary second) {
        return of(first).shiftTo(of(second));
    }

    private static double[] toDouble(long[] values) {
        double[] result = new double[values.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = values[i];
        }
        return result;
    }
}
