package dev.argus.model;

/** What a file says of ranks or GPUs beside events: records of their own, which join the job by rank or by host. */
public sealed interface SideRecord extends AgentRecord permits FlightRecord, StackRecord, GpuReading {
    /** First moment it speaks of, nanoseconds since the Unix epoch by the clock of its host; 0 when unknown. */
    long firstNanos();

    /** Last moment it speaks of; 0 when unknown. */
    long lastNanos();
}
