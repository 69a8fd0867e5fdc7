package dev.argus.server.remote;

/** A value of a topic cannot be used; it is counted and stepped over. */
final class UnusableValueException extends Exception {
    private static final long serialVersionUID = 1;

    /** Larger than a value may be. */
    static final String TOO_LARGE = "value-too-large";

    /** No UTF-8, no JSON object, or too deep. */
    static final String NOT_JSON = "value-not-json";

    /** Of another schema: a newer version, or something else. */
    static final String OTHER_SCHEMA = "value-of-other-schema";

    /** A member is missing or says what cannot be. */
    static final String WRONG_MEMBER = "value-with-wrong-member";

    private final String reason;

    UnusableValueException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** The word to count it under. */
    String reason() {
        return reason;
    }
}
