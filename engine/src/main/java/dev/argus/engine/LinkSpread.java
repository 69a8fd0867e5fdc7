package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.Arrays;

/**
 * How far healthy groups of one kind are apart for as long as was seen, for links differ a little for ever: a group that is slow throughout is
 * judged against this, one that changed against its own history.
 *
 * <p>A group's base is its median; where its steps fall into two, that of the lower ones. The spread is measured from the bases below the middle, for
 * a fault makes groups slower only, and is never less than what is assumed. What the slowest of so many healthy groups may be above the
 * others is no news of a link. Cost: O(n log n) comparisons a group of n steps, and O(n^2) moves in a row of as many ({@link Robust#runningMedians}).
 */
final class LinkSpread {
    /** Least spread assumed between healthy groups, as a ratio: seldom so few are compared that less could be known. */
    private static final double ASSUMED = 0.015;

    /** A lasting excess below this says nothing, as a logarithm. */
    private static final double LEAST = Math.log(1.05);

    /** Standard deviations demanded beyond what the largest of many reaches by chance. */
    private static final double BEYOND = 1.5;

    /** A group's steps fall into two when the medians of both runs are this many standard deviations of their difference apart. */
    private static final double CHANGED = 4;

    /** Bases closer than this many standard deviations of a cell are alike. */
    private static final double ALIKE = 1;

    private final double sigma;
    private final double[] bases;
    private final double[] medians;
    private final double middle;

    /** Logarithm of the ratio up to which a lasting excess of a group is within what healthy ones spread. */
    final double limit;

    /**
     * Of the groups of one kind.
     *
     * @param groups logarithms of the transfers of each group by step, NaN where nothing was seen
     * @param sigma spread from step to step
     */
    LinkSpread(double[][] groups, double sigma) {
        this.sigma = sigma;
        bases = Arrays.stream(groups).mapToDouble(logs -> base(logs, sigma)).toArray();
        medians = Arrays.stream(groups).mapToDouble(Robust::median).toArray();
        double[] known = Robust.measured(bases);
        middle = known.length == 2 ? Math.min(known[0], known[1]) : LinkLevels.lower(known, Math.max(sigma, ASSUMED));
        double[] below = Arrays.stream(known)
                .filter(b -> b <= middle)
                .map(b -> middle - b)
                .toArray();
        double spread =
                below.length < 2 ? 0 : Robust.MAD_TO_SIGMA * Robust.median(below) * (1 + 1 / Math.sqrt(below.length));
        double chance = Math.sqrt(2 * Math.log(Math.max(2, known.length)));
        limit = Math.max(LEAST, (chance + BEYOND) * Math.max(ASSUMED, spread));
    }

    /** What a group is above the others for ever, in logarithms: 0 where they are alike, or where it is more than healthy ones spread. */
    double lasting(int group) {
        double off = bases[group] - middle;
        if (off < 0) {
            off = Math.min(0, medians[group] - middle); // few short steps do not make the others long
        }
        return Math.abs(off) > ALIKE * sigma && Math.abs(off) <= limit ? off : 0;
    }

    private static double base(double[] logs, double sigma) {
        double[] cells = Arrays.stream(logs).filter(v -> !Double.isNaN(v)).toArray();
        int n = cells.length;
        if (n == 0) {
            return Double.NaN;
        }
        double base = LinkLevels.lower(cells, sigma);
        double most = CHANGED;
        double[] first = Robust.runningMedians(cells);
        double[] last = Robust.runningMedians(reversed(cells));
        for (int at = 2; at <= n - 2; at++) {
            double before = first[at - 1];
            double after = last[n - at - 1];
            double apart = Math.abs(after - before) / (sigma * Math.sqrt(1.0 / at + 1.0 / (n - at)));
            if (apart > most) {
                most = apart;
                base = Math.min(base, Math.min(before, after));
            }
        }
        return base;
    }

    private static double[] reversed(double[] values) {
        double[] reversed = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            reversed[i] = values[values.length - 1 - i];
        }
        return reversed;
    }
}
