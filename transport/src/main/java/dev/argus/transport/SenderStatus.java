package dev.argus.transport;

/**
 * How the way to the server is.
 *
 * @param shipments posts that were answered by a receiver
 * @param failures posts that were not, since the last that was
 * @param sentBytes bytes of shipments that were answered, before compression
 * @param commands commands handed on
 * @param foreignCommands commands for other jobs, not done
 * @param problem what is wrong, in one sentence; empty when nothing is
 */
public record SenderStatus(
        long shipments, int failures, long sentBytes, long commands, long foreignCommands, String problem) {}
