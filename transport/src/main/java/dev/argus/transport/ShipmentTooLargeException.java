package dev.argus.transport;

/** A shipment is larger than where it goes takes: with fewer frames it may pass. */
public final class ShipmentTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Why.
     *
     * @param message a sentence for an operator
     */
    public ShipmentTooLargeException(String message) {
        super(message);
    }
}
