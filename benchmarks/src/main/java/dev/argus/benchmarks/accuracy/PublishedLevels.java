package dev.argus.benchmarks.accuracy;

import dev.argus.model.DurationSummary;
import dev.argus.model.KernelWindow;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.StreamKernel;
import dev.argus.sketch.Rebuilt;
import dev.argus.stats.QuantileFunction;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The levels of the published ARGUS system (arXiv:2606.20374) as described there: phases whose mean on a rank has z of 3 or more
 * among the ranks of its stage, where their coefficient of variation is above 5 %; and kernels of which a rank's mean pairwise W1
 * distance lies above Q3 + 1.5 IQR of its peers'. Its first level, outliers of iteration time, names nobody.
 */
final class PublishedLevels implements Baseline {
    private static final double Z = 3;
    private static final double VARIATION = 0.05;
    private static final double FENCE = 1.5;
    private static final int PARTS = 16;

    @Override
    public String name() {
        return "publishedLevels";
    }

    @Override
    public String rule() {
        return "a rank whose mean time in a phase has z >= 3 among its stage (where the variation is above 5 %), or whose mean"
                + " pairwise W1 of a kernel lies above Q3 + 1.5 IQR (arXiv:2606.20374)";
    }

    @Override
    public RankSet accuse(JobRecords records) {
        RankSet accused = RankSet.EMPTY;
        for (RankSet peers : records.shape().peerSets()) {
            accused = accused.union(byPhase(records, peers)).union(byKernel(records, peers));
        }
        return accused;
    }

    private static RankSet byPhase(JobRecords records, RankSet peers) {
        Map<Phase, PerRank> phases = new EnumMap<>(Phase.class);
        for (long step : records.steps()) {
            for (StepDigest d : records.digests(step)) {
                for (PhaseTime p : d.phases()) {
                    if (peers.contains(d.rank())) {
                        phases.computeIfAbsent(p.phase(), x -> new PerRank()).add(d.rank(), time(d, p));
                    }
                }
            }
        }
        RankSet accused = RankSet.EMPTY;
        for (PerRank times : phases.values()) {
            double[] means = times.means(peers);
            double mean = Arrays.stream(means).average().orElse(0);
            double sigma = Math.sqrt(Arrays.stream(means)
                    .map(m -> (m - mean) * (m - mean))
                    .average()
                    .orElse(0));
            if (sigma > VARIATION * mean) {
                accused = accused.union(times.where(r -> (times.mean(r) - mean) / sigma >= Z));
            }
        }
        return accused;
    }

    /** Time of a phase on the GPU, or on the CPU where there is none. */
    private static double time(StepDigest d, PhaseTime p) {
        return (double) (d.gpu() ? p.computeNanos() : p.spanNanos());
    }

    private static RankSet byKernel(JobRecords records, RankSet peers) {
        Map<Integer, Map<Integer, List<DurationSummary>>> kernels = new HashMap<>();
        for (long step : records.steps()) {
            for (KernelWindow w : records.kernels(step)) {
                for (StreamKernel k : peers.contains(w.rank()) ? w.kernels() : List.<StreamKernel>of()) {
                    kernels.computeIfAbsent(k.name(), n -> new HashMap<>())
                            .computeIfAbsent(w.rank(), r -> new ArrayList<>())
                            .add(k.durations());
                }
            }
        }
        RankSet accused = RankSet.EMPTY;
        for (Map<Integer, List<DurationSummary>> byRank : kernels.values()) {
            Map<Integer, double[]> quantiles = new HashMap<>();
            byRank.forEach((rank, list) -> quantiles.put(rank, pooled(list)));
            PerRank distances = new PerRank();
            quantiles.forEach((a, of) -> quantiles.forEach((b, other) -> {
                if (!a.equals(b)) {
                    distances.add(a, distance(of, other));
                }
            }));
            double[] means = distances.means(peers);
            double high = Robust.quantile(means, 0.75);
            double fence = high + FENCE * (high - Robust.quantile(means, 0.25));
            accused = accused.union(distances.where(r -> distances.mean(r) > fence));
        }
        return accused;
    }

    private static double[] pooled(List<DurationSummary> list) {
        double[] weights = list.stream().mapToDouble(DurationSummary::count).toArray();
        return QuantileFunction.mixture(list.stream().map(Rebuilt::of).toList(), weights)
                .partMeans(PARTS);
    }

    /** W1 in one dimension: the mean difference of the quantile functions. */
    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += Math.abs(a[i] - b[i]);
        }
        return sum / a.length;
    }
}
