package dev.argus.benchmarks.accuracy;

import dev.argus.model.KernelWindow;
import dev.argus.model.RankSet;
import dev.argus.model.StreamKernel;
import dev.argus.stats.Robust;
import java.util.HashMap;
import java.util.Map;

/** A rank's score is the best rank's time of every kernel against its own, weighed by time, as NVRx has it; no stages. */
final class BestOfGroup implements Baseline {
    private static final double LEAST = 0.75;

    @Override
    public String name() {
        return "bestOfGroup";
    }

    @Override
    public String rule() {
        return "a rank whose score is below 0.75: time of the fastest rank over its own, kernel by kernel, weighed by time,"
                + " communication left out (NVRx)";
    }

    @Override
    public RankSet accuse(JobRecords records) {
        Map<Integer, PerRank> means = new HashMap<>();
        for (long step : records.steps()) {
            for (KernelWindow w : records.kernels(step)) {
                for (StreamKernel k : w.kernels()) {
                    means.computeIfAbsent(k.name(), n -> new PerRank())
                            .add(w.rank(), k.durations().meanNanos());
                }
            }
        }
        Map<Integer, Double> best = new HashMap<>();
        means.forEach((kernel, perRank) -> best.put(kernel, Robust.quantile(perRank.means(perRank.ranks()), 0)));
        PerRank scores = new PerRank();
        PerRank times = new PerRank();
        for (long step : records.steps()) {
            for (KernelWindow w : records.kernels(step)) {
                for (StreamKernel k : w.kernels()) {
                    scores.add(
                            w.rank(),
                            best.getOrDefault(k.name(), 0.0) * k.durations().count());
                    times.add(w.rank(), (double) k.durations().sumNanos());
                }
            }
        }
        return scores.where(r -> scores.mean(r) / times.mean(r) < LEAST);
    }
}
