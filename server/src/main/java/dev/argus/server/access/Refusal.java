package dev.argus.server.access;

import java.util.Map;

/**
 * Why a request is not let through.
 *
 * @param status status of HTTP
 * @param error what was found
 * @param expected what was expected, and what to do
 * @param headers headers of the answer
 */
public record Refusal(int status, String error, String expected, Map<String, String> headers) {
    /** Copies the map. */
    public Refusal {
        headers = Map.copyOf(headers);
    }
}
