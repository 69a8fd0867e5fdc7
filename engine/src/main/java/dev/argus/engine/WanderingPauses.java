package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Short pauses for which the job waited, each on another rank or on several ranks at once: nobody's fault, and together a cost of the job. An
 * observation, for what wanders is told from the hiccups of healthy machines by its cost alone; no hiccup is a single pause of several ranks that takes a good part of a step. Where most
 * ranks of one of several hosts have them, in step after step, and nobody else, they are that host's; where one rank has nearly all of them, more often than chance would have it, they are observed of that rank.
 *
 * <p>Where several ranks pause at the end of a step or before its data, all of them write or load something: the step was long, and nothing more is said.
 */
final class WanderingPauses {
    /** Ranks that pause together. */
    private static final int LEAST_RANKS = 2;

    /** What CPUs are seen to do on so many ranks in turn is a habit of the job. */
    private static final int LEAST_WANDERING = 3;

    /** Pauses of one host in fewer steps are only observed, and of one rank chance. */
    private static final int LEAST_STEPS = 3;

    /** Share of a pause that lies between the steps. */
    private static final double BETWEEN_SHARE = 0.5;

    /** A rank with more than this share of them all does not wander. */
    private static final double DOMINANT = 0.7;

    private final CauseRules rules;
    private final JobShape shape;
    private final SharedFindings shared;

    WanderingPauses(CauseRules rules, JobShape shape, SharedFindings shared) {
        this.rules = rules;
        this.shape = shape;
        this.shared = shared;
    }

    /**
     * Adds what they are together, at steps that nobody else is accused of.
     *
     * @param seen pauses that the job waited for
     * @param leastNanos what they must cost in all to be worth a word
     */
    void find(List<WorkFinding> seen, double leastNanos, List<Suspect> suspects) {
        Set<Long> explained = new HashSet<>();
        suspects.stream()
                .filter(s -> s.kind.isIncident() && s.standingNanos == 0)
                .forEach(s -> explained.addAll(s.claims.keySet()));
        List<WorkFinding> left = inSteps(seen).stream()
                .filter(f -> !explained.contains(f.firstStep()))
                .toList();
        Map<Integer, Double> byRank = new HashMap<>();
        Map<Long, Double> bySteps = new HashMap<>();
        double all = 0;
        for (WorkFinding f : left) {
            byRank.merge(f.rank(), f.totalNanos(), Double::sum);
            bySteps.merge(f.firstStep(), f.totalNanos(), Math::max);
            all += f.totalNanos();
        }
        double most = byRank.values().stream().mapToDouble(v -> v).max().orElse(0);
        boolean once = bySteps.size() == 1;
        double cost = bySteps.values().stream().mapToDouble(v -> v).sum();
        if (cost < leastNanos) {
            return;
        }
        if (most > DOMINANT * all) {
            ofOne(
                    left,
                    Collections.max(byRank.entrySet(), Map.Entry.comparingByValue())
                            .getKey(),
                    suspects);
            return;
        }
        WorkFinding longest = rules.typical(left);
        String host = once ? "" : shared.mostlyOn(left);
        boolean hosts = !host.isEmpty() && shared.ofMostRanks(host, byRank.keySet());
        Suspect s = hosts
                ? rules.suspect(longest, Scope.HOST, shape.ranksOn(host), host)
                : rules.suspect(longest, Scope.JOB, RankSet.EMPTY, "");
        boolean acts = hosts
                ? bySteps.size() >= LEAST_STEPS && shared.dense(left)
                : once
                        ? longest.meanNanos() >= CommonPauses.PAUSE_OF_ALL_RATIO * longest.stepNanos()
                        : rules.collectsOrCompiles(longest)
                                && byRank.size() >= LEAST_WANDERING
                                && bySteps.size() >= LEAST_STEPS;
        s.observation |= !acts;
        bySteps.forEach(s::claim);
        s.involved = RankSet.of(byRank.keySet().stream().mapToInt(r -> r).toArray());
        s.activeSteps = bySteps.size();
        s.what = s.what.replace(" more than its peers", " longer than usual") + ", on " + byRank.size() + " ranks "
                + (once ? "at once" : "at different steps");
        s.why = (once ? "The step" : "Each of these steps") + " took longer by about what one rank paused. " + s.why;
        suspects.add(s);
    }

    /** Adds that one rank has nearly all of these pauses, if there are so many that chance would not give them all to one, and nothing else is known of it. */
    private void ofOne(List<WorkFinding> pauses, int rank, List<Suspect> suspects) {
        Set<Long> steps = new HashSet<>();
        pauses.forEach(f -> steps.add(f.firstStep()));
        List<WorkFinding> own = pauses.stream().filter(f -> f.rank() == rank).toList();
        int ranks = shape.ranks().size();
        double chance = ranks * GapChance.upperTail(steps.size(), 1.0 / Math.max(1, ranks), own.size());
        boolean known = suspects.stream().anyMatch(s -> s.ranks.contains(rank));
        if (own.size() < LEAST_STEPS || chance > GapChance.SINGLE || known) {
            return;
        }
        Suspect s = rules.suspect(rules.typical(own), Scope.RANK, RankSet.of(rank), "");
        shared.fill(s, own);
        s.observation = true;
        s.what = s.what.replace(" more than its peers", " longer than usual") + ", in " + own.size() + " steps";
        s.why = "Each of these steps took longer by about what the rank paused, and hardly any other rank did. "
                + s.why;
        suspects.add(s);
    }

    /**
     * The pauses that are so long that hiccups seldom are, of ranks of which nothing else is known in their steps.
     *
     * @param seen pauses that the job waited for
     * @param known what is known of ranks
     * @param leastRatio least length, of the step
     */
    static List<WorkFinding> longOnes(List<WorkFinding> seen, List<WorkFinding> known, double leastRatio) {
        return inSteps(seen).stream()
                .filter(f -> f.meanNanos() >= leastRatio * f.stepNanos())
                .filter(f -> known.stream()
                        .noneMatch(k ->
                                k.rank() == f.rank() && k.firstStep() <= f.lastStep() && k.lastStep() >= f.firstStep()))
                .toList();
    }

    /** The pauses without those of steps in which several ranks pause between two steps. */
    private static List<WorkFinding> inSteps(List<WorkFinding> seen) {
        Map<Long, List<WorkFinding>> bySteps = new HashMap<>();
        seen.forEach(f ->
                bySteps.computeIfAbsent(f.firstStep(), s -> new ArrayList<>()).add(f));
        Set<Long> between = new HashSet<>();
        bySteps.forEach((step, pauses) -> {
            if (betweenSteps(pauses)) {
                between.add(step);
            }
        });
        return seen.stream().filter(f -> !between.contains(f.firstStep())).toList();
    }

    private static boolean betweenSteps(List<WorkFinding> pauses) {
        return pauses.size() >= LEAST_RANKS
                && pauses.stream()
                                .mapToDouble(f -> Math.max(f.afterWorkRatio(), f.inputRatio()))
                                .average()
                                .orElse(0)
                        > BETWEEN_SHARE;
    }
}
