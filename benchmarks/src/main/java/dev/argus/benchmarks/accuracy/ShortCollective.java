package dev.argus.benchmarks.accuracy;

import dev.argus.model.CollectiveStat;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.stats.Robust;
import java.util.HashMap;
import java.util.Map;

/** Who spends less than 0.8 of its group's median in the group's collectives came late, as Aegis has it. */
final class ShortCollective implements Baseline {
    private static final double SHORT = 0.8;

    @Override
    public String name() {
        return "shortCollective";
    }

    @Override
    public String rule() {
        return "a rank whose time in the collectives of a group is below 0.8 of the median of its members (Aegis)";
    }

    @Override
    public RankSet accuse(JobRecords records) {
        Map<Integer, PerRank> groups = new HashMap<>();
        for (long step : records.steps()) {
            for (StepDigest d : records.digests(step)) {
                for (CollectiveStat c : d.collectives()) {
                    int group = records.shape().groupIndex(d.rank(), c.group());
                    if (group >= 0 && c.op().isBarrier()) {
                        groups.computeIfAbsent(group, g -> new PerRank()).add(d.rank(), (double) c.durationNanos());
                    }
                }
            }
        }
        RankSet accused = RankSet.EMPTY;
        for (PerRank times : groups.values()) {
            double median = Robust.median(times.means(times.ranks()));
            if (times.ranks().size() > 2) {
                accused = accused.union(times.where(r -> times.mean(r) < SHORT * median));
            }
        }
        return accused;
    }
}
