package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the step since which all ranks of a peer set stand idle for longer in every step: a loader, a file system or a host service that
 * has become slow for everybody. Peers show nothing of it, and no step stands out of those around it.
 *
 * <p>Over the ranks the gap that nearly all of them have is looked at, step by step. Method: the split at which the medians of both sides
 * differ most, of those whose sides lie apart by half of that difference. The work must be the same, and the steps must have become longer:
 * where compute shrinks, gaps grow and nobody loses. Cost: O(ranks x steps x log ranks + steps^2 log steps).
 */
final class GapShifts {
    /** A gap is everybody's when at most this share of the ranks is without it. */
    static final double EVERYBODY_QUANTILE = 0.1;

    /** Steps demanded before the change. */
    private static final int BEFORE = 2;

    /** Steps demanded from the change on: one or two long ones are an event of the job. */
    private static final int AFTER = 3;

    /** Both sides lie apart by so much of the change. */
    private static final double APART = 0.5;

    /** Steps must have become longer by so much of the change. */
    private static final double FELT = 0.5;

    /** Work that differs by more may explain other gaps. */
    private static final double SAME_WORK = 0.01;

    /** But no change this many times as large as that share of a step: where lengths vary no two stretches are at the same work. */
    private static final double BEYOND_WORK = 3;

    private GapShifts() {}

    /**
     * A change.
     *
     * @param first position of the first step with it
     * @param before gap of everybody before, nanoseconds a step
     */
    record Shift(int first, double before) {}

    /**
     * The change, or null.
     *
     * @param gap idle time, [rank][step]; NaN where missing
     * @param stepNanos typical length of each step
     * @param work threads launched, [rank][step]; 0 or NaN where unknown
     * @param leastNanos least change
     */
    static @Nullable Shift find(double[][] gap, double[] stepNanos, double[][] work, double leastNanos) {
        int steps = stepNanos.length;
        double[] all = new double[steps];
        double[] done = new double[steps];
        for (int s = 0; s < steps; s++) {
            all[s] = Robust.lowerQuantile(WorkAnalyst.column(gap, s), EVERYBODY_QUANTILE);
            done[s] = Robust.median(WorkAnalyst.column(work, s));
        }
        Shift best = null;
        double most = 0;
        for (int k = BEFORE; k <= steps - AFTER; k++) {
            double a = median(all, 0, k);
            double change = median(all, k, steps) - a;
            double high = extreme(all, 0, k, 1);
            double low = extreme(all, k, steps, -1);
            boolean apart = low - high >= APART * change;
            double stepBefore = median(stepNanos, 0, k);
            boolean felt = median(stepNanos, k, steps) - stepBefore >= FELT * change;
            double workBefore = median(done, 0, k);
            double workAfter = median(done, k, steps);
            double other = workBefore > 0 ? Math.abs(workAfter / workBefore - 1) : 0;
            boolean same = !(other > SAME_WORK) || change >= BEYOND_WORK * other * stepBefore;
            if (apart && felt && same && change >= leastNanos && change > most) {
                most = change;
                best = new Shift(k, a);
            }
        }
        return best;
    }

    private static double median(double[] values, int from, int to) {
        return Robust.median(Arrays.copyOfRange(values, from, to));
    }

    /** The largest (sign 1) or the least (sign -1); NaN where too little is known of this side. */
    private static double extreme(double[] values, int from, int to, int sign) {
        double[] known = Robust.measured(Arrays.copyOfRange(values, from, to));
        int least = sign > 0 ? BEFORE : AFTER;
        return known.length < least ? Double.NaN : known[sign > 0 ? known.length - 1 : 0];
    }
}
