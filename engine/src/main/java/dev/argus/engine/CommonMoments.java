package dev.argus.engine;

import dev.argus.model.JobShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Moments in which much of a job stood still at once, over its hosts, and nothing says why: a machine that slept, clocks that were set, a job that waited for its own recorder. Whoever was idle then shows a gap, whoever
 * computed a long kernel, whoever waited a long collective; and as ranks are at different places around the border of two steps, some show it in the step before and some in the one after. None of
 * it is evidence about a rank, and one moment, in one step or two, is no habit of the job. That the step was long is said anyway ({@link JobSteps}).
 *
 * <p>Cost: O(n log n) for n findings.
 */
final class CommonMoments {
    /** Share of the ranks of the job, in whatever they do, that makes a moment common. */
    static final double SHARE = 1 / 3.0;

    /** Fewer ranks, and fewer hosts than half of them, are no common moment. */
    private static final int LEAST_RANKS = 4;

    /** How far pauses of one moment are apart, over the one in the middle. */
    private static final double ALIKE = 2;

    private CommonMoments() {}

    /**
     * Those that are not of a common moment.
     *
     * @param findings of all parts of own time
     * @param named true for what has a cause by what the CPU did: that may well befall all ranks at once
     */
    static List<WorkFinding> without(List<WorkFinding> findings, JobShape shape, Predicate<WorkFinding> named) {
        TreeMap<Long, List<WorkFinding>> single = new TreeMap<>();
        for (WorkFinding f : findings) {
            if (f.lastStep() - f.firstStep() <= 1 && f.weight() != Weight.EVERYBODY && f.weight() != Weight.SEEN) {
                single.computeIfAbsent(f.firstStep(), s -> new ArrayList<>()).add(f);
            }
        }
        Set<WorkFinding> common = new HashSet<>();
        for (long step : single.keySet()) {
            List<WorkFinding> at = new ArrayList<>(single.getOrDefault(step, List.of()));
            at.addAll(single.getOrDefault(step + 1, List.of()));
            at.removeIf(f -> f.lastStep() > step + 1);
            List<WorkFinding> alike = alike(at);
            if (common(alike, shape) && alike.stream().filter(named).count() * 2 < alike.size()) {
                common.addAll(at);
            }
        }
        return common.isEmpty()
                ? findings
                : findings.stream().filter(f -> !common.contains(f)).toList();
    }

    private static List<WorkFinding> alike(List<WorkFinding> at) {
        if (at.size() < LEAST_RANKS) {
            return List.of();
        }
        double[] sizes =
                at.stream().mapToDouble(WorkFinding::meanNanos).sorted().toArray();
        double middle = sizes[sizes.length / 2];
        return at.stream()
                .filter(f -> f.meanNanos() <= ALIKE * middle && f.meanNanos() >= middle / ALIKE)
                .toList();
    }

    private static boolean common(List<WorkFinding> alike, JobShape shape) {
        Set<Integer> ranks = new HashSet<>();
        Set<String> hosts = new HashSet<>();
        for (WorkFinding f : alike) {
            ranks.add(f.rank());
            hosts.add(shape.hostOf(f.rank()));
        }
        return ranks.size() >= Math.max(LEAST_RANKS, SHARE * shape.ranks().size())
                && 2 * hosts.size() > shape.hostCount();
    }

    /** How many moments these steps are: one that falls on the border of two steps is one. */
    static int count(Set<Long> steps) {
        int moments = 0;
        long last = Long.MIN_VALUE;
        for (long step : steps.stream().sorted().toList()) {
            if (moments == 0 || step > last + 1) {
                moments++;
                last = step;
            }
        }
        return moments;
    }
}
