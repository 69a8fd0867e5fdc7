package dev.argus.server.http;

/**
 * An answer that a route may give.
 *
 * @param status status of HTTP
 * @param type media type, empty for no body
 * @param schema name of the schema of a JSON body, empty for another body
 * @param text when it is given, one sentence
 */
public record Reply(int status, String type, String schema, String text) {
    /** A JSON document of a schema. */
    public static Reply json(int status, String schema, String text) {
        return new Reply(status, Answer.JSON, schema, text);
    }

    /** Another body. */
    public static Reply other(int status, String type, String text) {
        return new Reply(status, type, "", text);
    }
}
