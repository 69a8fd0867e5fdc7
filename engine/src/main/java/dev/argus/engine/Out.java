package dev.argus.engine;

/** What a transform may do to the world: partials for the next one, timers, losses. */
public interface Out {
    /** A result for the transforms after this one. */
    void emit(Partial partial);

    /** Asks for {@link Transform#onTimer} at an event time in nanoseconds since the epoch. */
    void timer(long eventNanos);

    /** Something was left out: a kebab-case reason, counted by the host. */
    void loss(String reason);
}
