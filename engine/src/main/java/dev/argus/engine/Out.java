package dev.argus.engine;

import java.util.List;

/** What a transform may do to the world: partials for the next one, timers, losses. */
public interface Out {
    /** A result for the transforms after this one. */
    void emit(Partial partial);

    /** Asks for {@link Transform#onTimer} at an event time in nanoseconds since the epoch. */
    void timer(long eventNanos);

    /**
     * Does pieces of work that do not depend on each other: one after the other, or, where a host has threads to spare, at the same time.
     * Returns when all are done; what they have written is then seen by the caller. A piece emits nothing.
     */
    default void doAll(List<Runnable> pieces) {
        pieces.forEach(Runnable::run);
    }

    /** Something was left out: a kebab-case reason, counted by the host. */
    void loss(String reason);
}
