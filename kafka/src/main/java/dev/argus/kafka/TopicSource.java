package dev.argus.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Values of topics, with places to go on from: {@link TopicReader}, or what stands for it. One thread. */
public interface TopicSource extends AutoCloseable {
    /**
     * The next values, in the order of each partition.
     *
     * @param wait how long to wait for the first
     * @throws IOException if none can be read at the moment; nothing is lost
     */
    List<TopicReader.Value> poll(Duration wait) throws IOException, InterruptedException;

    /** How far each partition is read, to be kept with what was made of the values that {@link #poll} gave. */
    List<ReadPosition> positions();

    /** Lines for an operator since the last call. */
    List<String> takeNotices();

    @Override
    void close();
}
