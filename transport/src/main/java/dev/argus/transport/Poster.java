package dev.argus.transport;

import java.io.IOException;

/** The way of a {@link FrameSender}: takes one shipment at a time and says what became of it. Called by one thread. */
@FunctionalInterface
public interface Poster extends AutoCloseable {
    /** Where {@code Retry-After} says nothing. */
    long NO_WAIT = RetryAfter.NONE;

    /**
     * An answer of the server, or of something before it.
     *
     * @param status as HTTP has it
     * @param waitMillis what {@code Retry-After} asks for, or {@link #NO_WAIT}
     * @param body a {@link dev.argus.wire.ShipmentReply}, or whatever came instead; bounded
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Answer(int status, long waitMillis, byte[] body) {}

    /**
     * Posts a shipment.
     *
     * @throws WayException if it is known what is wrong with the way
     * @throws IOException if there is no whole answer in time
     */
    Answer post(byte[] shipment) throws IOException, InterruptedException;

    /** How often a session repeats all of its names, for readers that cannot ask; 0 when they are sent upon {@code NAMES_MISSING} alone. Nanoseconds. */
    default long namesEachNanos() {
        return 0;
    }

    /** True if an empty shipment is of use when there is no frame: it fetches commands, and what became safe. */
    default boolean answersPolls() {
        return true;
    }

    @Override
    default void close() {}
}
