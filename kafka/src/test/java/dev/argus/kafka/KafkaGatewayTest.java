package dev.argus.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.AgentCommand;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.RecordLoss;
import dev.argus.transport.CommandSource;
import dev.argus.transport.FrameSender;
import dev.argus.transport.Poster;
import dev.argus.transport.SenderSettings;
import dev.argus.transport.ShipmentTooLargeException;
import dev.argus.transport.Spool;
import dev.argus.transport.SpoolLimits;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.ShipmentReply.Verdict;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames of agents that ship over HTTP, put into a topic. */
class KafkaGatewayTest {
    private static final long MINUTE = 60_000_000_000L;
    private static final SessionId SESSION = new SessionId(3, 4);

    @TempDir
    Path folder;

    private final AtomicLong now = new AtomicLong();
    private final NameTable names = new NameTable();
    private final FrameWriter writer = new FrameWriter(SESSION, "job", "host", names);
    private final List<byte[]> frames = new ArrayList<>();
    private volatile @Nullable RuntimeException failure;

    private final MockProducer<byte[], byte[]> topic =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                @Override
                public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
                    RuntimeException why = failure;
                    return why == null ? super.send(record) : CompletableFuture.failedFuture(why);
                }
            };

    private KafkaGateway gateway(CommandSource commands, int mostSessions) {
        KafkaAddress address = new KafkaAddress("broker:9092", "argus-frames");
        ShipmentProducer producer = new ShipmentProducer(address, () -> topic, KafkaPatience.DEFAULT);
        return new KafkaGateway(producer, MINUTE, commands, mostSessions, now::get);
    }

    private byte[] frame(int number) {
        while (frames.size() < number) {
            writer.add(new RecordLoss(0, 1, names.id("reason " + frames.size()), 1));
            frames.add(writer.frame(0, 1_790_000_000L));
            writer.stored();
        }
        return frames.get(number - 1);
    }

    private Shipment shipment(long floor, long from, List<byte[]> blocks, int... numbers) {
        List<Shipment.Numbered> numbered = new ArrayList<>();
        for (int n : numbers) {
            numbered.add(new Shipment.Numbered(n, frame(n)));
        }
        return new Shipment(SESSION, "job", "host", floor, from, true, 0, blocks, numbered);
    }

    @Test
    void whatTheBrokerHasIsSafeAndWhatIsRepeatedIsKnown() {
        KafkaGateway gateway = gateway(CommandSource.NONE, 10);
        ShipmentReply first = gateway.receive(shipment(1, 1, List.of(), 1, 2));
        assertThat(first.verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(first.received()).isEqualTo(2);
        assertThat(first.durable()).isEqualTo(2);
        ShipmentReply again = gateway.receive(shipment(1, 1, List.of(), 1, 2));
        assertThat(again.verdict()).isEqualTo(Verdict.DUPLICATE);
        ShipmentReply more = gateway.receive(shipment(1, 1, List.of(), 2, 3));
        assertThat(more.received()).isEqualTo(3);
        assertThat(topic.history()).hasSize(2);
        Shipment last = Shipment.decode(topic.history().getLast().value());
        assertThat(last.frames()).extracting(Shipment.Numbered::counter).containsExactly(3L);
        assertThat(last.from()).isEqualTo(3);
        assertThat(gateway.status().frames()).isEqualTo(3);
        assertThat(gateway.status().duplicates()).isEqualTo(3);
        assertThat(gateway.receive(shipment(4, 4, List.of())).verdict()).isEqualTo(Verdict.ACCEPTED); // a poll
        assertThat(topic.history()).hasSize(2);
    }

    @Test
    void anotherGatewayAsksForAllNamesOnceAndAgainWhenItIsTime() {
        frame(5);
        KafkaGateway gateway = gateway(CommandSource.NONE, 10);
        ShipmentReply asked = gateway.receive(shipment(3, 3, List.of(), 3));
        assertThat(asked.verdict()).isEqualTo(Verdict.NAMES_MISSING);
        assertThat(asked.at()).isEqualTo(3);
        assertThat(asked.received()).isEqualTo(2);
        assertThat(topic.history()).isEmpty();
        assertThat(gateway.receive(shipment(3, 3, List.of(writer.names()), 3)).verdict())
                .isEqualTo(Verdict.ACCEPTED);
        assertThat(Shipment.decode(topic.history().getLast().value()).names()).isNotEmpty();
        assertThat(gateway.receive(shipment(4, 4, List.of(), 4)).verdict()).isEqualTo(Verdict.ACCEPTED);
        now.addAndGet(MINUTE - 1);
        assertThat(gateway.receive(shipment(5, 5, List.of(), 5)).verdict()).isEqualTo(Verdict.ACCEPTED);
        now.addAndGet(1);
        assertThat(gateway.receive(shipment(6, 6, List.of(), 6)).verdict()).isEqualTo(Verdict.NAMES_MISSING);
        // An agent that has lost them sends without: readers count what they lack, it is not held up.
        assertThat(gateway.receive(shipment(6, 6, List.of(), 6)).verdict()).isEqualTo(Verdict.ACCEPTED);
    }

    @Test
    void holesAreToldAndWhatMustComeFirstIsAskedFor() {
        KafkaGateway gateway = gateway(CommandSource.NONE, 10);
        gateway.receive(shipment(1, 1, List.of(), 1));
        assertThat(gateway.receive(shipment(1, 4, List.of(), 4)).verdict()).isEqualTo(Verdict.REWIND);
        assertThat(gateway.receive(shipment(1, 2, List.of(), 4)).received()).isEqualTo(4);
        assertThat(gateway.status().missing()).isEqualTo(2);
        assertThat(gateway.receive(shipment(8, 8, List.of(), 8)).received()).isEqualTo(8);
        assertThat(gateway.status().missing())
                .as("what is below may be at another gateway")
                .isEqualTo(2);
    }

    @Test
    void whatIsOfAnotherSessionOrNoFrameIsRefusedAloneAndWhatIsBeforeIsTaken() {
        KafkaGateway gateway = gateway(CommandSource.NONE, 10);
        Shipment half = new Shipment(
                SESSION,
                "job",
                "host",
                1,
                1,
                false,
                0,
                List.of(),
                List.of(new Shipment.Numbered(1, frame(1)), new Shipment.Numbered(2, new byte[] {1})));
        ShipmentReply first = gateway.receive(half);
        assertThat(first.verdict()).isEqualTo(Verdict.REWIND);
        assertThat(first.received()).isEqualTo(1);
        ShipmentReply second = gateway.receive(half);
        assertThat(second.verdict()).isEqualTo(Verdict.REFUSED);
        assertThat(second.at()).isEqualTo(2);
        Shipment foreign = new Shipment(SESSION, "other", "host", 1, 2, false, 0, List.of(), List.of());
        assertThat(gateway.receive(foreign).verdict()).isEqualTo(Verdict.REFUSED);
        Shipment lies = new Shipment(
                SESSION, "job", "host", 1, 2, false, 0, List.of(), List.of(new Shipment.Numbered(2, frame(1))));
        assertThat(gateway.receive(lies).reason()).contains("another session");
        assertThat(topic.history()).hasSize(1);
    }

    @Test
    void aBrokerThatIsAwayCostsTimeAndIsCounted() {
        KafkaGateway gateway = gateway(CommandSource.NONE, 10);
        failure = new TimeoutException("away");
        ShipmentReply later = gateway.receive(shipment(1, 1, List.of(), 1));
        assertThat(later.verdict()).isEqualTo(Verdict.OVERLOADED);
        assertThat(later.durable()).isZero();
        assertThat(later.waitMillis()).isPositive();
        assertThat(gateway.way().troubles()).containsEntry("broker-away", 1L);
        assertThat(gateway.way().problem()).contains("no broker answers");
        failure = new RecordTooLargeException("no");
        assertThatThrownBy(() -> gateway.receive(shipment(1, 1, List.of(), 1)))
                .isInstanceOf(ShipmentTooLargeException.class);
        failure = null;
        assertThat(gateway.receive(shipment(1, 1, List.of(), 1)).durable()).isEqualTo(1);
        assertThat(gateway.way().problem()).isEmpty();
        assertThat(gateway.status().overloaded()).isEqualTo(1);
    }

    @Test
    void commandsReachAgentsThatShipOverHttp() {
        AgentCommand retune = new AgentCommand.Retune(5, "job", RankSet.EMPTY, 1, 1, 10);
        KafkaGateway gateway = gateway((job, host, after) -> after < 5 ? List.of(retune) : List.of(), 10);
        assertThat(gateway.receive(shipment(1, 1, List.of(), 1)).commands()).containsExactly(retune);
    }

    @Test
    void sessionsAreBoundedAndAForgottenOneGoesOn() {
        KafkaGateway gateway = gateway(CommandSource.NONE, 1);
        gateway.receive(shipment(1, 1, List.of(), 1));
        gateway.receive(new Shipment(new SessionId(9, 9), "job", "host", 1, 1, false, 0, List.of(), List.of()));
        assertThat(gateway.status().sessions()).isEqualTo(1);
        assertThat(gateway.status().forgotten()).isEqualTo(1);
        assertThat(gateway.receive(shipment(2, 2, List.of(), 2)).verdict()).isEqualTo(Verdict.NAMES_MISSING);
        assertThat(gateway.receive(shipment(2, 2, List.of(writer.names()), 2)).received())
                .isEqualTo(2);
    }

    /** An agent as it is, a gateway that is replaced now and then, names each 20 shipments: nothing lost, nothing twice, no name missing. */
    @Test
    void anAgentGoesOnWhateverGatewayItMeets() throws Exception {
        List<KafkaGateway> gateways = new CopyOnWriteArrayList<>(List.of(gateway(CommandSource.NONE, 10)));
        AtomicLong posts = new AtomicLong();
        Poster http = bytes -> {
            now.addAndGet(MINUTE / 20);
            if (posts.incrementAndGet() % 7 == 0) {
                gateways.set(0, gateway(CommandSource.NONE, 10));
            }
            failure = posts.get() % 5 == 0 ? new TimeoutException("away") : null;
            ShipmentReply reply = gateways.getFirst().receive(Shipment.decode(bytes));
            return new Poster.Answer(200, Poster.NO_WAIT, reply.encode());
        };
        SenderSettings settings = SenderSettings.of(URI.create("http://127.0.0.1:1/"), Frames.JOB, Frames.HOST, "", 1)
                .timed(Duration.ofSeconds(5), Duration.ofMillis(5), Duration.ofMillis(1), Duration.ofMillis(2))
                .sized(3, 1 << 20);
        try (Spool spool = Spool.open(folder.resolve("s"), SpoolLimits.ofDisk(1 << 20))) {
            Frames agent = new Frames(spool);
            FrameSender sender = new FrameSender(settings, spool, command -> true, http);
            sender.start();
            for (int i = 0; i < 60; i++) {
                agent.make();
                if (i % 10 == 9) {
                    Waiting.until(() -> spool.frames() == 0, "the topic has all");
                }
            }
            Waiting.until(() -> spool.frames() == 0, "the topic has all");
            sender.close();
        }
        Frames.Reader reader = new Frames.Reader();
        topic.history().forEach(r -> reader.take(r.value()));
        assertThat(reader.frames).isEqualTo(60);
        assertThat(reader.namesMissing).isZero();
        assertThat(reader.holes).isZero();
        assertThat(reader.reasons)
                .hasSize(60)
                .allSatisfy((name, times) -> assertThat(times).isEqualTo(1));
    }
}
