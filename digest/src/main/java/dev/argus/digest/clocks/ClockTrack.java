package dev.argus.digest.clocks;

import java.util.ArrayList;
import java.util.List;

/**
 * The distance of two clocks over time: straight lines, joined. Time is cut in halves until a line fits or too few meetings are
 * left, for clocks drift evenly over minutes, not over hours; what a line does not follow is part of its bound.
 *
 * <p>Outside of the time in which the hosts met the last line goes on, and the bound grows by {@value #WANDER} of the time: a clock that
 * nobody disciplines changes its drift by less in an hour of even temperature.
 *
 * <p>Cost: O(n log n) at most.
 */
final class ClockTrack {
    /** Meetings below which a line is not cut. */
    private static final int LEAST_TO_CUT = 24;

    /** Growth of the bound outside of the time of meetings, as a ratio: 1 ppm. */
    private static final double WANDER = 1e-6;

    /** Unknown drift is not beyond, as a ratio. */
    private static final double FASTEST = 200e-6;

    private final long origin;
    private final long base;
    private final double[] at;
    private final double[] apart;
    private final int[] step;
    private final List<ClockLine> lines = new ArrayList<>();
    private final List<Double> knots = new ArrayList<>();
    private double[] values = {};
    private double widening;
    private double bend;
    private double sigma;
    private double used;

    private ClockTrack(long origin, long base, double[] at, double[] apart, int[] step) {
        this.origin = origin;
        this.base = base;
        this.at = at;
        this.apart = apart;
        this.step = step;
    }

    /**
     * Of meetings in order of time.
     *
     * @param times by the first clock, nanoseconds since the epoch, ascending
     * @param apart the second clock less the first at each, nanoseconds
     * @param step step of each
     */
    static ClockTrack of(long[] times, long[] apart, int[] step) {
        int n = times.length;
        long origin = times[n / 2];
        long base = apart[n / 2];
        double[] at = new double[n];
        double[] off = new double[n];
        for (int i = 0; i < n; i++) {
            at[i] = times[i] - origin;
            off[i] = apart[i] - base;
        }
        ClockTrack track = new ClockTrack(origin, base, at, off, step);
        track.fit(0, n);
        track.join();
        return track;
    }

    private void fit(int from, int to) {
        ClockLine line = ClockLine.of(at, apart, step, from, to);
        if (line.bend() > 0 && to - from >= LEAST_TO_CUT) {
            int middle = (from + to) / 2;
            fit(from, middle);
            fit(middle, to);
            return;
        }
        lines.add(line);
        knots.add(at[from]);
        sigma = Math.max(sigma, line.sigma());
        used += line.usedRatio() * (to - from);
        bend = Math.max(bend, line.bend());
    }

    /** Where two lines meet the middle of both holds, so that no time is mapped back behind an earlier one. */
    private void join() {
        int n = lines.size();
        knots.add(at[at.length - 1]);
        values = new double[n + 1];
        values[0] = lines.getFirst().value(knots.getFirst());
        values[n] = lines.getLast().value(knots.getLast());
        for (int i = 1; i < n; i++) {
            double before = lines.get(i - 1).value(knots.get(i));
            double after = lines.get(i).value(knots.get(i));
            values[i] = (before + after) / 2;
            widening = Math.max(widening, Math.abs(after - before) / 2);
        }
    }

    private int lineAt(double time) {
        int i = 0;
        while (i + 1 < lines.size() && time >= knots.get(i + 1)) {
            i++;
        }
        return i;
    }

    /** The second clock less the first, nanoseconds, when the first shows a time. */
    double apart(long time) {
        double t = time - origin;
        int i = lineAt(t);
        double between = knots.get(i + 1) - knots.get(i);
        double slope = between > 0 && lines.size() > 1
                ? (values[i + 1] - values[i]) / between
                : lines.get(i).slope();
        return base + values[i] + slope * (t - knots.get(i));
    }

    /** What the second clock shows when the first shows a time. */
    long second(long time) {
        return time + Math.round(apart(time));
    }

    /** What the first clock shows when the second shows a time. */
    long first(long time) {
        long guess = time;
        for (int i = 0; i < 5; i++) {
            guess = time - Math.round(apart(guess));
        }
        return guess;
    }

    /** Bound of the error of {@link #apart} by noise and uneven drift, nanoseconds; without what all ends of a host have in common. */
    double error(long time) {
        double t = time - origin;
        ClockLine line = lines.get(lineAt(t));
        double outside = Math.max(0, Math.max(knots.getFirst() - t, t - knots.getLast()));
        double inside = Math.clamp(t, knots.getFirst(), knots.getLast());
        double drifting = Math.min(FASTEST, line.slopeError()) + WANDER;
        return line.error(inside) + widening + outside * drifting;
    }

    /** The largest bound while the hosts met, nanoseconds. */
    double worstError() {
        double worst = 0;
        for (int i = 0; i < lines.size(); i++) {
            worst = Math.max(worst, lines.get(i).error(knots.get(i)));
            worst = Math.max(worst, lines.get(i).error(knots.get(i + 1)));
        }
        return worst + widening;
    }

    /** Mean growth of the distance from the first meeting to the last, as a ratio. */
    double drift() {
        double span = knots.getLast() - knots.getFirst();
        return lines.size() > 1 && span > 0
                ? (values[values.length - 1] - values[0]) / span
                : lines.getFirst().slope();
    }

    /** Bound of the error of {@link #drift}, as a ratio; {@value #FASTEST} where it is unknown. */
    double driftError() {
        if (lines.size() == 1) {
            return Math.min(FASTEST, lines.getFirst().slopeError());
        }
        double ends = lines.getFirst().error(knots.getFirst()) + lines.getLast().error(knots.getLast());
        return ends / (knots.getLast() - knots.getFirst());
    }

    /** The fastest drift of any part, as a ratio. */
    double fastest() {
        return lines.stream().mapToDouble(l -> Math.abs(l.slope())).max().orElse(0);
    }

    /** Standard deviation of a single meeting in the noisiest part, nanoseconds. */
    double sigma() {
        return sigma;
    }

    /** What the lines do not follow, nanoseconds: bends that are left, and jumps where they meet. */
    double uneven() {
        return bend + widening;
    }

    /** Part of the meetings near their line, 0 to 1. */
    double usedRatio() {
        return used / at.length;
    }

    /** Time of the first meeting by the first clock. */
    long from() {
        return origin + Math.round(knots.getFirst());
    }

    /** Time of the last meeting by the first clock. */
    long until() {
        return origin + Math.round(knots.getLast());
    }
}
