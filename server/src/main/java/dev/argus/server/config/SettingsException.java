package dev.argus.server.config;

/** A setting that cannot be used; the message says where, what was found, what was expected, and what to do. */
public final class SettingsException extends Exception {
    private static final long serialVersionUID = 1;

    /** Why. */
    public SettingsException(String message) {
        super(message);
    }
}
