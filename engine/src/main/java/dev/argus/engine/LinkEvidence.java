package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Transfers of all kinds on one axis of steps, with what a healthy one of each kind takes and how far healthy ones are apart.
 *
 * <p>The healthy level of a kind is the median of its cells (a group at a step), or of the lower of two clusters where there are two:
 * half of the groups may be slow, or all of them for a while. It is learnt again from the cells outside of what is suspected.
 */
final class LinkEvidence {
    /** Latency of a transfer, which a slow link leaves alone: between hosts, at the upper end of what libraries reach. */
    private static final double LATENCY_ACROSS_NANOS = 60_000;

    /** The same inside a host. */
    private static final double LATENCY_INSIDE_NANOS = 15_000;

    /** The quantile over groups that stands for the long transfers of a kind, and how much longer than the middle they are. */
    private static final double TELLING = 0.9;

    private static final double MUCH_LONGER = 2;

    /** Transfers with a smaller share of bandwidth in their time tell nothing about a link. */
    private static final double LEAST_WEIGHT = 0.25;

    /** Least spread assumed between transfers of one group and kind from step to step. */
    private static final double LEAST_SIGMA = 0.004;

    /** Spread assumed where too few steps were seen to measure it. */
    private static final double UNKNOWN_SIGMA = 0.03;

    /** A kind needs so many cells outside to be compared with. */
    static final int OUTSIDE = 2;

    /** Cells count up to so many standard deviations. */
    private static final double CAP = 4;

    /** How far the measured spread of few moves may be too small: the spread of a median of n is 1.2 over the root of n. */
    private static final double UNSURE = 1.5;

    /** Spread of the instances of all kinds together, of which no kind has much less. */
    private static final double COMMON = 0.7;

    /** Quantile of the cells of a kind that stands for the lowest level. */
    private static final double LOWEST = 0.1;

    final long[] steps;
    final List<LinkTraffic> traffic;
    final double[] healthy;
    final double[] sigma;
    final double[] weight;
    final boolean[] manyPerHost;
    private final List<List<Integer>> byKind;
    private final double[] headStart;
    private final double[] clustered;
    private final double[] lowest;

    /** Logarithm of the ratio up to which a lasting excess of one group of a kind is within what healthy ones spread. */
    final double[] lastingLimit;

    private final double latency;

    /** Spread of a single transfer from step to step, as a ratio; NaN where too little was seen. */
    double unsteadiness = Double.NaN;

    /** What it is at least, few moves being unsure. */
    double surelyUnsteady = Double.NaN;

    /** With its levels. */
    static LinkEvidence of(List<TransferFinding> findings, boolean across, JobShape shape, Set<Long> events) {
        LinkEvidence evidence = new LinkEvidence(findings, across, shape, events);
        evidence.findLevels();
        return evidence;
    }

    /** What was seen, still without its levels: {@link #findLevels}. */
    LinkEvidence(List<TransferFinding> findings, boolean across, JobShape shape, Set<Long> events) {
        traffic = new ArrayList<>();
        byKind = new ArrayList<>();
        NavigableSet<Long> seen = new TreeSet<>();
        Map<LinkTraffic.Kind, List<TransferFinding>> kinds = new LinkedHashMap<>();
        long[] last = {};
        for (TransferFinding f : findings) {
            kinds.computeIfAbsent(LinkTraffic.Kind.of(f), k -> new ArrayList<>())
                    .add(f);
            if (!Arrays.equals(f.seen(), last)) { // most were seen at the same steps
                last = f.seen();
                Arrays.stream(last).forEach(seen::add);
            }
        }
        if (!events.containsAll(seen)) {
            seen.removeAll(events);
        }
        steps = seen.stream().mapToLong(v -> v).toArray();
        latency = across ? LATENCY_ACROSS_NANOS : LATENCY_INSIDE_NANOS;
        kinds.values().removeIf(list -> !tells(list, latency));
        healthy = new double[kinds.size()];
        sigma = new double[kinds.size()];
        weight = new double[kinds.size()];
        manyPerHost = new boolean[kinds.size()];
        int kind = 0;
        for (List<TransferFinding> list : kinds.values()) {
            List<Integer> members = new ArrayList<>();
            for (TransferFinding f : list) {
                members.add(traffic.size());
                traffic.add(new LinkTraffic(f, kind, LinkTraffic.hosts(f, shape), logs(f)));
            }
            byKind.add(members);
            manyPerHost[kind] = across && list.getFirst().perHost() > 1;
            kind++;
        }
        headStart = new double[kinds.size()];
        clustered = new double[kinds.size()];
        lowest = new double[kinds.size()];
        lastingLimit = new double[kinds.size()];
    }

    /** Finds what healthy transfers take and how far they are apart, of what was seen. */
    void findLevels() {
        double[] moves = allMoves();
        unsteadiness = Robust.MAD_TO_SIGMA * Robust.median(moves) / Math.sqrt(2);
        surelyUnsteady = unsteadiness * Math.max(0, 1 - UNSURE / Math.sqrt(Math.max(1, moves.length)));
        for (int k = 0; k < healthy.length; k++) {
            sigma[k] = spread(k);
            forget(k);
            double[] cells = cells(k, Set.of(), new boolean[steps.length]);
            clustered[k] = LinkLevels.lower(cells, sigma[k]);
            lowest[k] = Robust.quantile(cells, LOWEST);
            weight[k] = Math.clamp(1 - latency / Math.exp(clustered[k]), 0.1, 1);
        }
        level(clustered);
    }

    /** What healthy groups of a kind differ by for ever is taken off: what is left of one that changed is its change. */
    private void forget(int kind) {
        List<Integer> members = byKind.get(kind);
        double[][] logs = members.stream().map(i -> traffic.get(i).logs()).toArray(double[][]::new);
        LinkSpread spread = new LinkSpread(logs, sigma[kind]);
        lastingLimit[kind] = spread.limit;
        for (int m = 0; m < logs.length; m++) {
            double lasting = spread.lasting(m);
            for (int s = 0; s < logs[m].length; s++) {
                logs[m][s] -= lasting;
            }
        }
    }

    private LinkEvidence(LinkEvidence of) {
        steps = of.steps;
        traffic = of.traffic;
        byKind = of.byKind;
        healthy = of.healthy.clone();
        sigma = of.sigma;
        weight = of.weight;
        manyPerHost = of.manyPerHost;
        headStart = of.headStart.clone();
        clustered = of.clustered;
        lowest = of.lowest;
        lastingLimit = of.lastingLimit;
        latency = of.latency;
        unsteadiness = of.unsteadiness;
        surelyUnsteady = of.surelyUnsteady;
    }

    /** The same evidence with levels of its own. */
    LinkEvidence copy() {
        return new LinkEvidence(this);
    }

    /**
     * Takes for healthy what a search begins with.
     *
     * @param low true for the lowest that was seen: nearly all may be slow
     */
    void start(boolean low) {
        double[] levels = low ? lowest : clustered;
        if (!Arrays.equals(levels, healthy)) {
            level(levels);
        }
    }

    /** Takes levels for healthy. */
    void level(double[] levels) {
        System.arraycopy(levels, 0, healthy, 0, levels.length);
        for (int k = 0; k < healthy.length; k++) {
            prefer(k);
        }
    }

    /** True if there is enough bandwidth in the transfers of a kind; short ones tell when some groups have much longer ones. */
    private static boolean tells(List<TransferFinding> list, double latency) {
        double[] typical =
                list.stream().mapToDouble(TransferFinding::typicalNanos).toArray();
        double middle = Robust.median(typical);
        double longest = Robust.quantile(typical, TELLING);
        return 1 - latency / middle >= LEAST_WEIGHT
                || (1 - latency / longest >= LEAST_WEIGHT && longest >= MUCH_LONGER * middle);
    }

    /** How much a cell this far off says against a level, in nats, twice. */
    static double loss(double sigmas) {
        double c = Math.min(Math.abs(sigmas), CAP);
        return c * c;
    }

    /** What the choice of the healthy level of a kind has made its cells look slow, in nats: one level for all is the alternative. */
    double headStart(int kind) {
        return headStart[kind];
    }

    private void prefer(int kind) {
        double[] all = cells(kind, Set.of(), new boolean[steps.length]);
        double middle = Robust.median(all);
        double chosen = 0;
        double one = 0;
        for (double log : all) {
            chosen += loss((log - healthy[kind]) / sigma[kind]);
            one += loss((log - middle) / sigma[kind]);
        }
        headStart[kind] = Math.max(0, chosen - one) / 2;
    }

    private double[] allMoves() {
        return byKind.stream()
                .flatMapToDouble(members -> Arrays.stream(moves(members, true)))
                .toArray();
    }

    private double[] logs(TransferFinding f) {
        double[] logs = new double[steps.length];
        Arrays.fill(logs, Double.NaN);
        for (int i = 0; i < f.seen().length; i++) {
            int at = Arrays.binarySearch(steps, f.seen()[i]);
            if (at >= 0 && f.medians()[i] > 0) {
                logs[at] = Math.log(f.medians()[i]);
            }
        }
        return logs;
    }

    /** From one step to the next, so that a lasting change counts once; optionally as of single transfers. */
    private double[] moves(List<Integer> members, boolean single) {
        double[] moves = new double[members.size() * Math.max(0, steps.length - 1)];
        int n = 0;
        for (int i : members) {
            double[] logs = traffic.get(i).logs();
            double by = single ? Math.sqrt(traffic.get(i).finding().instances()) : 1;
            for (int s = 1; s < logs.length; s++) {
                if (!Double.isNaN(logs[s] - logs[s - 1])) {
                    moves[n++] = by * Math.abs(logs[s] - logs[s - 1]);
                }
            }
        }
        return Arrays.copyOf(moves, n);
    }

    private double spread(int kind) {
        double[] moves = moves(byKind.get(kind), false);
        double instances = traffic.get(byKind.get(kind).getFirst()).finding().instances();
        double common = Double.isNaN(unsteadiness) ? 0 : COMMON * unsteadiness / Math.sqrt(Math.max(1, instances));
        if (moves.length < 3) {
            return Math.max(UNKNOWN_SIGMA, common);
        }
        double move = Robust.median(moves);
        double own = Robust.MAD_TO_SIGMA * move / Math.sqrt(2) * (1 + UNSURE / Math.sqrt(moves.length));
        return Math.max(LEAST_SIGMA, Math.max(own, common));
    }

    private double[] cells(int kind, Set<Integer> without, boolean[] active) {
        List<Integer> members = byKind.get(kind);
        double[] cells = new double[members.size() * steps.length];
        int n = 0;
        for (int i : members) {
            double[] logs = traffic.get(i).logs();
            boolean touched = without.contains(i);
            for (int s = 0; s < logs.length; s++) {
                if (!Double.isNaN(logs[s]) && !(active[s] && touched)) {
                    cells[n++] = logs[s];
                }
            }
        }
        return Arrays.copyOf(cells, n);
    }

    /** Learns the healthy levels from what an element does not touch in its steps. */
    void learn(LinkElement element, boolean[] active) {
        Set<Integer> touched = Set.copyOf(element.traffic());
        for (int kind = 0; kind < healthy.length; kind++) {
            double[] outside = cells(kind, touched, active);
            if (outside.length >= OUTSIDE) {
                healthy[kind] = Robust.median(outside);
                prefer(kind);
            }
        }
    }

    /** The kinds of which enough cells lie outside of an element or its steps to be compared with. */
    boolean[] compared(LinkElement element, boolean[] active) {
        int[] outside = cellCounts();
        for (int i : element.traffic()) {
            LinkTraffic t = traffic.get(i);
            for (int s = 0; s < active.length; s++) {
                outside[t.kind()] -= active[s] && !Double.isNaN(t.logs()[s]) ? 1 : 0;
            }
        }
        boolean[] compared = new boolean[outside.length];
        for (int k = 0; k < compared.length; k++) {
            compared[k] = outside[k] >= OUTSIDE;
        }
        return compared;
    }

    /** Number of cells of each kind. */
    int[] cellCounts() {
        int[] counts = new int[healthy.length];
        for (LinkTraffic t : traffic) {
            for (double log : t.logs()) {
                counts[t.kind()] += Double.isNaN(log) ? 0 : 1;
            }
        }
        return counts;
    }

    /** Logarithm of the shortest single transfers of each kind: their first tenth over groups and steps. */
    double[] shortest() {
        double[] levels = new double[healthy.length];
        for (int k = 0; k < levels.length; k++) {
            double[] all = byKind.get(k).stream()
                    .flatMapToDouble(i -> Arrays.stream(traffic.get(i).finding().shortest()))
                    .toArray();
            levels[k] = Math.log(Robust.quantile(all, LOWEST));
        }
        return levels;
    }

    /** Median over all cells of what they are above levels. */
    double excess(double[] levels) {
        return Robust.median(IntStream.range(0, healthy.length)
                .mapToObj(k -> Arrays.stream(cells(k, Set.of(), new boolean[steps.length]))
                        .map(log -> log - levels[k]))
                .flatMapToDouble(s -> s)
                .toArray());
    }

    /** Number of groups of each kind. */
    int members(int kind) {
        return byKind.get(kind).size();
    }
}
