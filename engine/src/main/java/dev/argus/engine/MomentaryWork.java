package dev.argus.engine;

import dev.argus.stats.Robust;
import dev.argus.stats.Segment;

/**
 * Steps at the ends of a stretch in which the rank had more to do than it usually has against its peers: more tokens for its
 * experts, longer samples. Their excess is the work's, and says nothing about when a fault began or ended.
 *
 * <p>What a rank always has more counts as usual: that is no matter of single steps.
 */
final class MomentaryWork {
    /** The work explains a step when it accounts for this share of its excess. */
    private static final double EXPLAINED = 0.5;

    /** Counted work is exact; less more than this is none. */
    private static final double LEAST = 0.01;

    private final double[][] work;
    private final double[] own;
    private final double[] centre;

    /**
     * @param work counted work by rank and step
     * @param r position of the rank
     * @param centre what the peers take, by step
     */
    MomentaryWork(double[][] work, int r, double[] centre) {
        this.work = work;
        this.own = work[r];
        this.centre = centre;
    }

    /** The stretch without such ends; itself where nothing, or all of it, is explained. Cost: two sorts of the ranks a step cut. */
    Segment trim(double[] excess, Segment stretch) {
        double usual = Robust.median(own);
        int a = stretch.first();
        int b = stretch.last();
        while (a <= b && explains(a, usual, excess[a])) {
            a++;
        }
        while (b >= a && explains(b, usual, excess[b])) {
            b--;
        }
        return a > b ? stretch : new Segment(a, b, stretch.score());
    }

    /** First by the rank alone, then against the peers: they may all have more in this step. */
    private boolean explains(int step, double usual, double excess) {
        double alone = own[step] / usual - 1;
        return accounts(alone, step, excess) && accounts(against(step, usual), step, excess);
    }

    private boolean accounts(double more, int step, double excess) {
        return more >= LEAST && more * centre[step] >= EXPLAINED * excess;
    }

    private double against(int step, double usual) {
        double[] now = new double[work.length];
        double[] typical = new double[work.length];
        for (int r = 0; r < work.length; r++) {
            now[r] = work[r][step];
            typical[r] = Robust.median(work[r]);
        }
        return own[step] / usual / (Robust.median(now) / Robust.median(typical)) - 1;
    }
}
