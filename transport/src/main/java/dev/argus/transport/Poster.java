package dev.argus.transport;

import dev.argus.wire.Shipment;
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

    /**
     * Posts a shipment that may be larger than one that is read may be ({@link Shipment#MOST_BYTES}), for with all its names it is what it is: a way that cuts it need not read it back.
     *
     * @param encoded its bytes
     * @throws WayException if it is known what is wrong with the way
     * @throws IOException if there is no whole answer in time
     */
    default Answer post(Shipment shipment, byte[] encoded) throws IOException, InterruptedException {
        return post(encoded);
    }

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
