package dev.argus.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.transport.WayException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** From where topics are read, over a consumer that does as told. */
class TopicReaderTest {
    private static final String TOPIC = "argus-incidents";
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final KafkaAddress ADDRESS = new KafkaAddress("broker:9092", TOPIC);

    private final AtomicLong now = new AtomicLong();
    private final Map<String, TopicState> there = new HashMap<>(Map.of(TOPIC, new TopicState("id1", 2)));
    private final List<MockConsumer<byte[], byte[]>> consumers = new ArrayList<>();

    private final TopicReader.Clients clients = new TopicReader.Clients() {
        @Override
        public Consumer<byte[], byte[]> open() {
            MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
            Map<TopicPartition, Long> begin = new HashMap<>();
            for (int i = 0; i < 4; i++) {
                begin.put(new TopicPartition(TOPIC, i), 0L);
            }
            consumer.updateBeginningOffsets(begin);
            consumers.add(consumer);
            return consumer;
        }

        @Override
        public Map<String, TopicState> describe(Collection<String> topics) {
            return there;
        }

        @Override
        public void close() {}
    };

    private TopicReader reader(List<ReadPosition> from) {
        return new TopicReader(ADDRESS, List.of(TOPIC), clients, now::get, from);
    }

    private void put(int partition, long offset, String value) {
        consumers
                .getLast()
                .addRecord(
                        new ConsumerRecord<>(TOPIC, partition, offset, "job".getBytes(UTF_8), value.getBytes(UTF_8)));
    }

    private static List<String> texts(List<TopicReader.Value> values) {
        return values.stream().map(v -> new String(v.value(), UTF_8)).toList();
    }

    @Test
    void readsFromTheBeginningAndGoesOnWhereItWas() throws Exception {
        List<ReadPosition> positions;
        try (TopicReader reader = reader(List.of())) {
            assertThat(reader.poll(SHORT)).isEmpty();
            put(0, 0, "a");
            put(1, 0, "b");
            put(0, 1, "c");
            assertThat(texts(reader.poll(SHORT))).containsExactlyInAnyOrder("a", "b", "c");
            positions = reader.positions();
            assertThat(positions)
                    .containsExactlyInAnyOrder(
                            new ReadPosition(TOPIC, "id1", 0, 2), new ReadPosition(TOPIC, "id1", 1, 1));
        }
        try (TopicReader reader = reader(positions)) {
            reader.poll(SHORT);
            assertThat(consumers.getLast().position(new TopicPartition(TOPIC, 0)))
                    .isEqualTo(2);
            put(0, 2, "d");
            assertThat(texts(reader.poll(SHORT))).containsExactly("d");
        }
    }

    @Test
    void partitionsThatAreAddedAreFound() throws Exception {
        try (TopicReader reader = reader(List.of())) {
            reader.poll(SHORT);
            there.put(TOPIC, new TopicState("id1", 3));
            reader.poll(SHORT);
            assertThat(consumers.getLast().assignment()).hasSize(2);
            now.addAndGet(TimeUnit.SECONDS.toNanos(TopicReader.LOOK_SECONDS));
            reader.poll(SHORT);
            assertThat(consumers.getLast().assignment()).hasSize(3);
        }
    }

    @Test
    void aTopicThatDisappearsIsSaidCountedAndReadOnWhenItIsTheSame() throws Exception {
        try (TopicReader reader = reader(List.of(new ReadPosition(TOPIC, "id1", 0, 5)))) {
            TopicState state = there.remove(TOPIC);
            assertThat(reader.poll(SHORT)).isEmpty();
            assertThat(reader.absent()).containsExactly(TOPIC);
            assertThat(reader.troubles()).containsEntry("topic-missing", 1L);
            assertThat(reader.takeNotices()).hasSize(1).first().asString().contains("have no topic " + TOPIC);
            there.put(TOPIC, state);
            now.addAndGet(TimeUnit.SECONDS.toNanos(TopicReader.LOOK_SECONDS));
            reader.poll(SHORT);
            assertThat(reader.takeNotices()).containsExactly("topic " + TOPIC + " is there again");
            assertThat(consumers.getLast().position(new TopicPartition(TOPIC, 0)))
                    .isEqualTo(5);
        }
    }

    @Test
    void aTopicThatWasMadeAnewIsReadFromItsBeginning() throws Exception {
        there.put(TOPIC, new TopicState("id2", 2));
        try (TopicReader reader = reader(List.of(new ReadPosition(TOPIC, "id1", 0, 5)))) {
            assertThatThrownBy(() -> reader.poll(SHORT)).isInstanceOf(WayException.class);
            assertThat(reader.troubles()).containsEntry(TopicReader.TOPIC_ANEW, 1L);
            reader.poll(SHORT);
            assertThat(consumers.getLast().position(new TopicPartition(TOPIC, 0)))
                    .isZero();
            assertThat(reader.positions()).isEmpty();
        }
    }

    /** Made anew between two looks, and already as long as the old one: what was stepped over is read when the id is seen. */
    @Test
    void aTopicMadeAnewBetweenTwoLooksIsReadFromItsBeginningAllTheSame() throws Exception {
        TopicPartition zero = new TopicPartition(TOPIC, 0);
        try (TopicReader reader = reader(List.of())) {
            reader.poll(SHORT);
            put(0, 0, "a");
            put(0, 1, "b");
            reader.poll(SHORT);
            there.put(TOPIC, new TopicState("id2", 2));
            put(0, 2, "of the new one");
            assertThat(texts(reader.poll(SHORT))).containsExactly("of the new one");
            now.addAndGet(TimeUnit.SECONDS.toNanos(TopicReader.LOOK_SECONDS));
            assertThatThrownBy(() -> reader.poll(SHORT)).isInstanceOf(WayException.class);
            reader.poll(SHORT);
            assertThat(consumers.getLast().position(zero)).isZero();
            put(0, 0, "first of the new one");
            assertThat(texts(reader.poll(SHORT))).containsExactly("first of the new one");
            assertThat(reader.positions()).containsExactly(new ReadPosition(TOPIC, "id2", 0, 1));
            assertThat(reader.takeNotices()).anyMatch(n -> n.contains("was made anew"));
        }
    }

    /** Made anew between two looks, and shorter: the brokers say so at once. */
    @Test
    void aTopicMadeAnewBetweenTwoLooksThatIsShorterIsSeenAtOnce() throws Exception {
        TopicPartition zero = new TopicPartition(TOPIC, 0);
        try (TopicReader reader = reader(List.of(new ReadPosition(TOPIC, "id1", 0, 500)))) {
            reader.poll(SHORT);
            there.put(TOPIC, new TopicState("id2", 2));
            consumers.getLast().setPollException(new OffsetOutOfRangeException(Map.of(zero, 500L)));
            assertThat(reader.poll(SHORT)).isEmpty();
            assertThatThrownBy(() -> reader.poll(SHORT)).isInstanceOf(WayException.class);
            reader.poll(SHORT);
            assertThat(consumers.getLast().position(zero)).isZero();
            assertThat(reader.troubles())
                    .containsEntry(TopicReader.POSITION_GONE, 1L)
                    .containsEntry(TopicReader.TOPIC_ANEW, 1L);
        }
    }

    @Test
    void wherePositionsAreGoneItGoesOnWithTheOldest() throws Exception {
        TopicPartition gone = new TopicPartition(TOPIC, 0);
        try (TopicReader reader = reader(List.of(new ReadPosition(TOPIC, "id1", 0, 5)))) {
            reader.poll(SHORT);
            consumers.getLast().setPollException(new OffsetOutOfRangeException(Map.of(gone, 5L)));
            assertThat(reader.poll(SHORT)).isEmpty();
            assertThat(reader.troubles()).containsEntry(TopicReader.POSITION_GONE, 1L);
            assertThat(reader.takeNotices()).hasSize(1);
            reader.poll(SHORT);
            assertThat(consumers.getLast().position(gone)).isZero();
        }
    }

    @Test
    void failuresOfBrokersAreSaidAndNothingIsLost() throws Exception {
        try (TopicReader reader = reader(List.of())) {
            reader.poll(SHORT);
            put(0, 0, "a");
            reader.poll(SHORT);
            consumers.getLast().setPollException(new TimeoutException("away"));
            assertThatThrownBy(() -> reader.poll(SHORT)).isInstanceOf(IOException.class);
            assertThat(consumers).hasSize(1);
            consumers.getLast().setPollException(new KafkaException("broken"));
            assertThatThrownBy(() -> reader.poll(SHORT)).hasMessageContaining("broken");
            assertThat(reader.troubles()).containsEntry("broker-away", 1L).containsEntry("broker-error", 1L);
            reader.poll(SHORT);
            assertThat(consumers).hasSize(2);
            assertThat(consumers.getLast().position(new TopicPartition(TOPIC, 0)))
                    .isEqualTo(1);
        }
    }
}
