package dev.argus.model;

/**
 * The time on an agent's host: by it silence is told from an agent that is gone, and a clock that was set from one that drifts.
 *
 * @param epochNanos its wall clock, nanoseconds since the Unix epoch
 * @param monotonicNanos its monotonic clock, from an arbitrary origin that is the same as long as the session lasts
 */
public record AgentTick(long epochNanos, long monotonicNanos) implements AgentRecord {}
