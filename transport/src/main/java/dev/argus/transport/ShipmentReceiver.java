package dev.argus.transport;

import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;

/** Whoever takes shipments of agents and answers them. Called by many threads, of one session by one at a time. */
public interface ShipmentReceiver {
    /**
     * Receives a shipment.
     *
     * @throws ShipmentTooLargeException if smaller ones would be taken
     */
    ShipmentReply receive(Shipment shipment);

    /** What it has done so far. */
    ReceiverStatus status();
}
