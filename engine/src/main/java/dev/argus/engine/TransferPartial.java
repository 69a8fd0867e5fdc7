package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.RankSet;

/**
 * Transfers of one kind in one group, or between two ranks, in one step: of each collective the shortest member's duration.
 *
 * @param attempt attempt of the job
 * @param subject position of the group, or a number for the pair
 * @param ranks members, or sender and receiver
 * @param step step
 * @param op operation
 * @param bytes payload
 * @param complete false when members did not report: then the shortest duration also holds the wait for them
 * @param acrossHosts true when the members are on several hosts
 * @param instances number of collectives
 * @param meanNanos mean transfer
 */
public record TransferPartial(
        int attempt,
        int subject,
        RankSet ranks,
        long step,
        CollectiveOp op,
        long bytes,
        boolean complete,
        boolean acrossHosts,
        int instances,
        double meanNanos)
        implements Partial {}
