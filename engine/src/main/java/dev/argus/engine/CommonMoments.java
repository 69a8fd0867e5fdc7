package dev.argus.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Moments in which much of a job stood still at once, over its hosts: a machine that slept, clocks that were set, a job that waited for its own recorder. Whoever was idle then shows a gap, whoever
 * computed a long kernel, whoever waited a long collective; and as ranks are at different places around the border of two steps, some show it in the step before and some in the one after. None of
 * it is evidence about a rank, unless it is known what its CPU did, and one moment, in one step or two, is no habit of the job. That the step was long is said anyway ({@link JobSteps}). What goes on for longer than two steps is no
 * moment.
 *
 * <p>Cost: O(steps x peer sets).
 */
final class CommonMoments {
    /** Share of the ranks of the job that makes a moment common, in two neighbouring steps together. */
    static final double SHARE = 1 / 3.0;

    /** Fewer ranks are no common moment. */
    private static final int LEAST_RANKS = 4;

    /** Share of the hosts, likewise: what one of two hosts has is its own. */
    private static final double HOSTS_SHARE = 0.5;

    /** Steps of a moment: the border of two lies in it. */
    private static final int MOST_STEPS = 2;

    private CommonMoments() {}

    /** The steps of such moments. */
    static Set<Long> steps(Iterable<WorkReference> references) {
        double all = 0;
        TreeMap<Long, double[]> away = new TreeMap<>();
        for (WorkReference r : references) {
            all += r.ranks();
            for (int i = 0; i < r.steps().length; i++) {
                if (r.awayRatio()[i] > 0) {
                    double[] sum = away.computeIfAbsent(r.steps()[i], s -> new double[2]);
                    sum[0] += r.awayRatio()[i] * r.ranks();
                    sum[1] += r.awayHostsRatio()[i] * r.ranks();
                }
            }
        }
        TreeSet<Long> common = new TreeSet<>();
        for (Map.Entry<Long, double[]> e : away.entrySet()) {
            double[] in = e.getValue();
            long step = e.getKey();
            if (common(in, away.get(step - 1), all) || common(in, away.get(step + 1), all)) {
                common.add(step);
            }
        }
        return moments(common);
    }

    private static boolean common(double[] in, double @Nullable [] beside, double all) {
        double ranks = in[0] + (beside == null ? 0 : beside[0]);
        double hosts = in[1] + (beside == null ? 0 : beside[1]);
        return ranks >= Math.max(LEAST_RANKS, SHARE * all) && hosts > HOSTS_SHARE * all;
    }

    /** Runs of steps that are no longer than a moment. */
    private static Set<Long> moments(SortedSet<Long> common) {
        Set<Long> moments = new HashSet<>();
        List<Long> run = new ArrayList<>();
        for (long step : common) {
            if (!run.isEmpty() && run.getLast() + 1 != step) {
                moments.addAll(run.size() <= MOST_STEPS ? run : List.of());
                run.clear();
            }
            run.add(step);
        }
        moments.addAll(run.size() <= MOST_STEPS ? run : List.of());
        return moments;
    }

    /**
     * How many moments these pauses are: what falls on the border of two steps is one, if the ranks that have it in either are as many as in a common moment.
     *
     * @param ranks ranks that pause, by step
     * @param all ranks of the job
     */
    static int count(SortedMap<Long, Set<Integer>> ranks, int all) {
        int moments = 0;
        Set<Integer> last = Set.of();
        long lastStep = Long.MIN_VALUE;
        for (Map.Entry<Long, Set<Integer>> e : ranks.entrySet()) {
            Set<Integer> both = new HashSet<>(last);
            both.addAll(e.getValue());
            boolean border =
                    moments > 0 && e.getKey() == lastStep + 1 && both.size() >= Math.max(LEAST_RANKS, SHARE * all);
            moments += border ? 0 : 1;
            last = border ? Set.of() : e.getValue();
            lastStep = border ? Long.MIN_VALUE : e.getKey();
        }
        return moments;
    }
}
