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
 * @param hosts number of hosts the members are on
 * @param perHost fewest members on one of them: a ring between hosts has as many interfaces
 * @param instances number of collectives
 * @param meanNanos mean transfer
 * @param medianNanos median transfer: one wild instance does not move it
 * @param shortestNanos shortest transfer
 * @param exposedNanos what of the transfers no compute of the most exposed member covers, summed
 */
public record TransferPartial(
        int attempt,
        int subject,
        RankSet ranks,
        long step,
        CollectiveOp op,
        long bytes,
        boolean complete,
        int hosts,
        int perHost,
        int instances,
        double meanNanos,
        double medianNanos,
        double shortestNanos,
        double exposedNanos)
        implements Partial {

    /** True when the members are on several hosts. */
    boolean acrossHosts() {
        return hosts > 1;
    }
}
