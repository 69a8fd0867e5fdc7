package dev.argus.trace.export;

/**
 * What is said of a collective beside its interval.
 *
 * @param flow id that the same instance has on every rank, so that an arrow joins them; 0 for none
 * @param op the operation, such as {@code ALL_REDUCE}
 * @param group the group's name, exact; empty when unknown
 * @param sequence number of the call within its group, or -1
 * @param bytes payload, or -1
 */
public record SliceDetail(long flow, String op, String group, long sequence, long bytes) {}
