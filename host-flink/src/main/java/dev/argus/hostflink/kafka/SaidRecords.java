package dev.argus.hostflink.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.hostflink.Said;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What is said, each to its topic, under the name of its job. */
final class SaidRecords implements KafkaRecordSerializationSchema<Said> {
    private static final long serialVersionUID = 1;

    private final String incidents;
    private final String metrics;
    private final String steps;

    SaidRecords(JobSettings settings) {
        this.incidents = settings.incidents();
        this.metrics = settings.metrics();
        this.steps = settings.steps();
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(Said said, KafkaSinkContext context, Long timestamp) {
        String topic = switch (said.topic()) {
            case Said.INCIDENTS -> incidents;
            case Said.METRICS -> metrics;
            default -> steps;
        };
        return new ProducerRecord<>(
                topic, said.job().getBytes(UTF_8), said.json().getBytes(UTF_8));
    }
}
