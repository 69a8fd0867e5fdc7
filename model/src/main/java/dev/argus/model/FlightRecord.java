package dev.argus.model;

import java.util.List;

/**
 * How far one rank came with the collectives of its groups: one dump of a flight recorder of collectives.
 *
 * <p>A recorder's ring holds the last calls only, so rings of different ranks begin at different sequence numbers; the status of a group
 * counts on when its calls have left the ring. Ids of groups are local to a rank: the same id means another group on another
 * stage. A group is its description and its set of ranks.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param groups groups the rank says it belongs to
 * @param statuses how far it came, by local id of the group
 * @param calls calls that are not complete, ascending by sequence within a group; the oldest of each group
 * @param entries calls in the ring, complete or not; 0 for an empty ring
 * @param firstNanos when the oldest call in the ring was made; 0 for an empty ring
 * @param lastNanos the last moment the ring speaks of; 0 for an empty ring
 */
public record FlightRecord(
        int attempt,
        int rank,
        List<Group> groups,
        List<Status> statuses,
        List<Call> calls,
        int entries,
        long firstNanos,
        long lastNanos)
        implements SideRecord {
    /** Copies defensively. */
    public FlightRecord {
        groups = List.copyOf(groups);
        statuses = List.copyOf(statuses);
        calls = List.copyOf(calls);
    }

    /**
     * A group as the rank declares it.
     *
     * @param name name id of the framework's name of it, which may mean another group on another rank
     * @param label name id of what people call it: its description, else its name
     * @param members global ranks; empty when unknown
     * @param complete false when the list was cut
     */
    public record Group(int name, int label, RankSet members, boolean complete) {}

    /**
     * How far the rank came in one group. Sequence numbers count from 1; -1 when unknown.
     *
     * @param localId the rank's own id of the group, -1 when it has none
     * @param group position in {@link FlightRecord#groups()}, -1 when the ring does not tell which group the id means
     * @param first lowest sequence in the ring
     * @param enqueued last collective the CPU has called
     * @param completed last collective the recorder saw complete
     * @param pointToPoint true when the numbers also or only count sends and receives, which differ between members
     */
    public record Status(int localId, int group, long first, long enqueued, long completed, boolean pointToPoint) {}

    /**
     * One call that is not complete.
     *
     * @param group position in {@link FlightRecord#groups()}
     * @param sequence number in its group, from 1; sends and receives are numbered apart
     * @param op operation
     * @param name name id of what it is called, such as {@code all_to_all}
     * @param shape name id of its first input, such as {@code 2048x5120 BFloat16}; the empty text when unknown
     * @param peer global rank of the other side of a send or receive, else -1
     * @param started true when the GPU is known to have begun it
     * @param createdNanos when the CPU called it, nanoseconds since the Unix epoch; 0 when unknown
     */
    public record Call(
            int group,
            long sequence,
            CollectiveOp op,
            int name,
            int shape,
            int peer,
            boolean started,
            long createdNanos) {
        /** True for a send or a receive, which has its own numbers. */
        public boolean pointToPoint() {
            return op.isPointToPoint();
        }
    }

    /** The same of another attempt. */
    public FlightRecord of(int newAttempt) {
        return new FlightRecord(newAttempt, rank, groups, statuses, calls, entries, firstNanos, lastNanos);
    }
}
