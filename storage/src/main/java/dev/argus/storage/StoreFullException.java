package dev.argus.storage;

import java.io.IOException;

/** There is no room. */
public final class StoreFullException extends IOException {
    private static final long serialVersionUID = 1;

    /** Says where, and what to do. */
    public StoreFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
