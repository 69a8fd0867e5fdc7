package dev.argus.transport;

import java.io.IOException;

/** One request and its answer. */
@FunctionalInterface
interface Poster {
    /** Where {@code Retry-After} says nothing. */
    long NO_WAIT = RetryAfter.NONE;

    /**
     * An answer of the server, or of something before it.
     *
     * @param status HTTP status
     * @param waitMillis what {@code Retry-After} asks for, or {@link #NO_WAIT}
     * @param body content, bounded
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Answer(int status, long waitMillis, byte[] body) {}

    /**
     * Posts a shipment.
     *
     * @throws IOException if there is no whole answer in time
     */
    Answer post(byte[] shipment) throws IOException, InterruptedException;
}
