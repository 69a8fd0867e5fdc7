package dev.argus.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.transport.ShipmentTooLargeException;
import dev.argus.wire.NameBlocks;
import dev.argus.wire.Shipment;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Shipments into a topic, each acknowledged by all replicas in sync before the call returns. Names that are too many for one record go before it, piece by piece, each acknowledged before the next is sent: a reader never
 * meets a frame before its names because one of two records had to be tried again.
 *
 * <p>The client is made when it is needed, kept over failures that it can go on after, and made anew after others, so that a password that was replaced is read again. A record whose acknowledgement did not come in time may
 * be in the topic all the same: readers know it by its number.
 *
 * <p>Thread-safe; of one key one shipment at a time, for order.
 */
final class ShipmentProducer implements AutoCloseable {
    /** Names of one record. */
    static final int MOST_NAMES_BYTES = 512 << 10;

    private static final long MARGIN_MILLIS = 2_000;

    /** Makes the client. */
    @FunctionalInterface
    interface Clients {
        Producer<byte[], byte[]> open() throws IOException;
    }

    private final KafkaAddress address;
    private final Clients clients;
    private final long waitMillis;
    private @Nullable Producer<byte[], byte[]> client;
    private boolean closed;

    /** Into the topic of an address. */
    ShipmentProducer(KafkaAddress address, KafkaAccess access, KafkaPatience patience) {
        this(address, () -> KafkaClients.producer(address, access, patience), patience);
    }

    ShipmentProducer(KafkaAddress address, Clients clients, KafkaPatience patience) {
        this.address = address;
        this.clients = clients;
        this.waitMillis = patience.deliver().toMillis() + MARGIN_MILLIS;
    }

    /**
     * Puts a shipment into the topic.
     *
     * @return bytes put there, before compression
     * @throws ShipmentTooLargeException if the broker takes smaller ones only
     * @throws IOException if it was not acknowledged
     */
    long put(Shipment shipment) throws IOException, InterruptedException {
        long bytes = 0;
        for (Shipment part : parts(shipment)) {
            byte[] value = part.encode();
            put(key(part.job(), part.host()), value);
            bytes += value.length;
        }
        return bytes;
    }

    /** The key of the frames of a host. */
    static byte[] key(String job, String host) {
        return (job + "/" + host).getBytes(UTF_8);
    }

    /** The shipment with its names, or where those are many, names alone before it. */
    static List<Shipment> parts(Shipment shipment) {
        List<List<byte[]>> pieces;
        try {
            pieces = NameBlocks.pieces(shipment.names(), MOST_NAMES_BYTES);
        } catch (WireException damaged) {
            pieces = List.of(); // readers count what they lack; names that are wrong are worse
        }
        List<Shipment> parts = new ArrayList<>();
        for (int i = 0; i < pieces.size() - 1; i++) {
            parts.add(with(shipment, pieces.get(i), List.of()));
        }
        parts.add(with(shipment, pieces.isEmpty() ? List.of() : pieces.getLast(), shipment.frames()));
        return parts;
    }

    private static Shipment with(Shipment s, List<byte[]> names, List<Shipment.Numbered> frames) {
        return new Shipment(s.session(), s.job(), s.host(), s.floor(), s.from(), false, 0, names, frames);
    }

    private void put(byte[] key, byte[] value) throws IOException, InterruptedException {
        Producer<byte[], byte[]> producer = producer();
        try {
            Future<?> acknowledged = producer.send(new ProducerRecord<>(address.topic(), key, value));
            acknowledged.get(waitMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw failure(producer, failed.getCause() == null ? failed : failed.getCause(), value.length);
        } catch (InterruptException stopped) {
            Thread.interrupted(); // it is told by the exception
            throw stopped(stopped);
        } catch (TimeoutException late) {
            drop(producer);
            throw new IOException("the client of " + address.bootstrap() + " does not answer", late);
        } catch (KafkaException | IllegalStateException failed) {
            throw failure(producer, failed, value.length);
        }
    }

    private static InterruptedException stopped(InterruptException cause) {
        InterruptedException stopped = new InterruptedException("stopped");
        stopped.initCause(cause);
        return stopped;
    }

    private IOException failure(Producer<byte[], byte[]> producer, Throwable why, int bytes) {
        if (why instanceof RecordTooLargeException) {
            throw new ShipmentTooLargeException("topic " + address.topic() + " takes no record of " + bytes
                    + " bytes; raise max.message.bytes, or smaller ones are sent");
        }
        if (!(why instanceof RetriableException)) {
            drop(producer);
        }
        return Troubles.of(why, address);
    }

    private synchronized Producer<byte[], byte[]> producer() throws IOException {
        if (closed) {
            throw new IOException("it is closed");
        }
        Producer<byte[], byte[]> known = client;
        if (known == null) {
            known = clients.open();
            client = known;
        }
        return known;
    }

    /** The next one gets another client. */
    @SuppressWarnings("ReferenceEquality") // this one, not an equal one
    private void drop(Producer<byte[], byte[]> producer) {
        synchronized (this) {
            if (client == producer) {
                client = null;
            }
        }
        producer.close(Duration.ZERO);
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> last;
        synchronized (this) {
            closed = true;
            last = client;
            client = null;
        }
        if (last != null) {
            last.close(Duration.ZERO);
        }
    }
}
