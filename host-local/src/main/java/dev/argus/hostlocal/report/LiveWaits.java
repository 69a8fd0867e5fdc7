package dev.argus.hostlocal.report;

import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Thresholds;
import dev.argus.engine.WaitPairs;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import java.util.List;

/**
 * Who made whom wait in some steps of a job that goes on: the newest, or those of an incident.
 *
 * @param table the waits
 * @param firstStep first step looked at, -1 when none was
 * @param lastStep last step looked at
 * @param steps how many were looked at
 */
public record LiveWaits(WaitTable table, long firstStep, long lastStep, int steps) {
    /** Steps that are asked for one after the other. */
    @FunctionalInterface
    public interface Steps {
        /** The records of one step. */
        List<StepDigest> of(int at);
    }

    /**
     * Sums the waits of some steps. Cost: matching the collectives of all of them.
     *
     * @param accused ranks whose rows come first
     * @param steps numbers of the steps, ascending
     * @param records records of the step at a position of {@code steps}
     */
    public static LiveWaits of(JobShape shape, NameTable names, RankSet accused, long[] steps, Steps records) {
        // How collectives are matched into waits depends on no threshold.
        WaitPairs pairs = new WaitPairs(shape, new DetectorGraph(shape, names, Thresholds.DEFAULT));
        WaitTableBuilder table = new WaitTableBuilder(shape, accused);
        for (int i = 0; i < steps.length; i++) {
            pairs.tell(
                    records.of(i).stream()
                            .filter(d -> shape.ranks().contains(d.rank()))
                            .toList(),
                    table);
        }
        return steps.length == 0
                ? new LiveWaits(table.build(), -1, -1, 0)
                : new LiveWaits(table.build(), steps[0], steps[steps.length - 1], steps.length);
    }
}
