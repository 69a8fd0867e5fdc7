package dev.argus.transport;

import java.util.Map;

/**
 * How the way to the server is.
 *
 * @param shipments posts that were answered by a receiver
 * @param failures posts that were not, since the last that was
 * @param sentBytes bytes of shipments that were answered, before compression
 * @param commands commands handed on
 * @param foreignCommands commands for other jobs, not done
 * @param problem what is wrong, in one sentence; empty when nothing is
 * @param troubles posts that failed so far, by reason, where the way tells one ({@link WayException})
 */
public record SenderStatus(
        long shipments,
        int failures,
        long sentBytes,
        long commands,
        long foreignCommands,
        String problem,
        Map<String, Long> troubles) {
    /** Copies the map. */
    public SenderStatus {
        troubles = Map.copyOf(troubles);
    }
}
