package dev.argus.ring;

import java.io.IOException;

/** A ring or its folder is refused; the message says what was found, what was expected, and what to do. */
public final class RingException extends IOException {
    private static final long serialVersionUID = 1;

    RingException(String message) {
        super(message);
    }
}
