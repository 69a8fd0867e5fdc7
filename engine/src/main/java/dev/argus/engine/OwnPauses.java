package dev.argus.engine;

import dev.argus.engine.RankWork.Measure;
import dev.argus.stats.Robust;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * How many ranks of one peer set stood still by themselves in a step: its step was longer than usual, and at least half of that is in its own time, not in waits for others. Where a rank holds the others up, it is that
 * rank alone; where the machine slept, it is whoever did not happen to wait. What they are together says {@link CommonMoments}.
 *
 * <p>Cost: O(ranks x steps), and medians of a row for each rank where many ranks had a long step.
 */
final class OwnPauses {
    /** Share of what the step is longer that is the rank's own. */
    private static final double OWN_SHARE = 0.5;

    /** Where fewer ranks had a long step, it is not looked at. */
    private static final double LEAST_LONG = 0.1;

    /** Pauses of one moment differ by less than this factor. */
    private static final double ALIKE = 1.5;

    /** Share of the ranks, by step. */
    final double[] ranks;

    /** Share of their hosts, by step. */
    final double[] hosts;

    /**
     * Counts them.
     *
     * @param least nanoseconds from which on a step is long
     */
    OwnPauses(StepMatrix m, int[] ranks, double typicalStep, double least, IntFunction<String> hostOf) {
        int n = m.size();
        this.ranks = new double[n];
        this.hosts = new double[n];
        double[][] duration = m.measure(Measure.DURATION);
        boolean[] wanted = new boolean[n];
        boolean any = false;
        for (int s = 0; s < n; s++) {
            int longer = 0;
            for (double[] row : duration) {
                longer += row[s] >= typicalStep + least ? 1 : 0;
            }
            wanted[s] = longer > 0 && longer >= LEAST_LONG * ranks.length;
            any |= wanted[s];
        }
        if (any) {
            count(m, ranks, duration, least, hostOf, wanted);
        }
    }

    private void count(
            StepMatrix m, int[] of, double[][] duration, double least, IntFunction<String> hostOf, boolean[] wanted) {
        Set<String> all = new HashSet<>();
        for (int rank : of) {
            all.add(hostOf.apply(rank));
        }
        int n = wanted.length;
        double[][] own = new double[of.length][n];
        for (int measure : new int[] {Measure.COMPUTE, Measure.COPY, Measure.GAP, Measure.CPU_WAIT}) {
            double[][] part = m.measure(measure);
            for (int r = 0; r < of.length; r++) {
                for (int s = 0; s < n; s++) {
                    own[r][s] += part[r][s];
                }
            }
        }
        double[] usualOwn = new double[of.length];
        double[] usual = new double[of.length];
        for (int r = 0; r < of.length; r++) {
            usualOwn[r] = Robust.median(own[r]);
            usual[r] = Robust.median(duration[r]);
        }
        double[][] away = new double[of.length][n]; // how much longer; 0 = not away
        int[] many = new int[n];
        double[] typical = new double[n];
        for (int s = 0; s < n; s++) {
            double[] longest = new double[of.length];
            for (int r = 0; r < of.length && wanted[s]; r++) {
                double longer = duration[r][s] - usual[r];
                if (longer >= least && own[r][s] - usualOwn[r] >= OWN_SHARE * longer) {
                    away[r][s] = longer;
                    longest[many[s]++] = longer;
                }
            }
            typical[s] = Robust.median(longest, many[s]);
        }
        for (int s = 0; s < n; s++) {
            Set<String> with = new HashSet<>();
            int once = 0;
            for (int r = 0; r < of.length && many[s] > 0; r++) {
                if (away[r][s] > 0
                        && !apart(away[r], many, typical, s, s - 1)
                        && !apart(away[r], many, typical, s, s + 1)) {
                    once++;
                    with.add(hostOf.apply(of[r]));
                }
            }
            ranks[s] = (double) once / of.length;
            hosts[s] = (double) with.size() / all.size();
        }
    }

    /**
     * True if more ranks stood still in a neighbouring step and this one's pause is not theirs: it stood still there, too, or for another time. One moment on the border of two steps is as long for
     * those before it as for those behind.
     */
    private static boolean apart(double[] away, int[] many, double[] typical, int s, int other) {
        if (other < 0 || other >= many.length || many[other] <= many[s]) {
            return false;
        }
        double ratio = away[s] / typical[other];
        return away[other] > 0 || ratio < 1 / ALIKE || ratio > ALIKE;
    }
}
