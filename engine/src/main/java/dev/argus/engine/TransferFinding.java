package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.RankSet;

/**
 * Transfers of one kind, group by group, compared.
 *
 * @param attempt attempt of the job
 * @param ranks members, or sender and receiver
 * @param op operation
 * @param bytes payload
 * @param complete false when members did not report: what is slow then is the transfer or a member that is late
 * @param acrossHosts true when the members are on several hosts
 * @param slow true when this group's transfers are slow, false: compared and found alike
 * @param steps affected steps
 * @param excessNanos excess at each of those steps, over all instances
 * @param ratio transfer over the reference
 * @param typicalNanos median transfer over steps
 * @param instances collectives a step
 * @param ownHistory true when judged against the group's own past
 */
@SuppressWarnings("ArrayRecordComponent")
public record TransferFinding(
        int attempt,
        RankSet ranks,
        CollectiveOp op,
        long bytes,
        boolean complete,
        boolean acrossHosts,
        boolean slow,
        long[] steps,
        double[] excessNanos,
        double ratio,
        double typicalNanos,
        double instances,
        boolean ownHistory)
        implements Partial {}
