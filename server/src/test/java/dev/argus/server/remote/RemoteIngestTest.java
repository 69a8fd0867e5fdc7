package dev.argus.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.kafka.ReadPosition;
import dev.argus.kafka.TopicReader;
import dev.argus.kafka.TopicSource;
import dev.argus.model.IncidentState;
import dev.argus.server.Samples;
import dev.argus.server.ingest.MemoryStore;
import dev.argus.server.ingest.ServerClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is read and what is kept, when the store does not take everything. Without a thread, and without Kafka. */
class RemoteIngestTest {
    private static final int AT_ONCE = 10;

    private final MemoryStore store = new MemoryStore();
    private final List<TopicReader.Value> topic = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final long begin = System.currentTimeMillis() * 1_000_000L;
    private int polls;

    /** A topic of one partition; ten values at once. */
    private final class Source implements TopicSource {
        private int next;

        Source(List<ReadPosition> from) {
            next = from.isEmpty() ? 0 : (int) from.getFirst().next();
        }

        @Override
        public List<TopicReader.Value> poll(Duration wait) {
            polls++;
            int end = Math.min(topic.size(), next + AT_ONCE);
            List<TopicReader.Value> values = List.copyOf(topic.subList(next, end));
            next = end;
            return values;
        }

        @Override
        public List<ReadPosition> positions() {
            return List.of(new ReadPosition("incidents", "id", 0, next));
        }

        @Override
        public List<String> takeNotices() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    private RemoteIngest started() throws Exception {
        RemoteIngest ingest = new RemoteIngest(
                new RemoteIngest.Topics("incidents", "metrics", Source::new),
                null,
                16,
                64 << 20,
                Duration.ofSeconds(1),
                store,
                ServerClock.system(),
                Map.of(),
                problems::add);
        assertThat(ingest.restore()).isEmpty();
        return ingest;
    }

    private void put(int from, int until, int chars) {
        for (int i = from; i < until; i++) {
            topic.add(new TopicReader.Value(
                    "incidents",
                    Values.change(
                            "job",
                            2,
                            "opened",
                            begin + i,
                            Samples.incident("i" + i, IncidentState.OPEN, "x".repeat(chars)))));
        }
    }

    private List<String> kept() {
        return store.incidents().stream().map(r -> r.id()).toList();
    }

    @Test
    void whileNothingCanBeKeptNothingMoreIsReadAndNothingIsLostOrThereTwice() throws Exception {
        put(0, 100, 10);
        RemoteIngest ingest = started();
        ingest.read(Duration.ZERO);
        assertThat(ingest.checkpoint()).isTrue();
        assertThat(ingest.held()).isEmpty();
        store.full = true;
        ingest.read(Duration.ZERO);
        assertThat(ingest.checkpoint()).isFalse();
        int before = polls;
        for (int i = 0; i < 50; i++) {
            ingest.read(Duration.ZERO);
            assertThat(ingest.checkpoint()).isFalse();
        }
        assertThat(polls).isEqualTo(before);
        assertThat(ingest.held()).contains("no topic is read", "no room");
        assertThat(problems).containsExactly("nothing is kept now, and before it is nothing more is read: no room");
        store.full = false;
        assertThat(ingest.checkpoint()).isTrue();
        assertThat(ingest.held()).isEmpty();
        for (int i = 0; i < 4; i++) {
            ingest.read(Duration.ZERO);
        }
        store.full = true;
        assertThat(ingest.checkpoint()).isFalse();
        // Killed: what was read and not kept is read again.
        store.full = false;
        RemoteIngest again = started();
        for (int i = 0; i < 10; i++) {
            again.read(Duration.ZERO);
            assertThat(again.checkpoint()).isTrue();
        }
        assertThat(kept()).doesNotHaveDuplicates().hasSize(100);
    }

    /** With nothing waiting there is nothing to lose: a store that is full for the state alone holds up nobody before there is. */
    @Test
    void aCheckpointThatFailedWithoutRowsHoldsUpNothing() throws Exception {
        RemoteIngest ingest = started();
        store.full = true;
        assertThat(ingest.checkpoint()).isFalse();
        assertThat(ingest.held()).isEmpty();
        put(0, 1, 10);
        ingest.read(Duration.ZERO);
        assertThat(ingest.checkpoint()).isFalse();
        assertThat(ingest.held()).isNotEmpty();
    }

    @Test
    void manyLargeRowsAreKeptAtOnce() throws Exception {
        put(0, 40, 30_000);
        RemoteIngest ingest = started();
        int reads = 0;
        while (!ingest.isDue() && reads < 4) {
            ingest.read(Duration.ZERO);
            reads++;
        }
        assertThat(ingest.isDue()).isTrue();
        assertThat(ingest.checkpoint()).isTrue();
        assertThat(ingest.isDue()).isFalse();
    }
}
