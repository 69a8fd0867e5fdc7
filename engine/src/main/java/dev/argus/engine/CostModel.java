package dev.argus.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What suspects cost.
 *
 * <p>A suspect claims its excess over its peers: the step cannot have lost more through it. Where the job has steps without
 * trouble, the claims on a step and its successor (a stall after the last synchronisation shows in the next step of all others)
 * are also bounded by what these steps took longer than quiet ones, as far as quiet steps are alike. Several suspects share what was lost in proportion to
 * their claims: no nanosecond is claimed twice.
 */
final class CostModel {
    /** Steps longer than quiet ones by less are noise, not loss. */
    private static final double NOISE_RATIO = 0.05;

    private final JobTimes times;
    private final Set<Long> events;

    /**
     * @param times step times
     * @param events steps of checkpoints, evaluations and warm-up
     */
    CostModel(JobTimes times, Set<Long> events) {
        this.times = times;
        this.events = events;
    }

    void price(List<Suspect> suspects) {
        Set<Long> troubled = troubled(suspects);
        Map<Long, Double> over = times.excessOver(troubled);
        Map<Long, Double> claimed = new TreeMap<>();
        suspects.forEach(s -> s.claims.forEach((step, nanos) -> claimed.merge(step, nanos, Double::sum)));
        for (Suspect s : suspects) {
            if (s.standingNanos > 0) {
                s.costNanos = Math.min(s.standingNanos, times.measuredNanos());
                continue;
            }
            double cost = 0;
            double lost = 0;
            for (Map.Entry<Long, Double> c : s.claims.entrySet()) {
                long step = c.getKey();
                double all = claimed.getOrDefault(step, c.getValue());
                double share = all > 0 ? c.getValue() / all : 1;
                double bound = Double.isNaN(times.at(step)) ? c.getValue() : share * times.at(step);
                double most = over == null ? c.getValue() : s.upper.getOrDefault(step, c.getValue());
                cost += Math.min(most, bound);
                lost += share * (over == null ? 0 : over.getOrDefault(step, 0.0));
            }
            if (over != null) {
                long next = s.lastStep() + 1;
                double after = troubled.contains(next) ? 0 : over.getOrDefault(next, 0.0);
                double unsure = 2 * times.quietSigma(troubled) * Math.sqrt(s.claims.size());
                cost = Math.min(cost, lost + after + unsure);
            }
            s.costNanos = cost;
        }
    }

    /** True when there are steps that nobody disturbed, to hold the others against. */
    boolean quietSteps(List<Suspect> suspects) {
        return times.excessOver(troubled(suspects)) != null;
    }

    private Set<Long> troubled(List<Suspect> suspects) {
        Set<Long> troubled = new HashSet<>(events);
        suspects.forEach(s -> troubled.addAll(disturbed(s)));
        return troubled;
    }

    /** Steps that a suspect disturbed; a lasting state disturbs none. */
    private static Set<Long> disturbed(Suspect s) {
        return s.claims.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** What the job lost in all, whoever is to blame: steps above the quiet ones. */
    double lostNanos(List<Suspect> suspects) {
        Set<Long> troubled = troubled(suspects);
        Map<Long, Double> over = times.excessOver(troubled);
        double claimed = suspects.stream()
                .filter(s -> s.standingNanos == 0)
                .mapToDouble(s -> s.costNanos)
                .sum();
        if (over == null) {
            return claimed;
        }
        double noise = NOISE_RATIO * times.typicalNanos();
        double lost = 0;
        for (Map.Entry<Long, Double> e : over.entrySet()) {
            lost += troubled.contains(e.getKey()) || e.getValue() > noise ? e.getValue() : 0;
        }
        return Math.max(claimed, lost);
    }
}
