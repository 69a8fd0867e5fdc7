package dev.argus.engine;

import dev.argus.model.CollectiveOp;

/**
 * Transfers of one kind in one group and step: of each collective the shortest member's duration.
 *
 * @param attempt attempt of the job
 * @param group position of the group
 * @param step step
 * @param op operation
 * @param bytes payload
 * @param members size of the group
 * @param acrossHosts true when the members are on several hosts
 * @param instances number of collectives
 * @param meanNanos mean transfer
 */
public record TransferPartial(
        int attempt,
        int group,
        long step,
        CollectiveOp op,
        long bytes,
        int members,
        boolean acrossHosts,
        int instances,
        double meanNanos)
        implements Partial {}
