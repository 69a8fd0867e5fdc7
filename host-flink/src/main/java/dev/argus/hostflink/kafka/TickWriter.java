package dev.argus.hostflink.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an empty record into each partition of the topic of frames, again and again: without them a partition on which no host writes would hold up all jobs. While the broker is away they are not written, and that is
 * how it is known that nobody could listen. Cost: some 70 bytes a partition and tick.
 *
 * <p>Owns one thread. Two that write at once do no harm.
 */
final class TickWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TickWriter.class);
    private static final byte[] NOTHING = new byte[0];
    private static final String ANSWER_MILLIS = "5000";

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ScheduledExecutorService thread;
    private final Counter written;
    private final Counter failed;
    private boolean told;

    TickWriter(JobSettings settings, Counter written, Counter failed) {
        this.topic = settings.frames();
        this.written = written;
        this.failed = failed;
        Properties properties = new Properties();
        properties.putAll(settings.client());
        properties.putAll(Map.of(
                "bootstrap.servers", settings.brokers(),
                "acks", "1",
                "enable.idempotence", "false",
                "retries", "0",
                "linger.ms", "0",
                "max.block.ms", ANSWER_MILLIS,
                "request.timeout.ms", ANSWER_MILLIS,
                "delivery.timeout.ms", ANSWER_MILLIS,
                "reconnect.backoff.max.ms", "1000"));
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "argus-ticks");
            made.setDaemon(true);
            return made;
        });
        var _ = thread.scheduleWithFixedDelay(this::tick, 0, settings.tickMillis(), TimeUnit.MILLISECONDS);
    }

    private void tick() {
        try {
            for (PartitionInfo partition : producer.partitionsFor(topic)) {
                var _ = producer.send(
                        new ProducerRecord<>(topic, partition.partition(), null, NOTHING), (kept, problem) -> {
                            if (problem == null) {
                                written.inc();
                            } else {
                                failed(problem);
                            }
                        });
            }
        } catch (RuntimeException problem) {
            failed(problem);
        }
    }

    private void failed(Exception problem) {
        failed.inc();
        if (!told) {
            told = true;
            LOG.warn(
                    "no ticks into topic {}: {}; without them partitions without frames hold up all jobs",
                    topic,
                    problem.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        producer.close(Duration.ZERO);
    }
}
