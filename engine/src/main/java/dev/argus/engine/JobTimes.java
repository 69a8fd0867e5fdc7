package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Step times of the whole job: the longest of the peer sets' medians at each step. */
final class JobTimes {
    /** Steps so much longer than the others, as a ratio less 1, are visible in the step times alone ... */
    private static final double L1_EXCESS = 0.01;

    /** ... where that is also so many standard deviations of the difference of the two medians. */
    private static final double L1_SIGMAS = 3;

    /** Standard deviation assumed of a step's time at least: the spread of two or three steps says little. */
    private static final double L1_NOISE = 0.002;

    /** So few steps are quiet by chance only. */
    private static final int FEW_QUIET = 3;

    private final TreeMap<Long, Double> step = new TreeMap<>();

    JobTimes(List<WorkReference> references) {
        for (WorkReference r : references) {
            for (int i = 0; i < r.steps().length; i++) {
                double nanos = r.stepNanos()[i];
                if (nanos > 0) {
                    step.merge(r.steps()[i], nanos, Math::max);
                }
            }
        }
    }

    /** Sum over steps. */
    double measuredNanos() {
        return step.values().stream().mapToDouble(v -> v).sum();
    }

    /** Sum over the steps from one to another, inclusive. */
    double measuredNanos(long from, long to) {
        return to < from
                ? 0
                : step.subMap(from, true, to, true).values().stream()
                        .mapToDouble(v -> v)
                        .sum();
    }

    double typicalNanos() {
        double m = Robust.median(values(step.keySet()));
        return Double.isNaN(m) ? 0 : m;
    }

    /** The steps seen, ascending. */
    Set<Long> steps() {
        return step.keySet();
    }

    /** The newest step seen; -1 before any. */
    long newest() {
        return step.isEmpty() ? -1 : step.lastKey();
    }

    int size() {
        return step.size();
    }

    /** Time of a step, or NaN. */
    double at(long s) {
        return step.getOrDefault(s, Double.NaN);
    }

    /** True if these steps took clearly longer than the others, by a ratio and beyond what steps differ anyway; false when there are no others. */
    boolean slowerIn(Set<Long> steps) {
        Set<Long> rest = new HashSet<>(step.keySet());
        rest.removeAll(steps);
        double[] these = values(steps);
        double[] others = values(rest);
        double usual = Robust.median(others);
        double sigma = Math.max(L1_NOISE * usual, Robust.sigma(others));
        double chance = L1_SIGMAS * sigma * Math.sqrt(1.0 / these.length + 1.0 / others.length);
        return Robust.median(these) - usual > Math.max(L1_EXCESS * usual, chance);
    }

    /** How far apart steps without any trouble are; 0 when there are fewer than two. */
    double quietSigma(Set<Long> troubled) {
        Set<Long> quiet = new HashSet<>(step.keySet());
        quiet.removeAll(troubled);
        double sigma = Robust.sigma(values(quiet));
        return Double.isNaN(sigma) ? 0 : sigma;
    }

    /**
     * Time above what steps without any trouble take, by step; null when fewer than two steps were without trouble, so that
     * there is nothing to compare with.
     */
    @Nullable
    Map<Long, Double> excessOver(Set<Long> troubled) {
        Set<Long> quiet = new HashSet<>(step.keySet());
        quiet.removeAll(troubled);
        if (quiet.size() < 2) {
            return null;
        }
        double base = Robust.median(values(quiet));
        if (quiet.size() < FEW_QUIET && base > Robust.median(values(troubled))) {
            return null; // steps that nobody is blamed for, and longer than the others: not quiet
        }
        Map<Long, Double> over = new TreeMap<>();
        for (Map.Entry<Long, Double> e : step.entrySet()) {
            over.put(e.getKey(), Math.max(0, e.getValue() - base));
        }
        return over;
    }

    private double[] values(Set<Long> steps) {
        List<Double> list = new ArrayList<>();
        for (long s : steps) {
            Double v = step.get(s);
            if (v != null) {
                list.add(v);
            }
        }
        return list.stream().mapToDouble(v -> v).toArray();
    }
}
