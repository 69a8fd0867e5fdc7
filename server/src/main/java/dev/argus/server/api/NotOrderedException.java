package dev.argus.server.api;

/** Something that agents cannot be asked for now, or an object that nobody has asked for. */
public final class NotOrderedException extends Exception {
    private static final long serialVersionUID = 1;

    private final String expected;

    /**
     * Why.
     *
     * @param found what was found
     * @param expected what was expected, and what to do
     */
    public NotOrderedException(String found, String expected) {
        super(found);
        this.expected = expected;
    }

    /** What was expected, and what to do. */
    public String expected() {
        return expected;
    }
}
