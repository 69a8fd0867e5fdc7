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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The incidents said so far of one attempt: what is said again, of the same ranks and not long after, is the same incident and keeps
 * its id and its beginning, whatever else was learnt of it.
 *
 * <p>An incident that was raised stays one as long as it costs half of what raised it, and ends {@value #HOLD_STEPS} steps after it was last seen, so
 * that what comes and goes does not open and close. State: at most {@value #MOST} incidents, some 60 B each and 2 B a rank; of more, those said
 * longest ago are forgotten, observations first.
 */
final class IncidentRegister {
    static final int MOST = 256;

    /** Steps without it after which an incident has ended. */
    static final int HOLD_STEPS = 16;

    /** Share of the least price that keeps an incident that was raised before. */
    static final double KEEP_SHARE = 0.5;

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
            boolean raised) {
        /** What is known now of an incident that was known before: its id and the earlier beginning stay. */
        Life after(Life before) {
            boolean older = before.firstStep() <= firstStep;
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
                    raised || before.raised());
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
            boolean near = s.firstStep() <= l.lastStep() + HOLD_STEPS && l.firstStep() <= s.lastStep() + HOLD_STEPS;
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

    /** Notes what was said of a suspect. */
    Life note(Suspect s, @Nullable Life before, long id, long sinceNanos, boolean raised) {
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
                raised);
        Life now = before == null ? fresh : fresh.after(before);
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
