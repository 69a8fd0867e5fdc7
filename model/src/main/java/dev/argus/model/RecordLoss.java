package dev.argus.model;

/**
 * Records that are not there, and why: what an agent dropped, could not read, or had no room for. A count since the last one of the same
 * reason and rank, not a total.
 *
 * @param attempt attempt of the job
 * @param rank global rank, -1 when it concerns no rank
 * @param reason name id of a kebab-case reason such as {@code ring-full}
 * @param count records lost; &gt;= 0
 */
public record RecordLoss(int attempt, int rank, int reason, long count) implements AgentRecord {}
