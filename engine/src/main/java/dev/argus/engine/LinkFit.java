package dev.argus.engine;

import dev.argus.stats.Segment;
import java.util.Arrays;

/**
 * How well one element explains the evidence: the gain in logarithmic likelihood over "nothing is slow", at the best strength and
 * the best steps.
 *
 * <p>Each cell (a group at a step) that passes the element is held against what the strength predicts, in standard deviations of
 * its kind; the gain of a cell is bounded, so that no wild cell decides, and a healthy cell that should be slow counts as
 * much against as a slow one counts for. Slow cells that do not pass the element gain nothing. So of nested elements the one that touches just
 * what is slow wins. A kind of which nothing is left outside to compare with says nothing. {@link LinkFits} finds the best of many elements.
 *
 * @param element element
 * @param active steps in which it is slow, by position
 * @param strength logarithm of the factor on transfers
 * @param score gain less what the choice of element, strength and steps costs, in nats
 */
@SuppressWarnings("ArrayRecordComponent")
record LinkFit(LinkElement element, boolean[] active, double strength, double score) {
    /** A strength need hold to so much of itself only, for payloads and paths differ; less than one standard deviation of it is noise. */
    static final double TOLERANCE = 0.25;

    /** Weakest and strongest factor tried, and the ratio of neighbours: its root is within the tolerance. */
    static final double WEAKEST = Math.log(1.02);

    static final double STRONGEST = Math.log(1_000);
    static final double NEXT = 1.35;

    /** What it costs to choose among strengths, in nats. */
    static final double STRENGTH_PRIOR = 2;

    /** What it costs to say that rings with several members a host escape by their other interfaces, in nats. */
    static final double ESCAPE_PRIOR = 2;

    /** What the choice of one run of n steps costs, in nats. */
    static double segmentPrior(int n) {
        return Math.log(n * (n + 1) / 2.0);
    }

    /** What the choice of so many of n steps costs: the logarithm of the number of ways, and of how many there are. */
    static double subsetPrior(int n, int count) {
        double log = Math.log(n + 1.0);
        for (int i = 0; i < count; i++) {
            log += Math.log((n - i) / (i + 1.0));
        }
        return log;
    }

    /** The run of steps that gains most. */
    static boolean[] segment(double[] sums) {
        boolean[] active = new boolean[sums.length];
        Segment segment = Segment.best(sums, 0);
        if (segment != null) {
            Arrays.fill(active, segment.first(), segment.last() + 1, true);
        }
        return active;
    }

    /** The steps that gain anything. */
    static boolean[] positive(double[] sums) {
        boolean[] active = new boolean[sums.length];
        for (int i = 0; i < sums.length; i++) {
            active[i] = sums[i] > 0;
        }
        return active;
    }

    int activeCount() {
        int n = 0;
        for (boolean a : active) {
            n += a ? 1 : 0;
        }
        return n;
    }
}
