package dev.argus.engine;

import dev.argus.engine.Arrivals.Spent;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tallies who was the last to arrive, instance by instance, and what of each wait is owed to it: how much shorter its collective was than
 * the second shortest, for had it come sooner, that one would have been the last.
 *
 * <p>A rank is named if it was the last in more than half of the instances, of which there are {@value #MIN_INSTANCES} at least, held the
 * others up twice as long as any other rank did, and for {@value #MIN_RATIO} of the record. Its compute time against the median of the others decides the
 * word: if more compute explains half of what it owes it is a late rank and no more; else its kernels are as long as theirs, the work
 * came late, and no GPU is slow.
 */
final class ArrivalTally {
    static final int MIN_INSTANCES = 10;
    static final double MIN_RATIO = 0.005;
    private static final double FOREMOST = 2;
    private static final double EXPLAINED = 0.5;

    /** One short record is little: never more than this, whatever it shows. */
    private static final double MOST_CONFIDENCE = 0.7;

    private final Arrivals.State state;
    private final JobShape shape;
    private final Map<Integer, Long> owed = new TreeMap<>();
    private final Map<Integer, Integer> last = new TreeMap<>();
    private final Map<Integer, Long> compute = new TreeMap<>();
    private final Map<Integer, Long> idle = new TreeMap<>();
    private int instances;
    private long measured;

    ArrivalTally(Arrivals.State state, JobShape shape) {
        this.state = state;
        this.shape = shape;
    }

    Optional<Concluded> conclude() {
        state.steps.values().forEach(this::step);
        if (instances < MIN_INSTANCES || measured <= 0) {
            return Optional.empty();
        }
        int worst = -1;
        for (int rank : owed.keySet()) {
            worst = worst < 0 || owed.getOrDefault(rank, 0L) > owed.getOrDefault(worst, 0L) ? rank : worst;
        }
        long most = owed.getOrDefault(worst, 0L);
        int late = worst;
        long second = owed.entrySet().stream()
                .filter(e -> e.getKey() != late)
                .mapToLong(Map.Entry::getValue)
                .max()
                .orElse(0);
        boolean clear =
                2 * last.getOrDefault(late, 0) > instances && most >= FOREMOST * second && most >= MIN_RATIO * measured;
        return clear ? Optional.of(said(late, most, second)) : Optional.empty();
    }

    // ---------------------------------------------------------------- counting

    private void step(Map<Integer, Spent> ranks) {
        long sum = 0;
        for (Map.Entry<Integer, Spent> e : ranks.entrySet()) {
            compute.merge(e.getKey(), e.getValue().computeNanos(), Long::sum);
            idle.merge(e.getKey(), e.getValue().hostIdleNanos(), Long::sum);
            sum += e.getValue().durationNanos();
        }
        measured += ranks.isEmpty() ? 0 : sum / ranks.size();
        for (int g = 0; g < shape.groups().size(); g++) {
            RankSet members = shape.groups().get(g).ranks();
            if (members.size() > 1 && members.stream().allMatch(ranks::containsKey)) {
                group(g, members, ranks);
            }
        }
    }

    private void group(int g, RankSet members, Map<Integer, Spent> ranks) {
        List<List<CollectiveStat>> lists = new ArrayList<>();
        for (int rank : members.toArray()) {
            Spent spent = ranks.get(rank);
            List<CollectiveStat> own = spent == null
                    ? List.of()
                    : spent.collectives().stream()
                            .filter(c -> shape.groupIndex(rank, c.group()) == g)
                            .toList();
            lists.add(own);
        }
        int n = lists.getFirst().size();
        if (lists.stream().anyMatch(l -> l.size() != n)) {
            return; // not the same calls: nothing to match
        }
        for (int i = 0; i < n; i++) {
            instance(i, members, lists);
        }
    }

    private void instance(int i, RankSet members, List<List<CollectiveStat>> lists) {
        CollectiveStat first = lists.getFirst().get(i);
        long shortest = Long.MAX_VALUE;
        long next = Long.MAX_VALUE;
        int lastToCome = -1;
        for (int m = 0; m < lists.size(); m++) {
            CollectiveStat c = lists.get(m).get(i);
            if (c.op() != first.op() || c.sequence() != first.sequence()) {
                return;
            }
            if (c.durationNanos() < shortest) {
                next = shortest;
                shortest = c.durationNanos();
                lastToCome = members.get(m);
            } else {
                next = Math.min(next, c.durationNanos());
            }
        }
        instances++;
        last.merge(lastToCome, 1, Integer::sum);
        owed.merge(lastToCome, next - shortest, Long::sum);
    }

    // ---------------------------------------------------------------- saying

    private double others(Map<Integer, Long> values, int late) {
        return Robust.median(values.entrySet().stream()
                .filter(e -> e.getKey() != late)
                .mapToDouble(Map.Entry::getValue)
                .toArray());
    }

    private Concluded said(int late, long most, long second) {
        double typical = others(compute, late);
        double more = compute.getOrDefault(late, 0L) - typical;
        double ratio = typical > 0 ? compute.getOrDefault(late, 0L) / typical : 1;
        boolean computes = more >= EXPLAINED * most;
        IncidentKind kind = computes ? IncidentKind.STRAGGLER : IncidentKind.CPU_STALL;
        RankSet ranks = RankSet.of(late);
        int times = last.getOrDefault(late, 0);
        String host = shape.hostOf(late);
        int gpu = shape.gpuIndex().getOrDefault(late, -1);
        String where = host.isEmpty() ? "" : " (" + host + (gpu >= 0 ? ", GPU " + gpu : "") + ")";
        String summary = "rank " + late + where + " arrives last in " + times + " of " + instances
                + " collectives, and the others wait " + Say.time((double) most) + " for it; "
                + (computes
                        ? "it computes " + Say.times(ratio) + " as long as they do"
                        : "it computes as long as they do (" + Say.times(ratio)
                                + "), so its work is launched late: no GPU is slow");
        List<Evidence> rows = List.of(
                new Evidence(
                        "collectives in which it arrived last", times, "1", instances + " collectives", Double.NaN),
                new Evidence(
                        "time the others wait for it",
                        most / 1e6,
                        "ms",
                        "the rank next to it: " + Say.time((double) second),
                        Double.NaN),
                new Evidence("compute time", ratio, "x", "median of the other ranks", Double.NaN),
                new Evidence(
                        "idle time of its GPU that ends with work launched late",
                        idle.getOrDefault(late, 0L) / 1e6,
                        "ms",
                        "median of the other ranks: " + Say.time(others(idle, late)),
                        Double.NaN));
        double cost = Math.min(1, most / (double) measured);
        Incident said = new Incident(
                IncidentIds.of(state.attempt, kind, Scope.RANK, ranks, shape.worldSize()),
                kind,
                Scope.RANK,
                Severity.INFO,
                Math.round(1000 * Math.min(MOST_CONFIDENCE, times / (double) instances)) / 1000.0,
                Set.of(Level.L2),
                IncidentState.ONGOING,
                0,
                null,
                state.attempt,
                ranks,
                List.of(new GpuRef(late, host.isEmpty() ? null : host, gpu, null)),
                host.isEmpty() ? List.of() : List.of(host),
                List.of(),
                state.steps.firstKey(),
                state.steps.lastKey(),
                List.of(),
                null,
                summary,
                "The record has no steps to compare, so this is a tally and no trend: whoever arrives last has the shortest collective.",
                "Record three or more steps with marks to learn whether it stays so; if it does, look at what the CPU of this rank does.",
                rows,
                new Cost(cost, most / 1e9 * shape.worldSize(), cost));
        return new Concluded(
                state.attempt, List.of(), List.of(said), List.of(), most, most, measured, false, Pace.NONE);
    }
}
