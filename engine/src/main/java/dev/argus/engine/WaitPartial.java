package dev.argus.engine;

/**
 * Ledger: who waited and who was waited for in the collectives of one group and step.
 *
 * @param attempt attempt of the job
 * @param group position of the group
 * @param step step
 * @param ranks members that reported
 * @param sufferedNanos exposed wait of each
 * @param causedNanos wait of the others at each one's late arrivals, summed
 * @param instances collectives matched
 * @param ambiguous collectives that could not be matched or have no last arriver
 */
@SuppressWarnings("ArrayRecordComponent")
public record WaitPartial(
        int attempt,
        int group,
        long step,
        int[] ranks,
        long[] sufferedNanos,
        long[] causedNanos,
        int instances,
        int ambiguous)
        implements Partial {}
