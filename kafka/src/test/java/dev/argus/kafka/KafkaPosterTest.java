package dev.argus.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.NameTable;
import dev.argus.transport.FrameSender;
import dev.argus.transport.Poster;
import dev.argus.transport.SenderSettings;
import dev.argus.transport.Spool;
import dev.argus.transport.SpoolLimits;
import dev.argus.transport.WayException;
import dev.argus.wire.NameBook;
import dev.argus.wire.SessionId;
import dev.argus.wire.SessionNames;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent does with a topic, over a producer that does as told. */
class KafkaPosterTest {
    private static final KafkaAddress ADDRESS = new KafkaAddress("broker:9092", "argus-frames");
    private static final KafkaPatience PATIENCE = new KafkaPatience(
            Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(60));

    @TempDir
    Path folder;

    private final List<Told> producers = new ArrayList<>();

    /** Fails each record as told, else acknowledges it. */
    private static final class Told extends MockProducer<byte[], byte[]> {
        volatile @Nullable RuntimeException failure;
        volatile int takes = Integer.MAX_VALUE;
        boolean closed;
        int tries;

        Told() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            tries++;
            RuntimeException now = record.value().length > takes ? new RecordTooLargeException("no") : failure;
            if (now == null) {
                return super.send(record);
            }
            return java.util.concurrent.CompletableFuture.failedFuture(now);
        }

        @Override
        public void close(Duration timeout) {
            closed = true;
        }
    }

    private Producer<byte[], byte[]> open() {
        Told made = new Told();
        producers.add(made);
        return made;
    }

    private KafkaPoster poster() {
        return new KafkaPoster(new ShipmentProducer(ADDRESS, this::open, PATIENCE), PATIENCE);
    }

    private static Shipment shipment(int bytes) {
        return new Shipment(
                new SessionId(1, 2),
                "job",
                "host",
                1,
                4,
                true,
                9,
                List.of(),
                List.of(new Shipment.Numbered(5, new byte[bytes]), new Shipment.Numbered(6, new byte[1])));
    }

    @Test
    void theKeyIsTheHostAndTheValueTheShipment() throws Exception {
        try (KafkaPoster poster = poster()) {
            Poster.Answer answer = poster.post(shipment(3).encode());
            ShipmentReply reply = ShipmentReply.decode(answer.body());
            assertThat(reply.received()).isEqualTo(6);
            assertThat(reply.durable()).isEqualTo(6);
            assertThat(reply.commands()).isEmpty();
            ProducerRecord<byte[], byte[]> record =
                    producers.getFirst().history().getFirst();
            assertThat(record.topic()).isEqualTo("argus-frames");
            assertThat(new String(record.key(), UTF_8)).isEqualTo("job/host");
            Shipment sent = Shipment.decode(record.value());
            assertThat(sent.frames()).extracting(Shipment.Numbered::counter).containsExactly(5L, 6L);
            assertThat(sent.from()).isEqualTo(4);
            assertThat(sent.wantsCommands()).isFalse();
            assertThat(poster.answersPolls()).isFalse();
        }
    }

    @Test
    void failuresAreSaidAndCountedAndTheClientKeptWhereItGoesOn() throws Exception {
        try (KafkaPoster poster = poster()) {
            record Case(RuntimeException failure, String trouble, String says, boolean kept) {}
            List<Case> cases = List.of(
                    new Case(new TimeoutException("expired"), "broker-away", "no broker answers", true),
                    new Case(
                            new TimeoutException("not in metadata", new UnknownTopicOrPartitionException("no")),
                            "topic-missing",
                            "have no topic argus-frames",
                            true),
                    new Case(new UnknownTopicOrPartitionException("no"), "topic-missing", "make it", true),
                    new Case(new SaslAuthenticationException("bad"), "broker-refuses-us", "password", false),
                    new Case(new TopicAuthorizationException("argus-frames"), "broker-refuses-us", "let us use", false),
                    new Case(new KafkaException("fenced"), "broker-error", "fenced", false));
            for (Case c : cases) {
                poster.post(shipment(3).encode());
                Told told = producers.getLast();
                int before = producers.size();
                told.failure = c.failure();
                assertThatThrownBy(() -> poster.post(shipment(3).encode()))
                        .isInstanceOfSatisfying(
                                WayException.class, w -> assertThat(w.trouble()).isEqualTo(c.trouble()))
                        .hasMessageContaining(c.says());
                told.failure = null;
                assertThat(told.closed).isEqualTo(!c.kept());
                poster.post(shipment(3).encode());
                assertThat(producers).hasSize(c.kept() ? before : before + 1);
            }
        }
    }

    @Test
    void whatIsTooLargeIsAnsweredAsOverHttp() throws Exception {
        try (KafkaPoster poster = poster()) {
            poster.post(shipment(3).encode());
            producers.getFirst().failure = new RecordTooLargeException("no");
            assertThat(poster.post(shipment(3).encode()).status()).isEqualTo(413);
        }
    }

    private FrameSender sender(Spool spool, KafkaPoster poster) {
        SenderSettings settings = SenderSettings.of(ADDRESS.uri(), Frames.JOB, Frames.HOST, "", 1)
                .timed(Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofMillis(10), Duration.ofMillis(40));
        return new FrameSender(settings, spool, command -> true, poster);
    }

    @Test
    void framesLeaveTheSpoolWhenTheyAreAcknowledgedAndNamesComeFirstAndAgain() throws Exception {
        KafkaPatience oftenNames = PATIENCE.withNamesEach(Duration.ofMillis(1));
        try (Spool spool = Spool.open(folder.resolve("s"), SpoolLimits.ofDisk(1 << 20))) {
            Frames frames = new Frames(spool);
            frames.make();
            frames.make();
            KafkaPoster poster = new KafkaPoster(new ShipmentProducer(ADDRESS, this::open, oftenNames), oftenNames);
            FrameSender sender = sender(spool, poster);
            sender.start();
            Waiting.until(() -> spool.frames() == 0, "the first are acknowledged");
            producers.getFirst().failure = new TimeoutException("away");
            frames.make();
            frames.make();
            Waiting.until(() -> sender.status().troubles().getOrDefault("broker-away", 0L) >= 2, "it is tried again");
            assertThat(sender.status().problem()).contains("no broker answers");
            assertThat(spool.frames()).isEqualTo(2);
            producers.getFirst().failure = null;
            Waiting.until(() -> spool.frames() == 0, "all are acknowledged");
            assertThat(sender.status().problem()).isEmpty();
            sender.close();

            Frames.Reader reader = new Frames.Reader();
            producers.getFirst().history().forEach(r -> reader.take(r.value()));
            assertThat(reader.frames).isEqualTo(4);
            assertThat(reader.namesMissing).isZero();

            // Who begins with the last record knows the names, for they were repeated.
            Frames.Reader late = new Frames.Reader();
            late.take(producers.getFirst().history().getLast().value());
            assertThat(late.frames).isPositive();
            assertThat(late.namesMissing).isZero();
        }
    }

    /** A block of long names, and a frame behind. */
    private static Shipment named(int names, int frameBytes) {
        NameTable table = new NameTable();
        SessionNames all = new SessionNames(table);
        for (int i = 0; i < names; i++) {
            all.number(table.id("long name " + i + "y".repeat(16_000)));
        }
        WireWriter block = new WireWriter();
        all.write(0, block);
        return new Shipment(
                new SessionId(1, 2),
                "job",
                "host",
                1,
                1,
                false,
                0,
                List.of(block.toByteArray()),
                List.of(new Shipment.Numbered(1, new byte[frameBytes])));
    }

    /** Names known before the frame came, and the largest record. */
    private static int[] heard(Told told) {
        NameTable table = new NameTable();
        NameBook book = new NameBook(table);
        int largest = 0;
        int known = -1;
        for (ProducerRecord<byte[], byte[]> r : told.history()) {
            Shipment s = Shipment.decode(r.value());
            s.names().forEach(b -> assertThat(book.learn(new WireReader(b))).isTrue());
            largest = Math.max(largest, r.value().length);
            known = s.frames().isEmpty() ? known : book.size();
        }
        return new int[] {known, largest};
    }

    @Test
    void manyNamesGoBeforeTheirFrameInPieces() throws Exception {
        try (KafkaPoster poster = poster()) {
            Shipment whole = named(60, 100);
            assertThat(poster.post(whole, whole.encode()).status()).isEqualTo(200);
            assertThat(heard(producers.getFirst())[0]).isEqualTo(60);
            assertThat(heard(producers.getFirst())[1])
                    .isBetween(ShipmentProducer.MOST_NAMES_BYTES / 2, ShipmentProducer.MOST_NAMES_BYTES + 20_000);
        }
    }

    /** The topic takes less than a piece of names: they are cut smaller, and no frame is given up for them. */
    @Test
    void namesFitWhateverTheTopicTakes() throws Exception {
        for (int takes : new int[] {400_000, 100_000, 40_000, 17_000}) {
            producers.clear();
            try (KafkaPoster poster = poster()) {
                poster.post(shipment(3).encode());
                Told told = producers.getFirst();
                told.clear();
                told.takes = takes;
                Shipment whole = named(60, 16_000);
                assertThat(poster.post(whole, whole.encode()).status()).isEqualTo(200);
                assertThat(heard(told)[0]).isEqualTo(60);
                assertThat(heard(told)[1]).isLessThanOrEqualTo(takes);
                // It is known from then on: only names and frames together are tried in vain again.
                told.clear();
                told.tries = 0;
                poster.post(whole, whole.encode());
                assertThat(told.tries).isLessThanOrEqualTo(told.history().size() + 1);
                assertThat(heard(told)[0]).isEqualTo(60);
            }
        }
    }

    /** What cannot be made to fit: a frame, or a single name. */
    @Test
    void aFrameThatIsTooLargeAloneIsAnsweredSo() throws Exception {
        try (KafkaPoster poster = poster()) {
            poster.post(shipment(3).encode());
            producers.getFirst().takes = 17_000;
            Shipment frame = named(2, 20_000);
            assertThat(poster.post(frame, frame.encode()).status()).isEqualTo(413);
            producers.getFirst().takes = 8_000;
            Shipment name = named(2, 100);
            assertThat(poster.post(name, name.encode()).status()).isEqualTo(413);
        }
    }

    /** All names of a session may be as many bytes as a whole shipment may have; with the frame they are more. */
    @Test
    void namesThatFillAShipmentDoNotHoldUpTheirFrame() throws Exception {
        try (KafkaPoster poster = poster()) {
            Shipment whole = named(1040, 400_000);
            byte[] encoded = whole.encode();
            assertThat(encoded.length).isGreaterThan(Shipment.MOST_BYTES);
            assertThat(poster.post(whole, encoded).status()).isEqualTo(200);
            assertThat(heard(producers.getFirst())[0]).isEqualTo(1040);
        }
    }

    @Test
    void noClientCanBeMadeIsNoReasonToGiveUp() throws IOException {
        KafkaPoster poster = new KafkaPoster(
                new ShipmentProducer(
                        ADDRESS,
                        () -> {
                            throw new IOException("the file is gone");
                        },
                        PATIENCE),
                PATIENCE);
        assertThatThrownBy(() -> poster.post(shipment(1).encode()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the file is gone");
        poster.close();
    }
}
