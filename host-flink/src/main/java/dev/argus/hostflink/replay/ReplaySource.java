package dev.argus.hostflink.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.hostflink.Arrival;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/** Plays a {@link ReplayScript} as Kafka would: partitions with positions, read side by side, taken up again where a checkpoint was taken. */
public final class ReplaySource implements Source<Arrival, ReplaySource.Partition, List<ReplaySource.Partition>> {
    private static final long serialVersionUID = 1;

    private final String script;

    /** Plays a script of this process. */
    public ReplaySource(ReplayScript script) {
        this.script = script.name();
    }

    /**
     * A partition and how far it was played.
     *
     * @param number partition
     * @param position records played
     */
    public record Partition(int number, long position) implements SourceSplit {
        @Override
        public String splitId() {
            return "partition-" + number;
        }
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<Arrival, Partition> createReader(SourceReaderContext context) {
        return new ReplayReader(ReplayScript.named(script), context.getIndexOfSubtask());
    }

    @Override
    public SplitEnumerator<Partition, List<Partition>> createEnumerator(SplitEnumeratorContext<Partition> context) {
        List<Partition> all = new ArrayList<>();
        for (int i = 0; i < ReplayScript.named(script).partitions(); i++) {
            all.add(new Partition(i, 0));
        }
        return new Assigner(context, all);
    }

    @Override
    public SplitEnumerator<Partition, List<Partition>> restoreEnumerator(
            SplitEnumeratorContext<Partition> context, List<Partition> left) {
        return new Assigner(context, left);
    }

    @Override
    public SimpleVersionedSerializer<Partition> getSplitSerializer() {
        return new Texts<>() {
            @Override
            String text(Partition p) {
                return p.number() + " " + p.position();
            }

            @Override
            Partition of(String text) {
                return partition(text);
            }
        };
    }

    @Override
    public SimpleVersionedSerializer<List<Partition>> getEnumeratorCheckpointSerializer() {
        return new Texts<>() {
            @Override
            String text(List<Partition> left) {
                return String.join(
                        "\n",
                        left.stream().map(p -> p.number() + " " + p.position()).toList());
            }

            @Override
            List<Partition> of(String text) {
                return text.lines().map(ReplaySource::partition).toList();
            }
        };
    }

    private static Partition partition(String text) {
        int space = text.indexOf(' ');
        return new Partition(Integer.parseInt(text.substring(0, space)), Long.parseLong(text.substring(space + 1)));
    }

    private abstract static class Texts<T> implements SimpleVersionedSerializer<T> {
        abstract String text(T value);

        abstract T of(String text);

        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(T value) {
            return text(value).getBytes(UTF_8);
        }

        @Override
        public T deserialize(int version, byte[] bytes) {
            return of(new String(bytes, UTF_8));
        }
    }

    /** Gives partition i to reader i modulo the readers. */
    private static final class Assigner implements SplitEnumerator<Partition, List<Partition>> {
        private final SplitEnumeratorContext<Partition> context;
        private final List<Partition> left;

        Assigner(SplitEnumeratorContext<Partition> context, List<Partition> left) {
            this.context = context;
            this.left = new ArrayList<>(left);
        }

        @Override
        public void start() {}

        @Override
        public void handleSplitRequest(int reader, @Nullable String host) {}

        @Override
        public void addSplitsBack(List<Partition> splits, int reader) {
            left.addAll(splits);
        }

        @Override
        public void addReader(int reader) {
            List<Partition> own = left.stream()
                    .filter(p -> p.number() % context.currentParallelism() == reader)
                    .toList();
            own.forEach(p -> context.assignSplit(p, reader));
            left.removeAll(own);
        }

        @Override
        public List<Partition> snapshotState(long checkpoint) {
            return List.copyOf(left);
        }

        @Override
        public void close() {}
    }
}
