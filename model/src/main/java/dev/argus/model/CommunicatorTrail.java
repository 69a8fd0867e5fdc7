package dev.argus.model;

import java.util.List;

/**
 * When the calls of a communicator ended that does not say who its members are: what its members are told by.
 *
 * @param group name id of the group made up for it
 * @param pairs true when it carried nothing but sends and receives: two ranks are all it can have
 * @param steps steps in which it was used, ascending; at most {@value #MOST_STEPS}
 */
public record CommunicatorTrail(int group, boolean pairs, List<Step> steps) {
    /** Steps of which the ends are kept. */
    public static final int MOST_STEPS = 12;

    /** Ends kept of a step. */
    public static final int MOST_CALLS = 8;

    /**
     * One step.
     *
     * @param step step
     * @param calls number of calls
     * @param operations hash of the operations in their order
     * @param ends ends of calls spread evenly over the step, the last one among them, nanoseconds since the epoch by the clock of
     *     the host; at most {@value CommunicatorTrail#MOST_CALLS}
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Step(long step, int calls, int operations, long[] ends) {}
}
