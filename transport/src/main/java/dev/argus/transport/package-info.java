/**
 * Frames between the agent of a host and the server: what is shipped survives the death of either, and is counted once.
 *
 * <p>Begin at {@link dev.argus.transport.Outbox} (agent: records to frames to the {@link dev.argus.transport.Spool}),
 * {@link dev.argus.transport.FrameSender} (spool to server), {@link dev.argus.transport.FrameReceiver} (server: frames to a
 * {@link dev.argus.transport.FrameSink}). The contract is {@code docs/design/0010-frames.md}.
 *
 * <p>Threads: each class says; the sender owns one thread, everything else none.
 *
 * <p>Must not import {@code digest}, {@code trace}, {@code engine} or any higher floor.
 */
@NullMarked
package dev.argus.transport;

import org.jspecify.annotations.NullMarked;
