package dev.argus.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Clients as the contract needs them. What is set here cannot be set otherwise: what holds depends on it. */
final class KafkaClients {
    /** A record with its names: more is cut before it comes here, or refused by the broker. */
    static final int MOST_RECORD_BYTES = 4 << 20;

    private static final int BUFFER_BYTES = 8 << 20;
    private static final String RECONNECT_MOST_MILLIS = "10000";

    /** Values are compressed on the way: what a fetch brings has no bound but their number. */
    private static final String VALUES_AT_ONCE = "64";

    private KafkaClients() {}

    private static Map<String, Object> common(
            KafkaAddress address, KafkaAccess access, KafkaPatience patience, String name) throws IOException {
        Map<String, Object> settings = new HashMap<>(access.read());
        settings.put("bootstrap.servers", address.bootstrap());
        settings.put("client.id", name);
        settings.put("request.timeout.ms", millis(patience.answer()));
        settings.put("reconnect.backoff.max.ms", RECONNECT_MOST_MILLIS);
        settings.put("metric.reporters", "");
        settings.put("enable.metrics.push", "false");
        return settings;
    }

    private static String millis(Duration time) {
        return Long.toString(Math.min(Integer.MAX_VALUE, time.toMillis()));
    }

    /**
     * A producer of whom nothing is lost and nothing is written twice as long as it lives.
     *
     * @throws IOException if there can be none at the moment; the message says why
     */
    static Producer<byte[], byte[]> producer(KafkaAddress address, KafkaAccess access, KafkaPatience patience)
            throws IOException {
        Map<String, Object> settings = common(address, access, patience, "argus-frames");
        settings.put("acks", "all");
        settings.put("enable.idempotence", "true");
        settings.put("max.in.flight.requests.per.connection", "5");
        settings.put("compression.type", "zstd");
        settings.put("linger.ms", "0");
        settings.put("buffer.memory", Integer.toString(BUFFER_BYTES));
        settings.put("max.request.size", Integer.toString(MOST_RECORD_BYTES));
        settings.put("max.block.ms", millis(patience.find()));
        settings.put("delivery.timeout.ms", millis(patience.deliver()));
        try {
            return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException unusable) {
            throw Troubles.of(unusable, address);
        }
    }

    /**
     * A consumer of what is committed, in no group: who reads keeps itself how far it is.
     *
     * @throws IOException if there can be none at the moment; the message says why
     */
    static Consumer<byte[], byte[]> consumer(KafkaAddress address, KafkaAccess access, KafkaPatience patience)
            throws IOException {
        Map<String, Object> settings = common(address, access, patience, "argus-reader");
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", "false");
        settings.put("auto.offset.reset", "none");
        settings.put("allow.auto.create.topics", "false");
        settings.put("default.api.timeout.ms", millis(patience.find()));
        settings.put("max.poll.records", VALUES_AT_ONCE);
        settings.put("max.partition.fetch.bytes", Integer.toString(MOST_RECORD_BYTES));
        settings.put("fetch.max.bytes", Integer.toString(2 * MOST_RECORD_BYTES));
        try {
            return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException unusable) {
            throw Troubles.of(unusable, address);
        }
    }

    /**
     * Tells which topics there are.
     *
     * @throws IOException if there can be none at the moment; the message says why
     */
    static Admin admin(KafkaAddress address, KafkaAccess access, KafkaPatience patience) throws IOException {
        Map<String, Object> settings = common(address, access, patience, "argus-topics");
        settings.put(
                "default.api.timeout.ms",
                millis(patience.find().compareTo(patience.answer()) > 0 ? patience.find() : patience.answer()));
        try {
            return Admin.create(settings);
        } catch (KafkaException unusable) {
            throw Troubles.of(unusable, address);
        }
    }
}
