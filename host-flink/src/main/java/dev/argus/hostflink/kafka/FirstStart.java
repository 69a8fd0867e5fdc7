package dev.argus.hostflink.kafka;

import java.util.Collection;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/** Where a job without a checkpoint begins. One whose place is gone, for retention went past it or the topic was made anew, always goes on with the oldest that is there: what is left of what it has not read is not stepped over. */
@SuppressWarnings("deprecation") // the word that Flink's interface asks for
final class FirstStart implements OffsetsInitializer {
    private static final long serialVersionUID = 1;

    private final OffsetsInitializer first;

    /** @param earliest whether it begins with the oldest frames, else with the next ones */
    FirstStart(boolean earliest) {
        this.first = earliest ? OffsetsInitializer.earliest() : OffsetsInitializer.latest();
    }

    @Override
    public Map<TopicPartition, Long> getPartitionOffsets(
            Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
        return first.getPartitionOffsets(partitions, retriever);
    }

    @Override
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
        return OffsetResetStrategy.EARLIEST;
    }
}
