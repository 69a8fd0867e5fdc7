package dev.argus.engine;

import dev.argus.engine.HangGroup.Progress;
import dev.argus.model.CollectiveOp;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who waits for whom by flight records. Cost: O(members + open calls) a group: members that stand at the same number share a node, so
 * that a large group needs no edge for each pair.
 */
final class HangWaits {
    /**
     * One collective that members wait for.
     *
     * @param group its group
     * @param call the call as one of those who wait made it
     * @param late members that have not called it
     * @param arrived members that have
     */
    record Missed(HangGroup group, Call call, RankSet late, int arrived) {}

    private final WaitGraph graph = new WaitGraph();
    private final Map<Integer, Integer> nodeOf = new HashMap<>();
    private final Map<Integer, Integer> rankOf = new HashMap<>();
    private final List<Missed> missed = new ArrayList<>();
    private final TreeSet<Integer> stale = new TreeSet<>();

    HangWaits(List<HangGroup> groups, HangGroups gathered) {
        for (HangGroup g : groups) {
            if (!g.pointToPoint) {
                collectives(g);
            }
            pairs(g, gathered);
        }
    }

    private int node(int rank) {
        return nodeOf.computeIfAbsent(rank, r -> {
            int node = graph.node();
            rankOf.put(node, r);
            return node;
        });
    }

    /** Members by the last number they called, with what they wait for below. */
    private void collectives(HangGroup g) {
        long completed = g.completed();
        long furthest = g.furthest();
        TreeMap<Long, List<Integer>> levels = new TreeMap<>();
        for (Map.Entry<Integer, Progress> e : g.progress.entrySet()) {
            Progress p = e.getValue();
            if (!p.told()) {
                continue;
            }
            Call next = g.open(p.enqueued() + 1);
            boolean mayEndAlone = next != null && !next.op().isBarrier();
            if (p.enqueued() < completed && !mayEndAlone) {
                stale.add(e.getKey());
            } else if (p.enqueued() == furthest || next != null) {
                levels.computeIfAbsent(p.enqueued(), k -> new ArrayList<>()).add(e.getKey());
            }
        }
        Map<Integer, Long> lateFor =
                new TreeMap<>(); // the highest level of members that have not called what a rank waits in
        long highest = Long.MIN_VALUE;
        for (List<Integer> level : levels.values()) {
            for (int rank : level) {
                Progress p = g.progress.get(rank);
                Long late = p == null ? null : levels.lowerKey(p.waitsIn());
                if (late != null) {
                    lateFor.put(rank, late);
                    highest = Math.max(highest, late);
                }
            }
        }
        TreeMap<Long, Integer> upTo = new TreeMap<>();
        int below = -1;
        for (Map.Entry<Long, List<Integer>> level :
                levels.headMap(highest, true).entrySet()) {
            below = shared(level.getValue(), below);
            upTo.put(level.getKey(), below);
        }
        lateFor.forEach(
                (rank, level) -> graph.edge(node(rank), Objects.requireNonNull(upTo.get(level), "a level below")));
        levels.headMap(furthest).forEach((last, ranks) -> miss(g, levels, last));
    }

    /** A node that stands for the members of a level and of those below: who waits for it waits for them all. */
    private int shared(List<Integer> level, int below) {
        int shared = graph.node();
        level.forEach(rank -> graph.edge(shared, node(rank)));
        if (below >= 0) {
            graph.edge(shared, below);
        }
        return shared;
    }

    private void miss(HangGroup g, NavigableMap<Long, List<Integer>> levels, long last) {
        Call call = g.open(last + 1);
        if (call == null) {
            return;
        }
        List<Integer> late = new ArrayList<>();
        levels.headMap(last, true).values().forEach(late::addAll);
        int arrived = levels.tailMap(last, false).values().stream()
                .mapToInt(List::size)
                .sum();
        missed.add(new Missed(g, call, RankSet.of(late.stream().mapToInt(r -> r).toArray()), arrived));
    }

    /** A send or receive waits for the other side when that has called none of its own. */
    private void pairs(HangGroup g, HangGroups gathered) {
        for (Map.Entry<Integer, Progress> e : g.progress.entrySet()) {
            for (Call call : e.getValue().pairs()) {
                int peer = call.peer();
                boolean oneWay = call.op() == CollectiveOp.SEND || call.op() == CollectiveOp.RECV;
                if (oneWay && peer >= 0 && !gathered.unknown(peer) && !answers(g, e.getKey(), call, gathered)) {
                    graph.edge(node(e.getKey()), node(peer));
                }
            }
        }
    }

    /**
     * True if the other side has called what answers a call, or may have. Where ends are not known, a call that is open here may have ended, and then the other side has none: only one that is
     * seen to be at an earlier number has not called it.
     */
    private static boolean answers(HangGroup g, int rank, Call call, HangGroups gathered) {
        Progress other = g.progress.get(call.peer());
        CollectiveOp wanted = call.op() == CollectiveOp.SEND ? CollectiveOp.RECV : CollectiveOp.SEND;
        boolean numbered = gathered.watched() && call.sequence() >= 0;
        boolean any = false;
        if (other != null) {
            for (Call c : other.pairs()) {
                if (c.peer() == rank && (c.op() == wanted || c.op() == CollectiveOp.SEND_RECV)) {
                    any = true;
                    if (!numbered || c.sequence() < 0 || c.sequence() >= call.sequence()) {
                        return true;
                    }
                }
            }
        }
        return gathered.watched() && !any && !gathered.known(rank);
    }

    /** Ranks whose record is older than others', by what others saw complete. */
    RankSet stale() {
        return RankSet.of(stale.stream().mapToInt(r -> r).toArray());
    }

    /** Ranks, or circles of ranks, that others wait for and that wait for nobody else. */
    List<RankSet> ends() {
        List<RankSet> ends = new ArrayList<>();
        for (int[] nodes : graph.ends()) {
            List<Integer> ranks = new ArrayList<>();
            for (int n : nodes) {
                Integer rank = rankOf.get(n);
                if (rank != null) {
                    ranks.add(rank);
                }
            }
            if (!ranks.isEmpty()) {
                ends.add(RankSet.of(ranks.stream().mapToInt(r -> r).toArray()));
            }
        }
        ends.sort(Comparator.naturalOrder());
        return ends;
    }

    /** What these ranks have not called while others wait in it, the widest wait first. */
    List<Missed> missedBy(RankSet ranks) {
        return missed.stream()
                .filter(m -> !m.late().intersect(ranks).isEmpty())
                .sorted(Comparator.comparingInt((Missed m) -> -m.arrived())
                        .thenComparing(m -> m.group().label)
                        .thenComparing(m -> m.group().members)
                        .thenComparingLong(m -> m.call().sequence()))
                .limit(5)
                .toList();
    }

    /** What the ranks of a circle wait for among themselves. */
    List<Missed> between(RankSet circle) {
        return missedBy(circle).stream()
                .filter(m -> m.group().members.intersect(circle).size() > 1)
                .toList();
    }
}
