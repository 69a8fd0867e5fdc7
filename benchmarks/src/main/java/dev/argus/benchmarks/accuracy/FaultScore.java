package dev.argus.benchmarks.accuracy;

import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import dev.argus.simulator.FaultTruth;
import org.jspecify.annotations.Nullable;

/**
 * What a diagnosis made of one fault.
 *
 * @param truth fault
 * @param said the best of what names it, null when nothing does
 * @param named ranks it names
 * @param innocents how many of them are innocent
 * @param kindRight true when the kind is accepted
 * @param stepsRight true when the steps are inside the fault's and cover enough of them
 * @param onlyObserved true when it counts as missed although an observation of the right kind names it
 */
public record FaultScore(
        FaultTruth truth,
        @Nullable Incident said,
        RankSet named,
        int innocents,
        boolean kindRight,
        boolean stepsRight,
        boolean onlyObserved) {
    /** True when something names it. */
    public boolean hit() {
        return said != null;
    }

    /** True when it is named and no innocent beside it. */
    public boolean exact() {
        return said != null && innocents == 0;
    }

    /**
     * What it is said to cost over what it costs; NaN where it is not named exactly, costs nothing, or its cost is said as a bound.
     */
    public double price() {
        double cost = truth.jobRatio() / (1 + truth.jobRatio()); // of what was measured, the fault included
        return said == null || innocents > 0 || cost <= 0 || said.cost().upperBound()
                ? Double.NaN
                : said.cost().stepRatio() / cost;
    }
}
