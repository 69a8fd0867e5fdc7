package dev.argus.trace;

/** The text stopped being JSON, or ended inside a value. Thrown inside the room only; carries no stack trace. */
final class JsonError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long offset;

    JsonError(String message, long offset) {
        super(message, null, false, false);
        this.offset = offset;
    }

    /** Uncompressed byte offset where it was noticed. */
    long offset() {
        return offset;
    }

    /** The message; never null. */
    String text() {
        return String.valueOf(getMessage());
    }
}
