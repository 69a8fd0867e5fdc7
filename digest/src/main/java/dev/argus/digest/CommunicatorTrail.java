package dev.argus.digest;

import java.util.List;

/**
 * When the calls of a communicator ended that does not say who its members are: what {@link Communicators} tells them by.
 *
 * @param group name id of the group made up for it
 * @param pairs true when it carried nothing but sends and receives: two ranks are all it can have
 * @param steps steps in which it was used, ascending; at most {@value GroupUses#TRAIL_STEPS}
 */
public record CommunicatorTrail(int group, boolean pairs, List<Step> steps) {
    /**
     * One step.
     *
     * @param step step
     * @param calls number of calls
     * @param operations hash of the operations in their order
     * @param ends ends of calls spread evenly over the step, the last one among them, nanoseconds since the epoch by the clock of
     *     the host; at most {@value GroupUses#TRAIL_CALLS}
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Step(long step, int calls, int operations, long[] ends) {}
}
