package dev.argus.digest.clocks;

import dev.argus.stats.Robust;
import java.util.Arrays;

/**
 * The straight line that the distances of two clocks follow for a while, whatever some of them do.
 *
 * <p>Method: the first slope is the median of slopes between meeting i and meeting i + n/2 (Theil's incomplete method, 1950), which a quarter
 * of wrong meetings cannot move; from it least squares over what lies within 4 standard deviations, repeated. The spread is the median
 * absolute deviation, so that what is set aside does not narrow it. Meetings of one step are not independent: each beyond the first counts
 * an eighth. Cost: O(n) with a small constant.
 */
final class ClockLine {
    /** Meetings further than this many standard deviations from the line are not used. */
    private static final double FAR_SIGMAS = 4;

    private static final int ROUNDS = 6;

    /** Up to so many meetings the slopes between all count (Sen 1968), which bears more wrong ones. */
    private static final int FEW = 48;

    /** Smallest standard deviation assumed, nanoseconds: clocks tick, and records round. */
    private static final double LEAST_SIGMA = 100;

    /** Blocks that a bend is looked for in, at most. */
    private static final int BLOCKS = 8;

    /** Of less than this many meetings a block says nothing. */
    private static final int LEAST_BLOCK = 3;

    /** So many far meetings in a row on one side are no accident. */
    private static final int LONG_RUN = 6;

    /** With fewer blocks a bend is not told from noise. */
    private static final int LEAST_BLOCKS = 4;

    /** A time span below leaves the drift unknown, nanoseconds. */
    private static final double LEAST_SPAN = 1e6;

    private final double[] at;
    private final double[] apart;
    private double slope;
    private double middle;
    private double level;
    private double sigma;
    private double levelVariance;
    private double slopeVariance;
    private double bend;
    private int used;
    private double telling;

    private ClockLine(double[] at, double[] apart) {
        this.at = at;
        this.apart = apart;
    }

    /**
     * Fits.
     *
     * @param at times ascending, nanoseconds from any origin near them
     * @param apart the distance of the clocks at each, nanoseconds from any origin near them
     * @param step the step of each
     */
    static ClockLine of(double[] at, double[] apart, int[] step) {
        ClockLine line = new ClockLine(at, apart);
        line.start();
        for (int i = 0; i < ROUNDS; i++) {
            line.spread();
            line.leastSquares(step);
        }
        line.spread();
        line.bend = line.findBend();
        return line;
    }

    private double span() {
        return at[at.length - 1] - at[0];
    }

    private void start() {
        double first = span() < LEAST_SPAN ? 0 : Robust.median(slopes());
        slope = Double.isNaN(first) ? 0 : first;
        middle = at[at.length / 2];
        double[] left = new double[at.length];
        for (int i = 0; i < left.length; i++) {
            left[i] = apart[i] - slope * (at[i] - middle);
        }
        level = Robust.median(left);
    }

    private double[] slopes() {
        int half = at.length / 2;
        boolean few = at.length <= FEW;
        int most = few ? at.length * (at.length - 1) / 2 : at.length - half;
        double[] slopes = new double[most];
        int n = 0;
        for (int i = 0; n < most; i++) {
            for (int j = i + (few ? 1 : half); j < at.length && n < most; j = few ? j + 1 : at.length) {
                double between = at[j] - at[i];
                slopes[n++] = between > 0 ? (apart[j] - apart[i]) / between : Double.NaN;
            }
        }
        return slopes;
    }

    private double residual(int i) {
        return apart[i] - value(at[i]);
    }

    private void spread() {
        double[] residuals = new double[at.length];
        for (int i = 0; i < residuals.length; i++) {
            residuals[i] = residual(i);
        }
        double few = Math.sqrt(at.length / Math.max(1.0, at.length - 2));
        sigma = Math.max(LEAST_SIGMA, few * Robust.sigmaAround(residuals, 0));
    }

    private void leastSquares(int[] step) {
        boolean[] in = new boolean[at.length];
        double sumAt = 0;
        double sumApart = 0;
        int n = 0;
        int distinct = 0;
        int lastStep = -1;
        for (int i = 0; i < in.length; i++) {
            in[i] = Math.abs(residual(i)) <= FAR_SIGMAS * sigma;
            if (in[i]) {
                n++;
                sumAt += at[i];
                sumApart += apart[i];
                distinct += step[i] != lastStep ? 1 : 0;
                lastStep = step[i];
            }
        }
        used = n;
        if (n < 2) {
            levelVariance = Double.POSITIVE_INFINITY;
            return;
        }
        middle = sumAt / n;
        level = sumApart / n;
        double squares = 0;
        double products = 0;
        for (int i = 0; i < in.length; i++) {
            if (in[i]) {
                squares += (at[i] - middle) * (at[i] - middle);
                products += (at[i] - middle) * (apart[i] - level);
            }
        }
        boolean driftKnown = span() >= LEAST_SPAN && squares > 0;
        slope = driftKnown ? products / squares : 0;
        telling = Math.max(1, distinct + (n - distinct) / 8.0);
        double left = 0;
        for (int i = 0; i < in.length; i++) {
            left += in[i] ? residual(i) * residual(i) : 0;
        }
        double variance = Math.max(sigma * sigma, left / Math.max(1, n - 2)) * n / Math.max(1, n - 2);
        levelVariance = variance / telling;
        slopeVariance = driftKnown ? variance / squares * n / telling : 0;
    }

    /**
     * How far the clocks leave the line for good: where the middle of a block of the meetings near the line lies off beyond chance, they do
     * not drift evenly; where many in a row are far off on one side, one was set. Single late ends do neither.
     */
    private double findBend() {
        double[] near = new double[at.length];
        int n = 0;
        double worst = 0;
        int run = 0;
        for (int i = 0; i < at.length; i++) {
            double off = residual(i);
            if (Math.abs(off) <= FAR_SIGMAS * sigma) {
                near[n++] = off;
                run = 0;
            } else {
                run = run * off > 0 ? run + (int) Math.signum(off) : (int) Math.signum(off);
                worst = Math.abs(run) >= LONG_RUN ? Math.max(worst, Math.abs(off)) : worst;
            }
        }
        return Math.max(worst, unevenness(Arrays.copyOf(near, n)));
    }

    private static double unevenness(double[] residuals) {
        int blocks = Math.min(BLOCKS, residuals.length / LEAST_BLOCK);
        if (blocks < LEAST_BLOCKS) {
            return 0;
        }
        int size = residuals.length / blocks;
        double[] steady = new double[residuals.length - 1];
        for (int i = 0; i < steady.length; i++) {
            steady[i] = residuals[i + 1] - residuals[i];
        }
        double noise = Math.max(LEAST_SIGMA, Robust.sigmaAround(steady, 0) / Math.sqrt(2));
        double chance = 4 * 1.25 * noise / Math.sqrt(size);
        double worst = 0;
        for (int b = 0; b < blocks; b++) {
            int from = b * residuals.length / blocks;
            double off = Math.abs(Robust.median(Arrays.copyOfRange(residuals, from, from + size)));
            worst = off > chance ? Math.max(worst, off) : worst;
        }
        return worst;
    }

    /** Its value at a time. */
    double value(double time) {
        return level + slope * (time - middle);
    }

    /** How much the distance grows, as a ratio. */
    double slope() {
        return slope;
    }

    /** Standard deviation of a single meeting, nanoseconds. */
    double sigma() {
        return sigma;
    }

    /** Largest lasting departure from the line, nanoseconds; 0 when there is none beyond chance. */
    double bend() {
        return bend;
    }

    /** Part of the meetings that lie near the line, 0 to 1. */
    double usedRatio() {
        return (double) used / at.length;
    }

    /** Standard deviations that a bound takes: 3 in the long run, more where few meetings tell the spread, as Student's t does. */
    private double sigmas() {
        return 3 * (1 + 6.0 / Math.max(1, telling - 3));
    }

    /** Bound of the error of {@link #value} by noise and bend, nanoseconds. */
    double error(double time) {
        double off = time - middle;
        return sigmas() * Math.sqrt(levelVariance + slopeVariance * off * off) + bend;
    }

    /** Bound of the error of {@link #slope}, as a ratio. */
    double slopeError() {
        double span = span();
        return span < LEAST_SPAN ? Double.POSITIVE_INFINITY : sigmas() * Math.sqrt(slopeVariance) + 2 * bend / span;
    }

    /** The same line over a part of the meetings. */
    static ClockLine of(double[] at, double[] apart, int[] step, int from, int to) {
        return of(
                Arrays.copyOfRange(at, from, to),
                Arrays.copyOfRange(apart, from, to),
                Arrays.copyOfRange(step, from, to));
    }
}
