package dev.argus.hostflink.replay;

import dev.argus.hostflink.Arrival;
import dev.argus.hostflink.replay.ReplaySource.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/** Plays some partitions in turns of many records, each turn of a partition by chance: in another order every time, as brokers answer. */
final class ReplayReader implements SourceReader<Arrival, Partition> {
    private static final int MOST_A_TURN = 64;

    private static final class Played {
        final int number;
        long position;

        Played(Partition partition) {
            this.number = partition.number();
            this.position = partition.position();
        }
    }

    private final ReplayScript script;
    private final Random random;
    private final List<Played> partitions = new ArrayList<>();
    private CompletableFuture<Void> more = new CompletableFuture<>();
    private int turn;
    private int left;

    ReplayReader(ReplayScript script, int seed) {
        this.script = script;
        this.random = new Random(seed);
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<Arrival> output) {
        CompletableFuture<Void> goOn = script.whenGoingOn();
        boolean held = false;
        for (int tried = 0; tried < partitions.size(); tried++) {
            if (left <= 0) {
                turn = (turn + 1) % partitions.size();
                left = 1 + random.nextInt(MOST_A_TURN);
            }
            Played p = partitions.get(turn);
            Arrival next = script.get(p.number, p.position);
            if (next != null && !script.stops(next)) {
                left--;
                p.position++;
                script.count();
                output.createOutputForSplit("partition-" + p.number).collect(next, next.atMillis());
                return InputStatus.MORE_AVAILABLE;
            }
            held |= next != null;
            left = 0;
        }
        more = held ? goOn : new CompletableFuture<>(); // nothing held: all is played
        return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return more;
    }

    @Override
    public List<Partition> snapshotState(long checkpoint) {
        return partitions.stream().map(p -> new Partition(p.number, p.position)).toList();
    }

    @Override
    public void addSplits(List<Partition> splits) {
        splits.forEach(s -> partitions.add(new Played(s)));
        more.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {}
}
