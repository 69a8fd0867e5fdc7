package dev.argus.hostflink.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostflink.HostOptions;
import dev.argus.hostflink.replay.SmallFlink;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.ShippedJob;
import dev.argus.simulator.Wish;
import dev.argus.testkit.kafka.KafkaBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real broker whose topic of frames has poison in it, disappears while the job runs, and is made again. */
@Tag("broker")
class TopicGoneTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String FRAMES = "argus-frames";

    @TempDir
    Path folder;

    private static void send(String brokers, String job) {
        Random random = new Random(3);
        var scenario = Scenarios.draw(Wish.of(7, ScenarioKind.HEALTHY)
                .maxRanks(16)
                .noise(NoiseLevel.USUAL)
                .firstStep(0)
                .stepCount(12));
        try (KafkaProducer<byte[], byte[]> producer = Topics.producer(brokers)) {
            for (ShippedJob.Shipped s : ShippedJob.of(job, scenario, 0, SECOND, ShippedJob.Way.PLAIN)
                    .shipments()) {
                byte[] poison = new byte[1 + random.nextInt(300)];
                random.nextBytes(poison);
                var _ = producer.send(new ProducerRecord<>(FRAMES, poison));
                var _ = producer.send(new ProducerRecord<>(FRAMES, (job + "/" + s.host()).getBytes(UTF_8), s.bytes()));
            }
        }
    }

    private static void untilJudged(String brokers, String job) throws Exception {
        long end = System.nanoTime() + 180 * SECOND;
        while (System.nanoTime() < end) {
            if (isJudged(brokers, job)) {
                return;
            }
            Thread.sleep(Duration.ofMillis(250));
        }
        throw new AssertionError("nothing is said of job " + job);
    }

    /** True if the last step was judged of a job whose name begins so. */
    private static boolean isJudged(String brokers, String job) {
        return Topics.said(brokers, "argus-metrics").stream()
                .anyMatch(m -> m.contains("\"job\":\"" + job) && m.contains("\"newestStep\":11,"));
    }

    private static void makeAnew(String brokers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            admin.deleteTopics(List.of(FRAMES)).all().get();
            while (admin.listTopics().names().get().contains(FRAMES)) {
                Thread.sleep(Duration.ofMillis(100));
            }
            Thread.sleep(Duration.ofSeconds(2)); // the job has seen that it is gone
            admin.createTopics(List.of(new NewTopic(FRAMES, Optional.of(2), Optional.of((short) 1))
                            .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
                    .all()
                    .get();
        }
    }

    @Test
    void theJobGoesOnByItselfWhenTheTopicIsBack() throws Exception {
        try (KafkaBroker broker = KafkaBroker.in(folder.resolve("broker"))) {
            String brokers = broker.bootstrap();
            Topics.make(brokers, 2);
            JobSettings settings = new JobSettings(
                    brokers,
                    FRAMES,
                    "argus-incidents",
                    "argus-metrics",
                    "argus-steps",
                    "argus-flink",
                    false,
                    "argus-flink",
                    Map.of(),
                    500,
                    folder.resolve("checkpoints").toUri().toString(),
                    250,
                    5000,
                    HostOptions.DEFAULT.telling(SECOND),
                    null,
                    null);
            Configuration conf = KafkaJob.configuration(settings, 1);
            StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, conf);
            KafkaJob.build(env, settings);
            try (SmallFlink flink = SmallFlink.start(env.getStreamGraph().getJobGraph(), 1, conf)) {
                // It begins with the next frames: what is there before it reads is not for it.
                for (int i = 0; !isJudged(brokers, "before"); i++) {
                    assertThat(i).as("tries").isLessThan(60);
                    send(brokers, "before" + i);
                    Thread.sleep(Duration.ofSeconds(2));
                }
                makeAnew(brokers);
                // It has a place, which is gone: nothing of the new topic is stepped over.
                send(brokers, "after");
                untilJudged(brokers, "after");
                assertThat(flink.client().getJobStatus().get().isGloballyTerminalState())
                        .isFalse();
            }
        }
    }
}
