package dev.argus.digest;

import dev.argus.model.CommunicatorTrail;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who is in the communicators that do not say so (old profilers, other tools): members of one end each call together.
 *
 * <p>Communicators with the same operations and as many calls a step are candidates of each other. They are joined by how far apart
 * their ends are ({@link CommonEnds}; single linkage), and cut at the first jump of the distances that gives what a layout makes:
 * groups of equal size, each the same pattern of ranks moved along, in which a rank without a trace may be missing; of two ranks
 * where there are sends and receives only. Without such a cut nothing is said, and the collectives stay without a group: ranks
 * in lock step that never meet end almost together too.
 *
 * <p>Cost: O(n^2) comparisons of at most {@value CommunicatorTrail#MOST_STEPS} x {@value CommunicatorTrail#MOST_CALLS} ends for n candidates;
 * more than {@value #MOST} of them are left alone.
 */
final class Communicators {
    /** Candidates beyond which nothing is inferred. */
    static final int MOST = 1_024;

    /** Ends of one collective are not further apart on its members, nanoseconds. */
    private static final double TOGETHER_NANOS = 60_000;

    /** Differences below are not told apart, nanoseconds. */
    private static final double RESOLUTION_NANOS = 2_000;

    /** The same of sends and receives. */
    private static final double PAIR_RESOLUTION_NANOS = 500;

    /** The nearest two groups are this many times as far apart as members of one. */
    private static final double LEAST_JUMP = 2.5;

    /** The same of sends and receives: that all come in twos says more than a jump. */
    private static final double LEAST_JUMP_OF_PAIRS = 1.2;

    private final Map<Integer, String> hosts;
    private final RankSet traced;
    private final int world;
    private final Map<Member, RankSet> found = new HashMap<>();

    /** A communicator as one rank sees it. */
    private record Member(int rank, int group) {}

    private record Candidate(int rank, CommunicatorTrail trail) {}

    private record Edge(int a, int b, double nanos) {}

    /**
     * Infers.
     *
     * @param trails by rank
     * @param hosts host by rank, empty where unknown
     */
    Communicators(Map<Integer, List<CommunicatorTrail>> trails, Map<Integer, String> hosts, int world) {
        this.hosts = hosts;
        this.world = world;
        this.traced = RankSet.of(trails.keySet().stream().mapToInt(r -> r).toArray());
        Map<Integer, List<Candidate>> kinds = new TreeMap<>();
        new TreeMap<>(trails)
                .forEach((rank, list) -> list.forEach(t ->
                        kinds.computeIfAbsent(kind(t), k -> new ArrayList<>()).add(new Candidate(rank, t))));
        kinds.values().stream()
                .filter(list -> list.size() > 1 && list.size() <= MOST)
                .forEach(this::join);
    }

    /** The members of a rank's communicator; empty when they are not known. */
    RankSet members(int rank, int group) {
        return found.getOrDefault(new Member(rank, group), RankSet.EMPTY);
    }

    /** What most steps did. */
    private static int kind(CommunicatorTrail trail) {
        Map<Integer, Integer> counts = new TreeMap<>();
        trail.steps().forEach(s -> counts.merge(31 * s.operations() + s.calls(), 1, Integer::sum));
        int usual = counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(0);
        return trail.pairs() ? usual : ~usual;
    }

    private void join(List<Candidate> all) {
        boolean pairs = all.getFirst().trail().pairs();
        double resolution = pairs ? PAIR_RESOLUTION_NANOS : RESOLUTION_NANOS;
        List<Edge> tree = tree(all);
        for (int i = 0; i < tree.size() && tree.get(i).nanos() <= TOGETHER_NANOS; i++) {
            boolean whole = i + 1 == tree.size();
            double jump = whole
                    ? Double.POSITIVE_INFINITY
                    : tree.get(i + 1).nanos() / Math.max(resolution, tree.get(i).nanos());
            if (jump < (pairs ? LEAST_JUMP_OF_PAIRS : LEAST_JUMP)) {
                continue;
            }
            int[] part = parts(all.size(), tree.subList(0, i + 1));
            List<RankSet> groups = regular(all, part);
            if (!groups.isEmpty()) {
                for (int c = 0; c < part.length; c++) {
                    Candidate of = all.get(c);
                    found.put(new Member(of.rank(), of.trail().group()), groups.get(part[c]));
                }
                return;
            }
        }
    }

    /** The shortest edges that join all (Prim 1957), ascending. */
    private List<Edge> tree(List<Candidate> all) {
        int n = all.size();
        double[] nearest = new double[n];
        int[] by = new int[n];
        boolean[] in = new boolean[n];
        Arrays.fill(nearest, Double.POSITIVE_INFINITY);
        List<Edge> edges = new ArrayList<>(n);
        int at = 0;
        for (int k = 1; k < n; k++) {
            in[at] = true;
            int next = -1;
            for (int i = 0; i < n; i++) {
                if (in[i]) {
                    continue;
                }
                double d = distance(all.get(at), all.get(i));
                if (d < nearest[i]) {
                    nearest[i] = d;
                    by[i] = at;
                }
                next = next < 0 || nearest[i] < nearest[next] ? i : next;
            }
            edges.add(new Edge(by[next], next, nearest[next]));
            at = next;
        }
        edges.sort(Comparator.comparingDouble(Edge::nanos));
        return edges;
    }

    private double distance(Candidate a, Candidate b) {
        if (a.rank() == b.rank()) {
            return Double.POSITIVE_INFINITY;
        }
        String host = hosts.getOrDefault(a.rank(), "");
        return CommonEnds.distance(
                a.trail(), b.trail(), !host.isEmpty() && host.equals(hosts.getOrDefault(b.rank(), "")));
    }

    /** Number of the part of each that edges join, from 0 by first member. */
    private static int[] parts(int n, List<Edge> edges) {
        int[] parent = new int[n];
        for (int i = 0; i < n; i++) {
            parent[i] = i;
        }
        for (Edge e : edges) {
            parent[root(parent, e.a())] = root(parent, e.b());
        }
        int[] part = new int[n];
        Map<Integer, Integer> numbers = new HashMap<>();
        for (int i = 0; i < n; i++) {
            int root = root(parent, i);
            numbers.putIfAbsent(root, numbers.size());
            part[i] = numbers.get(root);
        }
        return part;
    }

    private static int root(int[] parent, int i) {
        int at = i;
        while (parent[at] != at) {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        return at;
    }

    /** The groups, completed by ranks without a trace; none when they are not what a layout makes. */
    private List<RankSet> regular(List<Candidate> all, int[] part) {
        int parts = Arrays.stream(part).max().orElse(-1) + 1;
        List<TreeSet<Integer>> members = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            members.add(new TreeSet<>());
        }
        for (int i = 0; i < part.length; i++) {
            if (!members.get(part[i]).add(all.get(i).rank())) {
                return List.of();
            }
        }
        List<RankSet> sets = members.stream()
                .map(m -> RankSet.of(m.stream().mapToInt(r -> r).toArray()))
                .toList();
        int size = sets.stream().mapToInt(RankSet::size).max().orElse(0);
        if (size < 2) {
            return List.of();
        }
        boolean twos = sets.stream().allMatch(s -> s.size() == 2);
        if (twos || all.getFirst().trail().pairs()) {
            return twos ? sets : List.of();
        }
        RankSet pattern = usual(sets, size);
        List<RankSet> whole = new ArrayList<>();
        for (RankSet set : sets) {
            RankSet completed = completed(set, pattern);
            if (completed.isEmpty()) {
                return List.of();
            }
            whole.add(completed);
        }
        return whole;
    }

    /** The commonest pattern among the largest, moved to begin at 0. */
    private static RankSet usual(List<RankSet> sets, int size) {
        Map<RankSet, Integer> counts = new HashMap<>();
        sets.stream().filter(s -> s.size() == size).forEach(s -> counts.merge(moved(s, -s.get(0)), 1, Integer::sum));
        return counts.entrySet().stream()
                .max(Map.Entry.<RankSet, Integer>comparingByValue()
                        .thenComparing(e -> e.getKey().toString()))
                .map(Map.Entry::getKey)
                .orElse(RankSet.EMPTY);
    }

    private static RankSet moved(RankSet set, int by) {
        return RankSet.of(set.stream().map(r -> r + by).toArray());
    }

    /** The pattern at the only place where it holds the set and, beside it, ranks without a trace only; empty when there is none. */
    private RankSet completed(RankSet set, RankSet pattern) {
        RankSet only = RankSet.EMPTY;
        for (int i = 0; i < pattern.size(); i++) {
            int by = set.get(0) - pattern.get(i);
            if (by < 0 || by + pattern.get(pattern.size() - 1) >= world) {
                continue;
            }
            RankSet here = moved(pattern, by);
            if (here.containsAll(set) && here.intersect(traced).size() == set.size()) {
                if (!only.isEmpty()) {
                    return RankSet.EMPTY;
                }
                only = here;
            }
        }
        return only;
    }
}
