package dev.argus.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.transport.ShipmentTooLargeException;
import dev.argus.wire.NameBlocks;
import dev.argus.wire.Shipment;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.time.Duration;
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
import org.jspecify.annotations.Nullable;

/**
 * Shipments into a topic, each acknowledged by all replicas in sync before the call returns. Names that are too many for one record go before it, piece by piece, each acknowledged before the next is sent: a reader never
 * meets a frame before its names because one of two records had to be tried again. Where the topic takes less than a piece, pieces are cut smaller, down to single names: no frame is too large for the names that go with it.
 *
 * <p>The client is made when it is needed, kept over failures that it can go on after, and made anew after others, so that a password that was replaced is read again. A record whose acknowledgement did not come in time may
 * be in the topic all the same: readers know it by its number.
 *
 * <p>Thread-safe; of one key one shipment at a time, for order.
 */
final class ShipmentProducer implements AutoCloseable {
    /** Names of one record, unless the topic takes less. */
    static final int MOST_NAMES_BYTES = 512 << 10;

    private static final int LEAST_NAMES_BYTES = 1 << 10;

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

    /** Names of one record that the topic took, as far as it was tried with this client. */
    private volatile int mostNamesBytes = MOST_NAMES_BYTES;

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
        List<List<byte[]>> pieces = pieces(shipment.names(), mostNamesBytes);
        long bytes = 0;
        for (int i = 0; i < pieces.size() - 1; i++) {
            bytes += names(shipment, pieces.get(i));
        }
        List<byte[]> last = pieces.isEmpty() ? List.of() : pieces.getLast();
        if (shipment.frames().isEmpty()) {
            return bytes + names(shipment, last);
        }
        try {
            return bytes + record(with(shipment, last, shipment.frames()));
        } catch (ShipmentTooLargeException together) {
            if (last.isEmpty()) {
                throw together;
            }
        }
        bytes += names(shipment, last);
        return bytes + record(with(shipment, List.of(), shipment.frames()));
    }

    /** Names alone, in records as small as they must be. */
    private long names(Shipment shipment, List<byte[]> blocks) throws IOException, InterruptedException {
        try {
            return record(with(shipment, blocks, List.of()));
        } catch (ShipmentTooLargeException smaller) {
            int half = Math.max(
                    LEAST_NAMES_BYTES, blocks.stream().mapToInt(b -> b.length).sum() / 2);
            List<List<byte[]>> pieces = pieces(blocks, half);
            if (pieces.size() < 2) {
                throw smaller; // a single name
            }
            mostNamesBytes = Math.min(mostNamesBytes, half);
            long bytes = 0;
            for (List<byte[]> piece : pieces) {
                bytes += names(shipment, piece);
            }
            return bytes;
        }
    }

    private long record(Shipment shipment) throws IOException, InterruptedException {
        byte[] value = shipment.encode();
        put(key(shipment.job(), shipment.host()), value);
        return value.length;
    }

    /** The key of the frames of a host. */
    static byte[] key(String job, String host) {
        return (job + "/" + host).getBytes(UTF_8);
    }

    private static List<List<byte[]>> pieces(List<byte[]> blocks, int mostBytes) {
        try {
            return NameBlocks.pieces(blocks, mostBytes);
        } catch (WireException damaged) {
            return List.of(); // readers count what they lack; names that are wrong are worse
        }
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
        if (!Troubles.keepsClient(why)) {
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
            mostNamesBytes = MOST_NAMES_BYTES; // the topic may take more by now
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
