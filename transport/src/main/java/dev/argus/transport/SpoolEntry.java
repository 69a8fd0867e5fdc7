package dev.argus.transport;

import dev.argus.wire.SessionId;

/**
 * A frame in the spool.
 *
 * @param session its session
 * @param counter its number there
 * @param frame the frame; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record SpoolEntry(SessionId session, long counter, byte[] frame) {}
