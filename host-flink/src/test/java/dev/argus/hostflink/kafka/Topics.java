package dev.argus.hostflink.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.hostflink.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The topics of a test: made, filled, and read to their ends. */
final class Topics {
    private Topics() {}

    static void make(String brokers, int partitions) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            NewTopic frames = new NewTopic("argus-frames", Optional.of(partitions), Optional.of((short) 1))
                    .configs(Map.of("message.timestamp.type", "LogAppendTime", "max.message.bytes", "2097152"));
            List<NewTopic> all = new ArrayList<>(List.of(frames));
            for (String name : List.of("argus-incidents", "argus-metrics", "argus-steps")) {
                all.add(new NewTopic(name, 2, (short) 1));
            }
            admin.createTopics(all).all().get();
        }
    }

    static KafkaProducer<byte[], byte[]> producer(String brokers) {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", brokers,
                        "acks", "all",
                        "compression.type", "zstd",
                        "delivery.timeout.ms", "300000",
                        "reconnect.backoff.max.ms", "500"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Everything committed of a topic, partition by partition. */
    private static List<ConsumerRecord<byte[], byte[]>> all(String brokers, String topic, boolean committed) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        brokers,
                        "isolation.level",
                        committed ? "read_committed" : "read_uncommitted",
                        "enable.auto.commit",
                        "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(p -> new TopicPartition(topic, p.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    /** What is said in a topic. */
    static List<String> said(String brokers, String topic) {
        return all(brokers, topic, true).stream()
                .map(r -> new String(r.value(), UTF_8))
                .toList();
    }

    /** The frames as they were recorded, ticks among them. */
    static List<Arrival> frames(String brokers) {
        return all(brokers, "argus-frames", false).stream()
                .map(r -> new Arrival("", r.partition(), r.offset(), r.timestamp(), r.value()))
                .toList();
    }
}
