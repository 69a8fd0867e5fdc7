package dev.argus.model;

/**
 * One collective of one rank in one step.
 *
 * @param op operation
 * @param group name id of the process group in the tables of the job, or -1 when unknown
 * @param sequence sequence number in the group as stated, or -1
 * @param bytes payload in bytes, or -1
 * @param peer the other side's global rank or the root, or -1
 * @param stream stream it ran on
 * @param startNanos start, nanoseconds since the Unix epoch by the clock of the host
 * @param durationNanos duration: wait plus transfer
 * @param exposedNanos part of the duration that no compute of this rank covers
 * @param queued true when it started at once after its predecessor on the stream: its rank arrived not later than that,
 *     possibly earlier
 */
public record CollectiveStat(
        CollectiveOp op,
        int group,
        long sequence,
        long bytes,
        int peer,
        int stream,
        long startNanos,
        long durationNanos,
        long exposedNanos,
        boolean queued) {}
