package dev.argus.engine;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What suspects cost.
 *
 * <p>A suspect claims its excess over its peers: the step cannot have lost more through it. Where the job has steps without
 * trouble, the claims on a step and its successor (a stall after the last synchronisation shows in the next step of all others)
 * are also bounded by what these steps took longer than quiet ones, as far as quiet steps are alike. Several suspects share what was lost in proportion to
 * their claims, as far as these are seen to cost something where they stand alone: no nanosecond is claimed twice.
 *
 * <p>What is in every step takes no step's quiet away from what is in some only, least of all what explains an asymmetry and accuses nobody. Its own price, and every
 * price where no step is quiet, is bounded by its claims alone and marked as an upper bound.
 */
final class CostModel {
    /** Steps longer than quiet ones by less are noise, not loss. */
    private static final double NOISE_RATIO = 0.05;

    /** A suspect is alone in a step of which it claims this share. */
    private static final double ALONE = 0.9;

    /** A stall ends where less than this share of it is claimed of the next step. */
    private static final double STALL_ENDS = 0.3;

    /** What a suspect is taken to cost at least, of what it claims, in steps that others claim too. */
    private static final double LEAST_REALISED = 0.05;

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
        Quiet quiet = quiet(suspects);
        price(quiet.disturbing, quiet, quiet.over);
        price(quiet.lasting, quiet, null);
        for (Suspect s : suspects) {
            boolean bounded = quiet.over != null && !quiet.lasting.contains(s);
            s.upperBound = s.standingNanos > 0 ? s.kind.isIncident() : !bounded && s.costNanos > 0;
            if (s.standingNanos > 0) {
                s.costNanos = Math.min(s.standingNanos, times.measuredNanos());
            }
        }
    }

    /** @param over what steps took longer than quiet ones, null where that does not bound these suspects */
    private void price(List<Suspect> suspects, Quiet quiet, @Nullable Map<Long, Double> over) {
        Map<Long, Double> claimed = sum(suspects, new HashMap<>());
        Map<Suspect, Double> realised = realised(suspects, claimed, over);
        claimed = sum(suspects, realised);
        for (Suspect s : suspects) {
            double part = realised.getOrDefault(s, 1.0);
            double cost = 0;
            double lost = 0;
            for (Map.Entry<Long, Double> c : s.claims.entrySet()) {
                long step = c.getKey();
                double all = claimed.getOrDefault(step, c.getValue());
                double share = all > 0 ? part * c.getValue() / all : 1;
                double after = share * after(step, c.getValue(), claimed, over);
                double time = over == null ? times.at(step) - quiet.over(step) : times.at(step);
                double bound = Double.isNaN(time) ? c.getValue() : share * time + after;
                double most = over == null ? c.getValue() : s.upper.getOrDefault(step, c.getValue());
                cost += Math.min(most, bound);
                lost += share * (over == null ? 0 : over.getOrDefault(step, 0.0))
                        + (s.claims.containsKey(step + 1) ? 0 : after); // else it counts there
            }
            if (over != null) {
                double unsure = 2 * times.quietSigma(quiet.troubled) * Math.sqrt(s.claims.size());
                cost = Math.min(cost, lost + unsure);
            }
            s.costNanos = cost;
        }
    }

    /**
     * What a step costs without the faults.
     *
     * @param disturbing suspects whose steps are held against the others
     * @param lasting those that accuse nobody and leave no step quiet: what they cost is in what a quiet step takes
     * @param troubled steps that are not quiet
     * @param over what steps took longer than quiet ones; null where none is quiet
     */
    private record Quiet(
            List<Suspect> disturbing,
            List<Suspect> lasting,
            Set<Long> troubled,
            @Nullable Map<Long, Double> over) {
        double over(long step) {
            return over == null ? 0 : over.getOrDefault(step, 0.0);
        }
    }

    /** Where suspects leave no step quiet, those that accuse nobody do not count. A fault in all steps does: under one that is slower still, another costs nothing to be seen, and is one all the same. */
    private Quiet quiet(List<Suspect> suspects) {
        List<Suspect> claiming =
                suspects.stream().filter(s -> s.standingNanos == 0).toList();
        List<Predicate<Suspect>> disturbing = List.of(s -> true, s -> s.kind.isIncident() && !s.observation);
        for (Predicate<Suspect> d : disturbing) {
            List<Suspect> these = claiming.stream().filter(d).toList();
            Set<Long> troubled = troubled(these);
            Map<Long, Double> over = times.excessOver(troubled);
            if (over != null) {
                return new Quiet(these, claiming.stream().filter(d.negate()).toList(), troubled, over);
            }
        }
        return new Quiet(List.of(), claiming, troubled(claiming), null);
    }

    /** What shows of a claim in the step after it, where next to nothing is claimed of that one: between pauses noise claims a little. */
    private double after(long step, double claim, Map<Long, Double> claimed, @Nullable Map<Long, Double> over) {
        double next = claimed.getOrDefault(step + 1, 0.0);
        return over == null || events.contains(step + 1) || next > STALL_ENDS * claim
                ? 0
                : Math.max(0, over.getOrDefault(step + 1, 0.0) - next);
    }

    private static Map<Long, Double> sum(List<Suspect> suspects, Map<Suspect, Double> parts) {
        Map<Long, Double> sums = new TreeMap<>();
        suspects.forEach(s ->
                s.claims.forEach((step, nanos) -> sums.merge(step, parts.getOrDefault(s, 1.0) * nanos, Double::sum)));
        return sums;
    }

    /**
     * What part of its claims each suspect is seen to cost in steps that it claims alone: a rank of a stage that is no bottleneck costs
     * less than it is slower, also where another trouble falls on the same step.
     */
    private static Map<Suspect, Double> realised(
            List<Suspect> suspects, Map<Long, Double> claimed, @Nullable Map<Long, Double> over) {
        Map<Suspect, Double> parts = new HashMap<>();
        if (over == null) {
            return parts;
        }
        for (Suspect s : suspects) {
            double said = 0;
            double seen = 0;
            int steps = 0;
            for (Map.Entry<Long, Double> c : s.claims.entrySet()) {
                if (c.getValue() > 0 && c.getValue() >= ALONE * claimed.getOrDefault(c.getKey(), 0.0)) {
                    said += c.getValue();
                    seen += Math.clamp(over.getOrDefault(c.getKey(), 0.0), 0, c.getValue());
                    steps++;
                }
            }
            if (steps >= 2) {
                parts.put(s, Math.max(LEAST_REALISED, seen / said));
            }
        }
        return parts;
    }

    /** True when there are steps that nobody disturbed, to hold the others against. */
    boolean quietSteps(List<Suspect> suspects) {
        Quiet quiet = quiet(suspects);
        return quiet.over != null && quiet.lasting.isEmpty();
    }

    private Set<Long> troubled(List<Suspect> suspects) {
        Set<Long> troubled = new HashSet<>(events);
        suspects.forEach(s -> troubled.addAll(s.disturbed()));
        return troubled;
    }

    /** What the job lost in all, whoever is to blame: steps above the quiet ones, and what is in these, too. */
    double lostNanos(List<Suspect> suspects) {
        Quiet quiet = quiet(suspects);
        double claimed = suspects.stream()
                .filter(s -> s.standingNanos == 0)
                .mapToDouble(s -> s.costNanos)
                .sum();
        if (quiet.over == null) {
            return claimed;
        }
        double noise = NOISE_RATIO * times.typicalNanos();
        double lost = quiet.lasting.stream().mapToDouble(s -> s.costNanos).sum();
        for (Map.Entry<Long, Double> e : quiet.over.entrySet()) {
            lost += quiet.troubled.contains(e.getKey()) || e.getValue() > noise ? e.getValue() : 0;
        }
        return Math.max(claimed, lost);
    }
}
