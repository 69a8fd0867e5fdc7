package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An accusation while it is being put together: mutable, private to one conclusion. */
final class Suspect {
    final IncidentKind kind;
    final Scope scope;
    final RankSet ranks;
    final String host;

    /** Excess by step in nanoseconds: what this suspect claims of each step. */
    final TreeMap<Long, Double> claims = new TreeMap<>();

    final Set<Level> levels = EnumSet.noneOf(Level.class);
    final List<String> kernels = new ArrayList<>();
    final List<Evidence> evidence = new ArrayList<>();
    final List<RankSet> groups = new ArrayList<>();

    /** Mean excess over the threshold, and how many steps: what the confidence rests on. */
    double margin = 1;

    int activeSteps;
    boolean observation;
    String what = "";
    String why = "";
    String advice = "";

    /** What the excess of all its ranks adds up to, by step: delays of one host's ranks add up. */
    final TreeMap<Long, Double> upper = new TreeMap<>();

    /** Ranks that showed it, where nobody is accused. */
    RankSet involved = RankSet.EMPTY;

    /** What its group is, where it is the members of one. */
    String dimension = "";

    /** True when the accusation rests on compute time. */
    boolean computes;

    /** What a lasting state costs in all, where it is no disturbance of single steps. */
    double standingNanos;

    /** Set by the cost model. */
    double costNanos;

    /** Set by the cost model: true where no quiet step says how much of its claims the job really lost. */
    boolean upperBound;

    Suspect(IncidentKind kind, Scope scope, RankSet ranks, String host) {
        this.kind = kind;
        this.scope = scope;
        this.ranks = ranks;
        this.host = host;
    }

    void claim(long step, double nanos) {
        if (nanos > 0) {
            claims.merge(step, nanos, Math::max);
        }
    }

    /** Steps that it disturbed; a lasting state disturbs none, though it holds in many. */
    Set<Long> disturbed() {
        return claims.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** True for a state that lasts and is nobody's fault: it explains no change of the same ranks. */
    boolean isState() {
        return observation && standingNanos > 0;
    }

    long firstStep() {
        return claims.isEmpty() ? -1 : claims.firstKey();
    }

    long lastStep() {
        return claims.isEmpty() ? -1 : claims.lastKey();
    }

    /**
     * The part of its price that lies in some of its steps, in proportion to what it claims of each. Without claims it lies in the newest.
     *
     * @param after these steps, exclusive
     * @param to inclusive
     */
    double costNanos(long after, long to) {
        double all = totalClaim();
        if (all <= 0) {
            return to == Long.MAX_VALUE ? costNanos : 0;
        }
        return to <= after
                ? 0
                : costNanos
                        * claims.subMap(after, false, to, true).values().stream()
                                .mapToDouble(v -> v)
                                .sum()
                        / all;
    }

    double totalClaim() {
        return claims.values().stream().mapToDouble(v -> v).sum();
    }
}
