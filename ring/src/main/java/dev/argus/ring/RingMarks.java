package dev.argus.ring;

import dev.argus.model.CollectiveCall;

/**
 * Takes what a live process tells beyond the events of a trace: what has begun and not ended, what is missing, and what is deliberately off. Times
 * are nanoseconds since the Unix epoch by the clock of the host; names and groups are ids of the agent's table, -1 none.
 */
public interface RingMarks {
    /** Wants none of it. */
    RingMarks NONE = new RingMarks() {};

    /** A step has begun. */
    default void stepBegun(long step, long startNanos, int thread) {}

    /** Of a step that is over other signals were off, by interleaving. */
    default void stepWithoutSignals(long step) {}

    /** A named interval has begun. */
    default void spanBegun(int name, long startNanos, int thread) {}

    /** An interval of this name lies inside that of another, and ranks of a dimension do the same work in it (0 not said). */
    default void subPhase(int name, int enclosing, int dimension) {}

    /** A rank has called a collective that is not over; {@code name} is what it is called. */
    default void collectiveBegun(CollectiveCall call, int name, long startNanos) {}

    /** {@code count} of something is missing between two times; both 0 when unknown. */
    default void lost(LossReason reason, long fromNanos, long toNanos, long count) {}

    /** All work of the GPU that had ended by then, and is recorded, has been told: what has no end by now had not ended. */
    default void reported(long untilNanos) {}
}
