package dev.argus.wire;

/** Bytes that are not what {@link WireWriter} writes: damaged, cut, or of another version. */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a message that says what was found and what was expected. */
    public WireException(String message) {
        super(message);
    }
}
