package dev.argus.server.alerts;

import java.io.IOException;

/** One request and its answer. */
@FunctionalInterface
interface AlertPoster {
    /**
     * An answer. What an endpoint writes into its body is nobody's business.
     *
     * @param status HTTP status
     * @param retryAfterMillis what {@code Retry-After} asks for, less than 0 for nothing
     */
    record Answer(int status, long retryAfterMillis) {}

    /**
     * Posts JSON.
     *
     * @throws IOException if there is no answer in time; its message may hold secrets of the address
     */
    Answer post(Endpoint endpoint, byte[] body) throws IOException, InterruptedException;
}
