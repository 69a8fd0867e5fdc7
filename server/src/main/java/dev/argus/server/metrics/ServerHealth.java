package dev.argus.server.metrics;

import java.util.Map;

/**
 * How the server itself does.
 *
 * @param queueBytes bytes of frames that wait to be judged
 * @param queueLimitBytes bytes that may wait
 * @param checkpointAtNanos when the last checkpoint was committed, nanoseconds since the Unix epoch; 0 before the first of this process
 * @param checkpointNanos how long it took
 * @param held true while nothing new is taken, for nothing can be kept
 * @param dropped what was dropped from memory for want of room, by what it was
 * @param jobsNotKept jobs of which the last checkpoint keeps nothing new, for they did not answer
 */
public record ServerHealth(
        long queueBytes,
        long queueLimitBytes,
        long checkpointAtNanos,
        long checkpointNanos,
        boolean held,
        Map<String, Long> dropped,
        int jobsNotKept) {
    /** Copies the map. */
    public ServerHealth {
        dropped = Map.copyOf(dropped);
    }
}
