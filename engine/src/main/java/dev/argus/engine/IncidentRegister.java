package dev.argus.engine;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The incidents said so far of one attempt: what is said again, of the same ranks and not long after, is the same incident and keeps
 * its id and its beginning, whatever else was learnt of it.
 *
 * <p>An incident that was raised stays one as long as it costs half of what raised it, and ends {@value #HOLD_STEPS} steps after it was last seen, so
 * that what comes and goes does not open and close. What comes back on the same ranks within {@value #RETURN_STEPS} steps is the same incident, and each time it comes back after it
 * had ended it takes twice as long to end, at most {@value #RETURN_STEPS} steps: an intermittent fault is heard of a few times, not with every spell. A beginning is that of what was
 * raised: an observation before it lends it its id, never its time. State: at most {@value #MOST} incidents, some 75 B each and 2 B a rank; of more, those said
 * longest ago are forgotten, observations first.
 */
final class IncidentRegister {
    static final int MOST = 256;

    /** Steps without it after which an incident has ended. */
    static final int HOLD_STEPS = 16;

    /** What comes back after so many steps at most is the same incident. */
    static final int RETURN_STEPS = 64;

    /** Share of the least price that keeps an incident that was raised before. */
    static final double KEEP_SHARE = 0.5;

    /** Between the spells of a fault noise claims a little: a step counts from this share of the largest claim on. */
    private static final double ACTIVE_SHARE = 0.3;

    /** Ranks in common, of all ranks of both, that make two accusations of one sort one. */
    private static final double SAME_SHARE = 0.5;

    /**
     * One incident.
     *
     * @param id its id as a number
     * @param kind what it was called when last said
     * @param scope likewise
     * @param ranks likewise
     * @param host hash of the host's name
     * @param firstStep first step
     * @param sinceNanos when that began, nanoseconds since the epoch
     * @param lastStep last step
     * @param said number of the conclusion that said it last
     * @param raised true when it was an incident, not only an observation
     * @param returns how often it has come back after it had ended
     * @param settledNanos what it has cost in steps whose price does not change any more: so it is known when the detectors have forgotten them
     * @param settledStep the last of these; before any {@link Long#MIN_VALUE}
     */
    record Life(
            long id,
            IncidentKind kind,
            Scope scope,
            RankSet ranks,
            int host,
            long firstStep,
            long sinceNanos,
            long lastStep,
            long said,
            boolean raised,
            int returns,
            double settledNanos,
            long settledStep) {
        /** Steps without it after which it has ended: more, the oftener it has come back. */
        int holdSteps() {
            return (int) Math.min(RETURN_STEPS, (long) HOLD_STEPS << Math.min(returns, Integer.SIZE));
        }

        /** What it has cost in all. */
        double costNanos(Suspect s) {
            return settledNanos + s.costNanos(settledStep, Long.MAX_VALUE);
        }

        /** The same with the price of a suspect's steps up to one settled. */
        Life settled(Suspect s, long step) {
            long to = Math.max(settledStep, step);
            double nanos = settledNanos + s.costNanos(settledStep, to);
            return new Life(
                    id, kind, scope, ranks, host, firstStep, sinceNanos, lastStep, said, raised, returns, nanos, to);
        }

        /** What is known now of an incident that was known before: its id stays, and the earlier beginning and the price of what was raised. */
        Life after(Life before, boolean back) {
            boolean same = before.raised() || !raised;
            boolean older = before.firstStep() <= firstStep && same;
            return new Life(
                    before.id(),
                    kind,
                    scope,
                    ranks,
                    host,
                    older ? before.firstStep() : firstStep,
                    older ? before.sinceNanos() : sinceNanos,
                    Math.max(before.lastStep(), lastStep),
                    said,
                    raised || before.raised(),
                    before.returns() + (back ? 1 : 0),
                    same ? before.settledNanos() : settledNanos,
                    same ? before.settledStep() : settledStep);
        }

        /** True if it had ended when a suspect showed again. */
        boolean endedBefore(Suspect s) {
            double least = ACTIVE_SHARE
                    * s.claims.values().stream().mapToDouble(v -> v).max().orElse(0);
            OptionalLong next = s.claims.tailMap(lastStep, false).entrySet().stream()
                    .filter(e -> e.getValue() >= least)
                    .mapToLong(Map.Entry::getKey)
                    .findFirst();
            return raised && next.isPresent() && next.getAsLong() - lastStep > holdSteps();
        }
    }

    private long conclusions;
    private final List<Life> lives = new ArrayList<>();

    /** Number of conclusions drawn before. */
    long conclusions() {
        return conclusions;
    }

    /**
     * Which of the suspects were said before. Where several are alike, as what rotates and what wanders are, those that can be incidents come first, and take up what was raised: an observation must not take
     * an incident's id away. Cost: suspects x incidents known.
     */
    Map<Suspect, Life> known(List<Suspect> suspects) {
        List<Suspect> inTurn = new ArrayList<>(suspects);
        inTurn.sort(Comparator.comparing(s -> s.observation)); // stable
        Map<Suspect, Life> known = new HashMap<>();
        Set<Life> taken = new HashSet<>();
        for (boolean exact : new boolean[] {true, false}) {
            for (Suspect s : inTurn) {
                Life best = known.containsKey(s) ? null : best(s, taken, exact);
                if (best != null) {
                    known.put(s, best);
                    taken.add(best);
                }
            }
        }
        return known;
    }

    private @Nullable Life best(Suspect s, Set<Life> taken, boolean exact) {
        Life best = null;
        for (Life l : lives) {
            int within = exact && l.raised() ? RETURN_STEPS : l.holdSteps();
            boolean near = s.firstStep() <= l.lastStep() + within && l.firstStep() <= s.lastStep() + within;
            boolean same = exact
                    ? l.kind() == s.kind && l.ranks().equals(s.ranks) && l.host() == s.host.hashCode()
                    : sort(l.kind()).equals(sort(s.kind)) && alike(l.ranks(), s.ranks);
            if (near && same && !taken.contains(l) && (best == null || closer(s, l, best))) {
                best = l;
            }
        }
        return best;
    }

    private static boolean closer(Suspect s, Life l, Life than) {
        return l.raised() == than.raised() ? l.lastStep() > than.lastStep() : l.raised() != s.observation;
    }

    private static boolean alike(RankSet a, RankSet b) {
        return a.equals(b) || a.intersect(b).size() >= SAME_SHARE * a.union(b).size();
    }

    /** Kinds between which what is known of one trouble may change. */
    private static Object sort(IncidentKind kind) {
        return switch (kind) {
            case COMPUTE_STRAGGLER, MEMORY_BANDWIDTH_STRAGGLER, KERNEL_STRAGGLER, THERMAL_DRIFT -> "compute";
            case JIT_STALL, GC_PAUSE, DATA_STALL, CPU_STALL, HOST_CONTENTION -> "gaps";
            case LINK_DEGRADED, NVLINK_DEGRADED, FABRIC_CONGESTION -> "links";
            default -> kind;
        };
    }

    /**
     * Notes what was said of a suspect.
     *
     * @param settled the last step whose price will not change any more
     */
    Life note(Suspect s, @Nullable Life before, long id, long sinceNanos, boolean raised, long settled) {
        Life fresh = new Life(
                id,
                s.kind,
                s.scope,
                s.ranks,
                s.host.hashCode(),
                s.firstStep(),
                sinceNanos,
                s.lastStep(),
                conclusions,
                raised,
                0,
                0,
                Long.MIN_VALUE);
        Life now = (before == null ? fresh : fresh.after(before, before.endedBefore(s))).settled(s, settled);
        lives.remove(before);
        lives.add(now);
        return now;
    }

    /** Ends a conclusion: forgets what ended before a step, and what there is no room for. */
    void concluded(long since) {
        conclusions++;
        lives.removeIf(l -> l.lastStep() < since);
        for (int i = 0; lives.size() > MOST && i < lives.size(); ) {
            if (lives.get(i).raised()) {
                i++;
            } else {
                lives.remove(i); // observations first
            }
        }
        while (lives.size() > MOST) {
            lives.removeFirst();
        }
    }

    /** What is remembered, said longest ago first. */
    List<Life> lives() {
        return List.copyOf(lives);
    }

    /** Takes up where a snapshot left. */
    void resume(long drawn, List<Life> before) {
        conclusions = drawn;
        lives.clear();
        lives.addAll(before);
    }
}
