package dev.argus.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.IncidentState;
import dev.argus.model.NameTable;
import dev.argus.model.RecordLoss;
import dev.argus.server.access.TokenFile;
import dev.argus.server.config.ServerSettings;
import dev.argus.server.config.SettingsReader;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;
import dev.argus.server.remote.Values;
import dev.argus.testkit.Eventually;
import dev.argus.testkit.kafka.KafkaBroker;
import dev.argus.transport.FrameSender;
import dev.argus.transport.Outbox;
import dev.argus.transport.SenderSettings;
import dev.argus.transport.Spool;
import dev.argus.transport.SpoolLimits;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole servers that judge nothing themselves, with a real broker that is killed meanwhile. */
@Tag("broker")
class RemoteServerTest {
    private static final String JOB = "a job <b>";

    @TempDir
    static Path home;

    @TempDir
    Path folder;

    private static KafkaBroker broker;
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        broker = KafkaBroker.in(home.resolve("broker"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static void make(String... topics) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            List<NewTopic> wanted = List.of(topics).stream()
                    .map(t -> new NewTopic(t, 2, (short) 1))
                    .toList();
            admin.createTopics(wanted).all().get(60, TimeUnit.SECONDS);
        }
    }

    private static KafkaProducer<byte[], byte[]> writer(String id) {
        Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrap(), "transactional.id", id);
        KafkaProducer<byte[], byte[]> writer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        writer.initTransactions();
        return writer;
    }

    private static void write(KafkaProducer<byte[], byte[]> writer, String topic, boolean commit, byte[]... values) {
        writer.beginTransaction();
        for (byte[] value : values) {
            var _ = writer.send(new ProducerRecord<>(topic, JOB.getBytes(UTF_8), value));
        }
        writer.flush();
        if (commit) {
            writer.commitTransaction();
        } else {
            writer.abortTransaction();
        }
    }

    private ArgusServer serve(Map<String, String> flags) throws Exception {
        Map<String, String> all = new HashMap<>(flags);
        all.put("port", "0");
        all.put("data", folder.resolve("data").toString());
        all.put("checkpoint-each", "200ms");
        ServerSettings settings = SettingsReader.read(null, Map.of(), all).settings();
        ArgusServer server = new ArgusServer(settings, null, problems::add);
        server.fleet().listen(new FleetListener() {
            @Override
            public void incident(JobView job, IncidentChange change) {
                told.add(change.kind() + " " + change.incident().id());
            }
        });
        return server;
    }

    private String get(ArgusServer server, String path) throws Exception {
        String token = Files.readString(folder.resolve("data").resolve(TokenFile.OPERATOR), UTF_8)
                .strip();
        HttpRequest request = HttpRequest.newBuilder(server.address().resolve(path))
                .header("Authorization", "Bearer " + token)
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }

    private static byte[] change(String change, String id, IncidentState state, long at) {
        return Values.change(JOB, 2, change, at, Samples.incident(id, state, "host0"));
    }

    @Test
    void whatOthersFoundIsShownOnceWhateverIsKilled() throws Exception {
        make("x-incidents", "x-metrics");
        long now = System.currentTimeMillis() * 1_000_000L;
        Map<String, String> flags = Map.of("incidents-from", "kafka://" + broker.bootstrap() + "/x-incidents");
        try (KafkaProducer<byte[], byte[]> writer = writer("one")) {
            write(writer, "x-incidents", true, change("opened", "i1", IncidentState.OPEN, now));
            write(writer, "x-incidents", false, change("opened", "aborted", IncidentState.OPEN, now));
            write(writer, "x-incidents", true, new byte[] {(byte) 0xFF}, "{\"schema\":\"?\"}".getBytes(UTF_8));
            write(writer, "x-metrics", true, Values.metrics(JOB, now, 64, 64, ""));
            try (ArgusServer server = serve(flags)) {
                Eventually.holds("the incident is there", () -> !told.isEmpty());
                Eventually.holds(
                        "metrics are there",
                        () -> server.fleet().job(JOB).orElseThrow().expected() == 64);
                assertThat(get(server, "/api/v1/incidents")).contains("\"i1\"").doesNotContain("aborted");
                assertThat(get(server, "/api/v1/jobs")).contains("\"ranks\":64");
                Eventually.holds(
                        "what cannot be used is counted",
                        () -> get(server, "/metrics").contains("argus_records_skipped_total{reason=\"damaged\"} 1"));
                assertThat(problems).anyMatch(p -> p.contains("stepped over"));

                broker.kill();
                Eventually.holds(
                        "it is said", () -> problems.stream().anyMatch(p -> p.contains("incidents cannot be read")));
                assertThat(get(server, "/api/v1/incidents")).contains("\"i1\"");
                broker.start();
                write(writer, "x-incidents", true, change("changed", "i1", IncidentState.ONGOING, now + 1));
                Eventually.holds("it is read again", () -> told.size() == 2);
            }
            write(writer, "x-incidents", true, change("resolved", "i1", IncidentState.RESOLVED, now + 2));
            try (ArgusServer server = serve(flags)) {
                Eventually.holds("it went on behind what it had", () -> told.size() == 3);
                Eventually.holds(
                        "three rows are kept",
                        () -> get(server, "/api/v1/incidents/i1").split("\"change\":", -1).length == 4);
                assertThat(server.fleet().job(JOB).orElseThrow().expected()).isEqualTo(64);
                assertThat(get(server, "/api/v1/incidents")).contains("resolved");
            }
        }
        assertThat(told).containsExactly("OPENED i1", "CHANGED i1", "RESOLVED i1");
    }

    @Test
    void aGatewayHandsFramesOnAndSaysTheyAreSafeWhenTheBrokerHasThem() throws Exception {
        make("y-frames");
        NameTable names = new NameTable();
        try (ArgusServer server = serve(Map.of("forward", "kafka://" + broker.bootstrap() + "/y-frames"));
                Spool spool = Spool.open(folder.resolve("spool"), SpoolLimits.ofDisk(8 << 20))) {
            String token = Files.readString(folder.resolve("data").resolve(TokenFile.OPERATOR), UTF_8)
                    .strip();
            URI to = server.address().resolve("/api/v1/frames");
            SenderSettings settings = SenderSettings.of(to, JOB, "n1", token, 1)
                    .timed(
                            Duration.ofSeconds(30),
                            Duration.ofMillis(200),
                            Duration.ofMillis(100),
                            Duration.ofMillis(500));
            Outbox outbox = new Outbox(spool, JOB, "n1", names, () -> new SessionId(1, 2), () -> 1L);
            FrameSender sender = new FrameSender(settings, spool, command -> true);
            sender.start();
            frames(outbox, names, 0);
            Eventually.holds("the broker has the first", () -> spool.frames() == 0);
            broker.kill();
            frames(outbox, names, 1);
            Eventually.holds("it is said", () -> problems.stream().anyMatch(p -> p.contains("cannot be handed on")));
            assertThat(spool.frames()).isEqualTo(10);
            broker.start();
            Eventually.holds("the broker has all", () -> spool.frames() == 0);
            sender.close();
            assertThat(get(server, "/metrics")).contains("taken\"} 20");
            assertThat(server.fleet().jobs()).isEmpty();
        }
        Map<Long, Integer> seen = new TreeMap<>();
        Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrap());
        try (KafkaConsumer<byte[], byte[]> reader =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = List.of(new TopicPartition("y-frames", 0), new TopicPartition("y-frames", 1));
            reader.assign(all);
            reader.seekToBeginning(all);
            Eventually.holds("twenty frames are there", () -> {
                reader.poll(Duration.ofMillis(200))
                        .forEach(r -> Shipment.decode(r.value())
                                .frames()
                                .forEach(f -> seen.merge(f.counter(), 1, Integer::sum)));
                return seen.size() == 20;
            });
        }
        assertThat(seen.keySet()).contains(1L, 20L);
    }

    private static void frames(Outbox outbox, NameTable names, int round) {
        for (int i = 0; i < 10; i++) {
            outbox.add(new RecordLoss(0, 1, names.id("reason " + round + " " + i), 1));
            outbox.flush();
        }
    }
}
