package dev.argus.trace;

/** A pickle that is not read: what was found, and where. */
final class PickleError extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long offset;

    PickleError(String message, long offset) {
        super(message, null, false, false);
        this.offset = offset;
    }

    /** The message without the place. */
    String text() {
        return String.valueOf(getMessage());
    }

    /** Byte, counted from the start of the uncompressed file, of the instruction that was not executed. */
    long offset() {
        return offset;
    }
}
