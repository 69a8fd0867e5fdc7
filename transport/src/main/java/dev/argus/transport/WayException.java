package dev.argus.transport;

import java.io.IOException;

/** A shipment did not arrive, and it is known why: what is counted under a name ({@link SenderStatus#troubles}). Trying again later is right. */
public final class WayException extends IOException {
    private static final long serialVersionUID = 1;

    private final String trouble;

    /**
     * Why.
     *
     * @param trouble a word to count it under, in kebab-case
     * @param message a sentence for an operator
     * @param cause what it was found from
     */
    public WayException(String trouble, String message, Throwable cause) {
        super(message, cause);
        this.trouble = trouble;
    }

    /** The word to count it under. */
    public String trouble() {
        return trouble;
    }
}
