package dev.argus.benchmarks.accuracy;

import dev.argus.model.RankSet;
import dev.argus.simulator.FaultTruth;
import dev.argus.simulator.Layout;
import dev.argus.simulator.Truth;
import java.util.List;

/**
 * What a baseline made of one job. Faults with nobody to accuse are left out: these rules can only name ranks.
 *
 * @param faults faults that somebody could be accused of
 * @param exact those of which a rank is named, with no innocent and not too many beside it
 * @param falseAlarm true when an innocent is named
 */
public record BaselineScore(int faults, int exact, boolean falseAlarm) {
    static BaselineScore of(Baseline baseline, JobRecords records, Layout layout, Truth truth) {
        RankSet accused = baseline.accuse(records);
        boolean innocent = accused.stream().anyMatch(truth.mustNotBlame()::contains);
        List<FaultTruth> faults =
                truth.faults().stream().filter(f -> f.scope().equals("ranks")).toList();
        int most = Scoreboard.mostRanks(layout);
        int exact = (int) faults.stream()
                .filter(f -> !innocent
                        && accused.size() <= Math.max(most, f.suspects().size()))
                .filter(f -> accused.stream().anyMatch(f.suspects()::contains))
                .count();
        return new BaselineScore(faults.size(), exact, innocent);
    }
}
