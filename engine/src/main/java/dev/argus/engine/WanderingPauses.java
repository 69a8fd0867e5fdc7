package dev.argus.engine;

import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Short pauses, each on another rank and for each of which the job waited: nobody's fault, and together a cost of the job. An
 * observation, for what wanders is told from the hiccups of healthy machines by its cost alone.
 */
final class WanderingPauses {
    /** Fewer steps or ranks do not wander. */
    private static final int LEAST_STEPS = 2;

    private static final int LEAST_RANKS = 2;

    /** A rank with more than this share of them all does not wander. */
    private static final double DOMINANT = 0.7;

    private final CauseRules rules;

    WanderingPauses(CauseRules rules) {
        this.rules = rules;
    }

    /**
     * Adds what they are together, at steps that nobody else is accused of.
     *
     * @param seen pauses that the job waited for
     */
    void find(List<WorkFinding> seen, List<Suspect> suspects) {
        Set<Long> explained = new HashSet<>();
        suspects.stream().filter(s -> s.kind.isIncident()).forEach(s -> explained.addAll(s.claims.keySet()));
        List<WorkFinding> left =
                seen.stream().filter(f -> !explained.contains(f.firstStep())).toList();
        Map<Integer, Double> byRank = new HashMap<>();
        Map<Long, Double> bySteps = new HashMap<>();
        double all = 0;
        for (WorkFinding f : left) {
            byRank.merge(f.rank(), f.totalNanos(), Double::sum);
            bySteps.merge(f.firstStep(), f.totalNanos(), Math::max);
            all += f.totalNanos();
        }
        double most = byRank.values().stream().mapToDouble(v -> v).max().orElse(0);
        if (bySteps.size() < LEAST_STEPS || byRank.size() < LEAST_RANKS || most > DOMINANT * all) {
            return;
        }
        WorkFinding longest = left.getFirst();
        for (WorkFinding f : left) {
            longest = f.totalNanos() > longest.totalNanos() ? f : longest;
        }
        Suspect s = rules.suspect(longest, Scope.JOB, RankSet.EMPTY, "");
        s.observation = true;
        bySteps.forEach(s::claim);
        s.involved = RankSet.of(byRank.keySet().stream().mapToInt(r -> r).toArray());
        s.activeSteps = bySteps.size();
        s.what = s.what + ", on " + byRank.size() + " ranks at different steps";
        s.why = "In each of these steps the job took longer by about what one rank paused. " + s.why;
        suspects.add(s);
    }
}
