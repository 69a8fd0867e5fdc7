package dev.argus.stacks;

/** Stacks of a process cannot be read; the message says what was found, what was expected and what to do. */
public final class StackAccessException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With its sentence. */
    public StackAccessException(String message) {
        super(message);
    }
}
