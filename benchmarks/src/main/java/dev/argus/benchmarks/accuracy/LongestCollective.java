package dev.argus.benchmarks.accuracy;

import dev.argus.model.CollectiveStat;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.stats.Robust;

/** Who spends most time in collectives is to blame: the rule of many dashboards, and the wrong way round. */
final class LongestCollective implements Baseline {
    private static final double LONG = 1.1;

    @Override
    public String name() {
        return "longestCollective";
    }

    @Override
    public String rule() {
        return "the rank that spends most time in collectives, when that is above 1.1 of the median";
    }

    @Override
    public RankSet accuse(JobRecords records) {
        PerRank times = new PerRank();
        for (long step : records.steps()) {
            for (StepDigest d : records.digests(step)) {
                times.add(
                        d.rank(),
                        d.collectives().stream()
                                .mapToDouble(CollectiveStat::durationNanos)
                                .sum());
            }
        }
        double[] means = times.means(times.ranks());
        double longest = Robust.quantile(means, 1);
        return longest > LONG * Robust.median(means) ? times.where(r -> times.mean(r) >= longest) : RankSet.EMPTY;
    }
}
