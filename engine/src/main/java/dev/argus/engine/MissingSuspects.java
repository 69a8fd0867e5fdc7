package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The culprit's own trace may be the missing one. In a group whose member did not report, all present members wait for it, so even
 * the shortest duration is long: against complete groups of the same kind, or against the group's own other steps.
 *
 * <p>A missing rank is named when a group of its waits; of several missing ranks the one all of whose groups do. It is a late rank and
 * nothing more, for its own record alone could tell why.
 */
final class MissingSuspects {
    /** Waits are noisy in themselves: a group must take at least this much longer. */
    private static final double MIN_RATIO = 1.5;

    /** And cost at least this share of the step. */
    private static final double MIN_STEP_RATIO = 0.04;

    /** A single step counts when the wait is at least this share of a step. */
    private static final double STALL_STEP_RATIO = 0.3;

    /** A known suspect that claims at least so much of a wait explains it: waits of several groups add up. */
    private static final double EXPLAINED_SHARE = 0.2;

    private final List<TransferFinding> all;
    private final JobShape shape;
    private final JobTimes times;
    private final Set<Long> events;

    MissingSuspects(List<TransferFinding> all, JobShape shape, JobTimes times, Set<Long> events) {
        this.all = all;
        this.shape = shape;
        this.times = times;
        this.events = events;
    }

    /** @param known suspects of the other levels: the others wait for them too, and that is no wait for a missing rank */
    List<Suspect> find(List<Suspect> known) {
        List<Suspect> suspects = new ArrayList<>();
        RankSet missing = RankSet.range(0, shape.worldSize() - 1).minus(shape.ranks());
        if (missing.isEmpty() || missing.size() > shape.worldSize() / 4) {
            return suspects;
        }
        for (int rank : missing.toArray()) {
            NavigableMap<Long, Double> claims = new TreeMap<>();
            double worst = 0;
            boolean unlike = false;
            for (TransferFinding f : all) {
                if (f.complete() || !f.ranks().contains(rank) || f.isNetwork(all)) {
                    continue;
                }
                double ratio = ratio(f, claims);
                worst = Math.max(worst, ratio);
                unlike |= missing.size() > 1 && ratio < MIN_RATIO && matters(f);
            }
            claims.keySet().removeAll(events);
            explained(known, claims);
            boolean stall =
                    claims.size() == 1 && claims.firstEntry().getValue() > STALL_STEP_RATIO * times.typicalNanos();
            if (worst >= MIN_RATIO && !unlike && (claims.size() >= 2 || stall)) {
                suspects.add(suspect(rank, claims, worst));
            }
        }
        return suspects.size() == 1 ? suspects : List.of();
    }

    /** Forgets the claims when a known suspect makes the job wait in half of these steps. */
    private static void explained(List<Suspect> known, NavigableMap<Long, Double> claims) {
        for (Suspect s : known) {
            long both = s.claims.entrySet().stream()
                    .filter(c -> c.getValue() >= EXPLAINED_SHARE * claims.getOrDefault(c.getKey(), Double.MAX_VALUE))
                    .count();
            if (2 * both >= claims.size()) {
                claims.clear();
                return;
            }
        }
    }

    private boolean matters(TransferFinding f) {
        return f.typicalNanos() * f.instances() > MIN_STEP_RATIO * times.typicalNanos();
    }

    /** How much longer the group's shortest durations are; adds what they cost by step. */
    private double ratio(TransferFinding f, NavigableMap<Long, Double> claims) {
        double sibling = Robust.median(all.stream()
                .filter(o -> o.complete()
                        && o.op() == f.op()
                        && o.bytes() == f.bytes()
                        && o.ranks().size() == f.ranks().size()
                        && o.hosts() == f.hosts()
                        && o.perHost() == f.perHost())
                .mapToDouble(TransferFinding::typicalNanos)
                .toArray());
        double excess = (f.typicalNanos() - sibling) * f.instances();
        if (excess > MIN_STEP_RATIO * times.typicalNanos() && f.typicalNanos() > MIN_RATIO * sibling) {
            times.steps().forEach(step -> claims.merge(step, excess, Math::max));
            return f.typicalNanos() / sibling;
        }
        double own = 0;
        for (double e : f.excessNanos()) {
            own += e;
        }
        boolean costly = f.slow() && own / f.steps().length > MIN_STEP_RATIO * times.typicalNanos();
        if (costly && f.ratio() >= MIN_RATIO) {
            for (int i = 0; i < f.steps().length; i++) {
                claims.merge(f.steps()[i], f.excessNanos()[i], Math::max);
            }
            return f.ratio();
        }
        return 1;
    }

    private static Suspect suspect(int rank, NavigableMap<Long, Double> claims, double ratio) {
        Suspect s = new Suspect(IncidentKind.STRAGGLER, Scope.RANK, RankSet.of(rank), "");
        claims.forEach(s::claim);
        s.activeSteps = claims.size();
        s.margin = ratio / MIN_RATIO;
        s.levels.add(Level.L2);
        s.what = "has no trace, and those who meet it wait " + Say.times(ratio) + " as long as groups of the same kind";
        s.why = "All members that reported wait, so the one that did not is the last to arrive.";
        s.advice = "Get the trace of this rank: it alone can tell why it is late.";
        s.evidence.add(new Evidence(
                "shortest duration in the groups of the missing rank",
                ratio,
                "x",
                "complete groups of the same kind, or the group's own other steps",
                MIN_RATIO));
        return s;
    }
}
