package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.RankSet;
import dev.argus.stats.Robust;
import java.util.Arrays;
import java.util.List;

/**
 * Transfers of one kind, group by group, compared.
 *
 * @param attempt attempt of the job
 * @param subject position of the group, or a number for the pair
 * @param ranks members, or sender and receiver
 * @param op operation
 * @param bytes payload
 * @param complete false when members did not report: what is slow then is the transfer or a member that is late
 * @param hosts number of hosts the members are on
 * @param perHost fewest members on one of them
 * @param slow true when this group's transfers are slow, false: compared and found alike
 * @param steps affected steps
 * @param excessNanos excess at each of those steps, over all instances
 * @param ratio transfer over the reference
 * @param typicalNanos median transfer over steps
 * @param instances collectives a step
 * @param ownHistory true when judged against the group's own past
 * @param seen the steps seen, ascending
 * @param medians median transfer at each of them
 * @param shortest shortest transfer at each of them
 * @param exposed exposed part of the transfers at each of them, summed
 */
@SuppressWarnings("ArrayRecordComponent")
public record TransferFinding(
        int attempt,
        int subject,
        RankSet ranks,
        CollectiveOp op,
        long bytes,
        boolean complete,
        int hosts,
        int perHost,
        boolean slow,
        long[] steps,
        double[] excessNanos,
        double ratio,
        double typicalNanos,
        double instances,
        boolean ownHistory,
        long[] seen,
        double[] medians,
        double[] shortest,
        double[] exposed)
        implements Partial {

    /** Fewer transfers a step do not tell whether all of them are longer. */
    private static final int SEVERAL = 4;

    /** Transfers of two operations that take longer by the same ratio, within this much. */
    private static final double ALIKE = 1.15;

    /** Share of what transfers take longer that even the shortest of each step does. */
    private static final double THROUGHOUT = 0.7;

    /**
     * True when even the shortest of several transfers in each affected step is longer than those of other steps, by nearly as much as all of them: whoever is late is so for some, and what was queued behind one
     * another nobody is late for.
     */
    boolean throughout() {
        if (!slow || instances < SEVERAL || steps.length >= seen.length) {
            return false;
        }
        double[] inside = shortest.clone();
        double[] outside = shortest.clone();
        for (int i = 0; i < seen.length; i++) {
            (Arrays.binarySearch(steps, seen[i]) >= 0 ? outside : inside)[i] = Double.NaN;
        }
        double longer = Robust.median(inside) / Robust.median(outside) - 1;
        return longer >= THROUGHOUT * (ratio - 1);
    }

    /**
     * True when the network makes these transfers longer, and no member that did not report: those of another operation of the same group are longer by the same ratio, all of them. Waits for a member are as long as its
     * work between two collectives takes, which is not the same in forward and backward.
     */
    boolean isNetwork(List<TransferFinding> all) {
        return acrossHosts()
                && throughout()
                && all.stream()
                        .anyMatch(o -> o.op() != op
                                && Math.max(o.ratio(), ratio) <= ALIKE * Math.min(o.ratio(), ratio)
                                && o.ranks().equals(ranks)
                                && o.throughout());
    }

    /** True when the members are on several hosts. */
    boolean acrossHosts() {
        return hosts > 1;
    }
}
