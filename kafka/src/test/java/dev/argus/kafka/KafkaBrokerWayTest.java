package dev.argus.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.kafka.KafkaBroker;
import dev.argus.transport.FrameSender;
import dev.argus.transport.SenderSettings;
import dev.argus.transport.Spool;
import dev.argus.transport.SpoolLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real broker, killed by SIGKILL, and topics that disappear: from an agent's spool to who reads. */
@Tag("broker")
class KafkaBrokerWayTest {
    private static final KafkaPatience PATIENCE = new KafkaPatience(
            Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(60));
    private static final String PASSWORD = "not-told-to-anybody";

    @TempDir
    static Path home;

    @TempDir
    Path folder;

    private static KafkaBroker broker;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        broker = KafkaBroker.in(
                home.resolve("broker"),
                Map.of(
                        "listener.security.protocol.map",
                        "CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT,PLAIN:PLAINTEXT",
                        "listener.name.clients.sasl.enabled.mechanisms",
                        "PLAIN",
                        "listener.name.clients.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_agent=\"" + PASSWORD
                                + "\";"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", broker.plainBootstrap()));
    }

    private static void make(String topic) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get(60, TimeUnit.SECONDS);
        }
    }

    private static void delete(String topic) throws Exception {
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of(topic)).all().get(60, TimeUnit.SECONDS);
        }
    }

    private static KafkaAddress plain(String topic) {
        return new KafkaAddress(broker.plainBootstrap(), topic);
    }

    private static FrameSender sender(Spool spool, KafkaAddress address, KafkaAccess access) {
        SenderSettings settings = SenderSettings.of(address.uri(), Frames.JOB, Frames.HOST, "", 1)
                .timed(Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofMillis(100), Duration.ofMillis(500));
        FrameSender sender =
                new FrameSender(settings, spool, command -> true, new KafkaPoster(address, access, PATIENCE));
        sender.start();
        return sender;
    }

    private static Frames.Reader read(TopicReader from, Frames.Reader into, int frames) throws Exception {
        Waiting.until(
                () -> {
                    try {
                        from.poll(Duration.ofMillis(200)).forEach(v -> into.take(v.value()));
                    } catch (IOException later) {
                        return false;
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    return into.frames >= frames;
                },
                frames + " frames are read");
        return into;
    }

    @Test
    void killedAndStartedAgainTheBrokerHasEachFrameOnceByItsNumber() throws Exception {
        make("frames-kill");
        try (Spool spool = Spool.open(folder.resolve("s"), SpoolLimits.ofDisk(8 << 20));
                TopicReader reader = new TopicReader(
                        plain("frames-kill"), List.of("frames-kill"), KafkaAccess.NONE, PATIENCE, List.of())) {
            Frames agent = new Frames(spool);
            FrameSender sender = sender(spool, plain("frames-kill"), KafkaAccess.NONE);
            Frames.Reader read = new Frames.Reader();
            for (int kill = 0; kill < 2; kill++) {
                for (int i = 0; i < 50; i++) {
                    agent.make();
                }
                if (kill == 1) {
                    Waiting.until(() -> spool.frames() < 50, "it is in the middle");
                }
                broker.kill();
                for (int i = 0; i < 50; i++) {
                    agent.make(); // appending goes on: training is never held up
                }
                long waiting = spool.frames();
                assertThat(waiting).isGreaterThanOrEqualTo(50);
                Waiting.until(() -> !sender.status().problem().isEmpty(), "it is said");
                assertThat(spool.frames()).isEqualTo(waiting);
                broker.start();
                Waiting.until(() -> spool.frames() == 0, "the broker has all");
            }
            assertThat(sender.status().troubles()).containsKey("broker-away");
            Waiting.until(() -> sender.status().problem().isEmpty(), "that it works again is said");
            sender.close();
            read(reader, read, agent.made());
            assertThat(read.reasons)
                    .hasSize(agent.made())
                    .allSatisfy((name, n) -> assertThat(n).isEqualTo(1));
            assertThat(read.holes).isZero();
            assertThat(read.namesMissing).isZero();
            assertThat(spool.losses()).isEmpty();
        }
    }

    @Test
    void aTopicThatDisappearsIsSaidCountedAndFilledAgainWhenItComesBack() throws Exception {
        make("frames-gone");
        try (Spool spool = Spool.open(folder.resolve("s"), SpoolLimits.ofDisk(8 << 20));
                TopicReader reader = new TopicReader(
                        plain("frames-gone"), List.of("frames-gone"), KafkaAccess.NONE, PATIENCE, List.of())) {
            Frames agent = new Frames(spool);
            FrameSender sender = sender(spool, plain("frames-gone"), KafkaAccess.NONE);
            for (int i = 0; i < 5; i++) {
                agent.make();
            }
            Waiting.until(() -> spool.frames() == 0, "the first are there");
            read(reader, new Frames.Reader(), 5);
            delete("frames-gone");
            for (int i = 0; i < 5; i++) {
                agent.make();
            }
            Waiting.until(
                    () -> sender.status().troubles().containsKey("topic-missing"), "it is said that the topic is gone");
            Waiting.until(() -> sender.status().problem().contains("no topic frames-gone"), "and in words");
            assertThat(spool.frames()).isEqualTo(5);
            make("frames-gone");
            Waiting.until(() -> spool.frames() == 0, "the new topic has them");
            sender.close();
            Frames.Reader anew = new Frames.Reader();
            read(reader, anew, 5);
            assertThat(anew.namesMissing).isZero(); // all names were said again
            assertThat(reader.troubles()).containsKey(TopicReader.TOPIC_ANEW);
        }
    }

    @Test
    void aPasswordComesFromTheFileAndAWrongOneIsSaidAndReadAgain() throws Exception {
        make("frames-sasl");
        Path file = folder.resolve("k.properties");
        String settings = "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config="
                + "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"agent\" password=\"%s\";\n";
        Files.writeString(file, settings.formatted("wrong"));
        KafkaAddress address = new KafkaAddress(broker.bootstrap(), "frames-sasl");
        try (Spool spool = Spool.open(folder.resolve("s"), SpoolLimits.ofDisk(8 << 20))) {
            Frames agent = new Frames(spool);
            agent.make();
            FrameSender sender = sender(spool, address, new KafkaAccess(file));
            Waiting.until(() -> sender.status().troubles().containsKey("broker-refuses-us"), "it is refused");
            assertThat(sender.status().problem()).contains("password").doesNotContain("wrong\"");
            Files.writeString(file, settings.formatted(PASSWORD));
            Waiting.until(() -> spool.frames() == 0, "the right password is read");
            sender.close();
        }
    }

    @Test
    void onlyWhatIsCommittedIsReadAndPositionsGoOnBehindIt() throws Exception {
        make("committed");
        Map<String, Object> settings =
                Map.of("bootstrap.servers", broker.plainBootstrap(), "transactional.id", "writer");
        List<String> seen = new ArrayList<>();
        List<ReadPosition> positions;
        try (KafkaProducer<byte[], byte[]> writer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            writer.initTransactions();
            for (String value : List.of("one", "aborted", "two")) {
                writer.beginTransaction();
                var _ = writer.send(new ProducerRecord<>("committed", 0, null, value.getBytes(UTF_8)));
                writer.flush();
                if (value.equals("aborted")) {
                    writer.abortTransaction();
                } else {
                    writer.commitTransaction();
                }
            }
            try (TopicReader reader =
                    new TopicReader(plain("committed"), List.of("committed"), KafkaAccess.NONE, PATIENCE, List.of())) {
                Waiting.until(() -> poll(reader, seen) >= 2, "two are read");
                positions = reader.positions();
            }
            writer.beginTransaction();
            var _ = writer.send(new ProducerRecord<>("committed", 0, null, "three".getBytes(UTF_8)));
            writer.commitTransaction();
        }
        try (TopicReader reader =
                new TopicReader(plain("committed"), List.of("committed"), KafkaAccess.NONE, PATIENCE, positions)) {
            Waiting.until(() -> poll(reader, seen) >= 3, "the third is read");
        }
        assertThat(seen).containsExactly("one", "two", "three");
    }

    private static int poll(TopicReader reader, List<String> into) {
        try {
            reader.poll(Duration.ofMillis(200)).forEach(v -> into.add(new String(v.value(), UTF_8)));
        } catch (IOException later) {
            return into.size();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return into.size();
    }
}
