package dev.argus.digest.clocks;

import dev.argus.model.HostClock;

/** A moment of one host on the clock of a reference, or why it cannot be put there. */
public sealed interface Placement {
    /**
     * Put there.
     *
     * @param nanos nanoseconds since the Unix epoch by the clock of the reference
     * @param errorNanos bound on the error; order within it is unknown
     * @param reference host whose clock it is: moments of hosts with different references cannot be ordered
     */
    record Placed(long nanos, long errorNanos, String reference) implements Placement {}

    /**
     * Not put there.
     *
     * @param why the reason
     */
    record Refused(HostClock.Refusal why) implements Placement {}
}
