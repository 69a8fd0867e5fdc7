package dev.argus.kafka;

import dev.argus.transport.Poster;
import dev.argus.transport.ShipmentTooLargeException;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import java.io.IOException;
import java.util.List;

/**
 * The way of an agent's frames straight into a topic: what the broker has acknowledged is safe, so the spool may forget it. No commands come this way, and nobody asks for names: a session repeats them.
 *
 * <p>One thread, beside that of Kafka's client.
 */
public final class KafkaPoster implements Poster {
    private static final int TAKEN = 200;
    private static final int TOO_LARGE = 413;

    private final ShipmentProducer producer;
    private final long namesEachNanos;

    /** Into the topic of an address. Nothing is connected before the first shipment. */
    public KafkaPoster(KafkaAddress address, KafkaAccess access, KafkaPatience patience) {
        this(new ShipmentProducer(address, access, patience), patience);
    }

    KafkaPoster(ShipmentProducer producer, KafkaPatience patience) {
        this.producer = producer;
        this.namesEachNanos = patience.namesEach().toNanos();
    }

    @Override
    public Answer post(byte[] bytes) throws IOException, InterruptedException {
        return post(Shipment.decode(bytes), bytes);
    }

    @Override
    public Answer post(Shipment shipment, byte[] encoded) throws IOException, InterruptedException {
        try {
            producer.put(shipment);
        } catch (ShipmentTooLargeException smaller) {
            return new Answer(TOO_LARGE, NO_WAIT, new byte[0]);
        }
        long last = shipment.frames().isEmpty()
                ? shipment.from() - 1
                : shipment.frames().getLast().counter();
        ShipmentReply reply = new ShipmentReply(
                shipment.session(), ShipmentReply.Verdict.ACCEPTED, "", last, last, 0, 0, 0, List.of());
        return new Answer(TAKEN, NO_WAIT, reply.encode());
    }

    @Override
    public long namesEachNanos() {
        return namesEachNanos;
    }

    @Override
    public boolean answersPolls() {
        return false;
    }

    @Override
    public void close() {
        producer.close();
    }
}
