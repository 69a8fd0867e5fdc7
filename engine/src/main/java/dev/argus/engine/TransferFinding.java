package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.RankSet;

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

    /** True when the members are on several hosts. */
    boolean acrossHosts() {
        return hosts > 1;
    }
}
