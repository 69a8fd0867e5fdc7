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
    /** A step this much longer than others is visible in the step times alone. */
    private static final double L1_RATIO = 1.02;

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

    /** True if these steps took clearly longer than the others; false when there are no others. */
    boolean slowerIn(Set<Long> steps) {
        Set<Long> others = new HashSet<>(step.keySet());
        others.removeAll(steps);
        return Robust.median(values(steps)) > L1_RATIO * Robust.median(values(others));
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
