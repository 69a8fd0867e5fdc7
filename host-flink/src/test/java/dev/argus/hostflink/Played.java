package dev.argus.hostflink;

import dev.argus.hostflink.replay.ReplayScript;
import dev.argus.simulator.ShippedJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Simulated jobs as a topic of frames: hosts spread over partitions, ticks in all of them. */
final class Played {
    static final long TICK_MILLIS = 250;
    static final long BEGIN_MILLIS = 1_700_000_000_000L;
    static final long TAIL_MILLIS = 60_000;

    @SuppressWarnings("ArrayRecordComponent")
    private record One(int partition, long atMillis, byte[] bytes) {}

    private final int partitions;
    private final List<One> records = new ArrayList<>();
    private long endMillis = BEGIN_MILLIS;

    Played(int partitions) {
        this.partitions = partitions;
    }

    Played add(ShippedJob job) {
        for (ShippedJob.Shipped s : job.shipments()) {
            add(Math.floorMod(s.host().hashCode(), partitions), s.atNanos() / 1_000_000, s.bytes());
        }
        return this;
    }

    Played add(int partition, long atMillis, byte[] bytes) {
        records.add(new One(partition, atMillis, bytes));
        endMillis = Math.max(endMillis, atMillis);
        return this;
    }

    long endMillis() {
        return (endMillis + TAIL_MILLIS) / 10_000 * 10_000 + 1000;
    }

    /** The topic; all that is after a time comes so much later, as if the broker had been away. */
    ReplayScript script(long awayFrom, long awayMillis) {
        List<One> all = new ArrayList<>(records);
        for (long at = BEGIN_MILLIS; at <= endMillis(); at += TICK_MILLIS) {
            for (int p = 0; p < partitions; p++) {
                all.add(new One(p, at + p, new byte[0]));
            }
        }
        all.sort(Comparator.comparingLong(One::atMillis));
        ReplayScript script = new ReplayScript(partitions);
        for (One one : all) {
            script.add(one.partition(), one.atMillis() + (one.atMillis() > awayFrom ? awayMillis : 0), one.bytes());
        }
        return script;
    }

    ReplayScript script() {
        return script(Long.MAX_VALUE, 0);
    }
}
