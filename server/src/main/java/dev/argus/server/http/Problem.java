package dev.argus.server.http;

import dev.argus.server.access.Refusal;
import java.util.Map;

/** A request that is not answered as it was asked: a status, what was found, what was expected. */
public final class Problem extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String expected;
    private final transient Map<String, String> headers;
    private boolean charged;

    /** With headers. */
    Problem(int status, String error, String expected, Map<String, String> headers) {
        super(error);
        this.status = status;
        this.expected = expected;
        this.headers = Map.copyOf(headers);
    }

    /**
     * Why.
     *
     * @param status status of HTTP, 400 to 599
     * @param error what was found
     * @param expected what was expected, and what to do
     */
    public Problem(int status, String error, String expected) {
        this(status, error, expected, Map.of());
    }

    /** What was asked for is not there. */
    public static Problem missing(String what, String expected) {
        return new Problem(404, what, expected);
    }

    /** It cannot be done now. */
    public static Problem later(String error) {
        return new Problem(503, error, "to be asked again in a second", Map.of("Retry-After", "1"));
    }

    static Problem of(Refusal refusal) {
        Problem problem = new Problem(refusal.status(), refusal.error(), refusal.expected(), refusal.headers());
        problem.charged = true;
        return problem;
    }

    /** True if the gate has counted it already. */
    boolean isCharged() {
        return charged;
    }

    int status() {
        return status;
    }

    /** The answer. */
    Answer answer() {
        Answer answer = Answer.json(status, json -> {
            json.beginObject();
            json.name("error").value(String.valueOf(getMessage()));
            json.name("expected").value(expected);
            json.endObject();
        });
        headers.forEach(answer::header);
        return answer;
    }
}
