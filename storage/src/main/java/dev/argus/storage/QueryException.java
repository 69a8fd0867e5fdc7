package dev.argus.storage;

/** A question that is not answered; the message says what was found and what was expected. */
public final class QueryException extends Exception {
    private static final long serialVersionUID = 1;

    /** Why. */
    public QueryException(String message) {
        super(message);
    }
}
