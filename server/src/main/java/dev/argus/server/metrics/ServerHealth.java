package dev.argus.server.metrics;

/**
 * How the server itself does.
 *
 * @param queueBytes bytes of frames that wait to be judged
 * @param queueLimitBytes bytes that may wait
 * @param checkpointAtNanos when the last checkpoint was committed, nanoseconds since the Unix epoch; 0 before the first of this process
 * @param checkpointNanos how long it took
 * @param jobsNotKept jobs of which it keeps nothing new, for they did not answer
 */
public record ServerHealth(
        long queueBytes, long queueLimitBytes, long checkpointAtNanos, long checkpointNanos, int jobsNotKept) {}
