package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the launch pace of each rank is held against: the median of its peers on other hosts; where these are too few, of all ranks on
 * other hosts; in a job of one host, of its peers. A host that is a small part of the set is not taken out of it.
 */
final class LaunchReferences {
    /** Peers on other hosts needed to compare with them alone. */
    private static final int LEAST_PEERS = 2;

    /** A host with at most this share of the ranks compared moves no median. */
    private static final double SMALL_SHARE = 0.1;

    /** Stages so near each other, as a ratio less 1, have one pace. */
    private static final double AGREE_RATIO = 0.2;

    private final JobShape shape;
    private final int[] ranks;
    private final double[][] pace;
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, double[]> known = new HashMap<>();
    private final Map<Integer, Double> ofSets = new HashMap<>();

    LaunchReferences(JobShape shape, int[] ranks, double[][] pace) {
        this.shape = shape;
        this.ranks = ranks;
        this.pace = pace;
        for (int rank : ranks) {
            counts.merge("h" + shape.hostOf(rank), 1, Integer::sum);
            counts.merge("s" + shape.peerSetOf(rank), 1, Integer::sum);
            counts.merge(shape.peerSetOf(rank) + "/" + shape.hostOf(rank), 1, Integer::sum);
        }
    }

    /** True when the rank is compared with ranks that do the same work. */
    boolean samePeers(int r) {
        return shape.hostCount() < 2 || elsewhere(r, true) >= LEAST_PEERS || elsewhere(r, false) == 0;
    }

    /** True when there are two sets of peers or more that do other work than the rank, and all of them have the same pace: then it is not the work that makes one. */
    boolean othersAgree(int r) {
        if (ofSets.isEmpty()) {
            Map<Integer, List<Double>> bySet = new HashMap<>();
            for (int o = 0; o < ranks.length; o++) {
                bySet.computeIfAbsent(shape.peerSetOf(ranks[o]), s -> new ArrayList<>())
                        .add(Robust.median(pace[o]));
            }
            bySet.forEach((set, of) -> ofSets.put(
                    set, Robust.median(of.stream().mapToDouble(v -> v).toArray())));
        }
        double[] others = ofSets.entrySet().stream()
                .filter(e -> e.getKey() != shape.peerSetOf(ranks[r]))
                .mapToDouble(Map.Entry::getValue)
                .toArray();
        double least = Arrays.stream(others).min().orElse(0);
        double most = Arrays.stream(others).max().orElse(0);
        return others.length >= 2 && most <= (1 + AGREE_RATIO) * least;
    }

    /** The reference by step. */
    double[] of(int r) {
        boolean same = samePeers(r);
        int set = shape.peerSetOf(ranks[r]);
        int all = same ? counts.getOrDefault("s" + set, 1) : ranks.length;
        int elsewhere = elsewhere(r, same);
        boolean apart = shape.hostCount() > 1 && elsewhere > 0 && all - elsewhere > SMALL_SHARE * all;
        String host = apart ? shape.hostOf(ranks[r]) : "";
        String key = (same ? set : "all") + "/" + apart + "/" + host;
        double[] result = known.get(key);
        if (result == null) {
            result = median(r, same, apart);
            known.put(key, result);
        }
        return result;
    }

    private int elsewhere(int r, boolean same) {
        String host = shape.hostOf(ranks[r]);
        int set = shape.peerSetOf(ranks[r]);
        return same
                ? counts.getOrDefault("s" + set, 0) - counts.getOrDefault(set + "/" + host, 0)
                : ranks.length - counts.getOrDefault("h" + host, 0);
    }

    private double[] median(int r, boolean same, boolean apart) {
        List<double[]> of = new ArrayList<>();
        for (int o = 0; o < ranks.length; o++) {
            boolean fits = !same || shape.peerSetOf(ranks[o]) == shape.peerSetOf(ranks[r]);
            if (fits && !(apart && shape.hostOf(ranks[o]).equals(shape.hostOf(ranks[r])))) {
                of.add(pace[o]);
            }
        }
        double[] result = new double[pace[r].length];
        double[] column = new double[of.size()];
        for (int i = 0; i < result.length; i++) {
            for (int o = 0; o < column.length; o++) {
                column[o] = of.get(o)[i];
            }
            result[i] = Robust.median(column);
        }
        return result;
    }
}
