package dev.argus.server.http;

import java.io.IOException;

/** Answers a request. */
@FunctionalInterface
public interface RouteHandler {
    /**
     * Answers.
     *
     * @throws Problem if it is not answered as asked
     * @throws IOException if the client is gone, or a store fails
     */
    Answer handle(Call call) throws Problem, IOException;
}
