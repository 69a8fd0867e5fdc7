package dev.argus.server.remote;

import dev.argus.transport.ReceiverStatus;
import dev.argus.transport.ShipmentReceiver;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import java.util.concurrent.atomic.LongAdder;

/** Refuses frames: a server that shows what others diagnose has no use for them. Agents keep theirs, and say so. Thread-safe. */
final class NoFrames implements ShipmentReceiver {
    private final LongAdder refused = new LongAdder();

    @Override
    public ShipmentReply receive(Shipment shipment) {
        refused.increment();
        return ShipmentReply.refused(
                shipment.session(),
                "this server shows what others diagnose and takes no frames; ship to a gateway (argus serve --forward) or into Kafka");
    }

    @Override
    public ReceiverStatus status() {
        return new ReceiverStatus(0, 0, 0, 0, refused.sum(), 0, 0, 0, 0);
    }
}
