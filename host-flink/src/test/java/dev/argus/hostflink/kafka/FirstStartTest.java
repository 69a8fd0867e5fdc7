package dev.argus.hostflink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a job begins, and where one goes on whose place is gone. */
@SuppressWarnings("deprecation") // the word that Flink's interface asks for
class FirstStartTest {
    private static final OffsetsInitializer.PartitionOffsetsRetriever NOBODY_ASKS =
            new OffsetsInitializer.PartitionOffsetsRetriever() {
                @Override
                public Map<TopicPartition, Long> committedOffsets(Collection<TopicPartition> partitions) {
                    throw new AssertionError("what is committed decides nothing");
                }

                @Override
                public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
                    return Map.of(new TopicPartition("t", 0), 9L);
                }

                @Override
                public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
                    return Map.of();
                }

                @Override
                public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
                    return Map.of();
                }
            };

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFirstStartIsAsAskedForAndAPlaceThatIsGoneGoesOnWithTheOldest(boolean earliest) {
        FirstStart start = new FirstStart(earliest);
        assertThat(start.getAutoOffsetResetStrategy()).isEqualTo(OffsetResetStrategy.EARLIEST);
        List<TopicPartition> one = List.of(new TopicPartition("t", 0));
        OffsetsInitializer asked = earliest ? OffsetsInitializer.earliest() : OffsetsInitializer.latest();
        assertThat(start.getPartitionOffsets(one, NOBODY_ASKS))
                .isEqualTo(asked.getPartitionOffsets(one, NOBODY_ASKS))
                .hasSize(1);
    }
}
