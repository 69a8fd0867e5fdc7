package dev.argus.hostflink.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.hostflink.Said;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is said, each to its topic, under the name of its job. */
final class SaidRecords implements KafkaRecordSerializationSchema<Said> {
    private static final long serialVersionUID = 1;

    private final String incidents;
    private final String metrics;
    private final String steps;

    /** For the key and what a batch adds. */
    private static final int ROOM = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(SaidRecords.class);

    SaidRecords(JobSettings settings) {
        this.incidents = settings.incidents();
        this.metrics = settings.metrics();
        this.steps = settings.steps();
    }

    @Override
    public @Nullable ProducerRecord<byte[], byte[]> serialize(Said said, KafkaSinkContext context, Long timestamp) {
        String topic = switch (said.topic()) {
            case Said.INCIDENTS -> incidents;
            case Said.METRICS -> metrics;
            default -> steps;
        };
        byte[] value = said.json().getBytes(UTF_8);
        if (value.length > JobSettings.MOST_SAID_BYTES - ROOM) {
            LOG.error("job {}: a value of {} bytes for topic {} is left out", said.job(), value.length, topic);
            return null; // the sink steps over it; a value that no broker takes would stop all jobs for ever
        }
        return new ProducerRecord<>(topic, said.job().getBytes(UTF_8), value);
    }
}
