package dev.argus.engine;

import dev.argus.model.CollectiveOp;

/**
 * Transfers of one kind, group by group, compared.
 *
 * @param attempt attempt of the job
 * @param group position of the group
 * @param op operation
 * @param bytes payload
 * @param members size of the group
 * @param acrossHosts true when the members are on several hosts
 * @param slow true when this group's transfers are slow, false: compared and found alike
 * @param steps affected steps
 * @param excessNanos excess at each of those steps, over all instances
 * @param ratio transfer over the reference
 * @param ownHistory true when judged against the group's own past
 */
@SuppressWarnings("ArrayRecordComponent")
public record TransferFinding(
        int attempt,
        int group,
        CollectiveOp op,
        long bytes,
        int members,
        boolean acrossHosts,
        boolean slow,
        long[] steps,
        double[] excessNanos,
        double ratio,
        boolean ownHistory)
        implements Partial {}
