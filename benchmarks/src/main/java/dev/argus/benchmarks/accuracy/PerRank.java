package dev.argus.benchmarks.accuracy;

import dev.argus.model.RankSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** A sum and a count by rank: what the baselines compare. */
final class PerRank {
    private final Map<Integer, double[]> sums = new TreeMap<>();

    void add(int rank, double value) {
        double[] own = sums.computeIfAbsent(rank, r -> new double[2]);
        own[0] += value;
        own[1]++;
    }

    double mean(int rank) {
        double[] own = sums.get(rank);
        return own == null ? Double.NaN : own[0] / own[1];
    }

    /** The means of the ranks that have one. */
    double[] means(RankSet ranks) {
        return ranks.stream()
                .mapToDouble(this::mean)
                .filter(m -> !Double.isNaN(m))
                .toArray();
    }

    RankSet ranks() {
        return RankSet.of(sums.keySet());
    }

    RankSet where(IntPredicate which) {
        return RankSet.of(ranks().stream().filter(which));
    }
}
