package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.stats.Robust;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Transfers of one size class in one group and step while they are collected: 8 bytes each.
 *
 * <p>Payloads vary with the length of sequences, so they are classed by eighths of an octave, and each transfer is brought to the
 * payload of its class: at most 4.4 %, as if it were all bandwidth, which is right for those that can tell anything about a link.
 */
final class TransferSample {
    /** Classes an octave. */
    private static final double CLASSES = 8;

    private double[] nanos = new double[8];
    private int count;
    private double exposed;

    /**
     * How members lie on hosts.
     *
     * @param hosts number of hosts
     * @param fewest members on the host that has fewest
     */
    record Spread(int hosts, int fewest) {
        static Spread of(JobShape shape, RankSet ranks) {
            Map<String, Integer> members = new HashMap<>();
            ranks.stream().forEach(r -> members.merge(shape.hostOf(r), 1, Integer::sum));
            int fewest = members.values().stream().mapToInt(v -> v).min().orElse(0);
            return new Spread(members.size(), fewest);
        }
    }

    /** Payload that stands for those near it; 0 for an unknown one. */
    static long sizeClass(long bytes) {
        return bytes <= 0
                ? 0
                : Math.round(Math.pow(2, Math.round(CLASSES * Math.log((double) bytes) / Math.log(2)) / CLASSES));
    }

    /** The same by whole octaves, for payloads that are never twice alike. */
    static long octave(long bytes) {
        return Long.highestOneBit(Math.max(1, bytes + bytes / 2));
    }

    /**
     * Adds one transfer.
     *
     * @param transferNanos what it took once everybody was there
     * @param bytes its payload
     * @param sizeClass the payload that stands for it
     * @param exposedNanos exposed time of its most exposed member, wait included
     */
    void add(long transferNanos, long bytes, long sizeClass, long exposedNanos) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = bytes <= 0 ? transferNanos : transferNanos * ((double) sizeClass / bytes);
        exposed += Math.min(transferNanos, exposedNanos);
    }

    /** Forgets all transfers. */
    void clear() {
        count = 0;
        exposed = 0;
    }

    TransferPartial partial(
            Spread spread,
            int attempt,
            int subject,
            RankSet ranks,
            long step,
            CollectiveOp op,
            long bytes,
            boolean complete) {
        double sum = 0;
        double shortest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            sum += nanos[i];
            shortest = Math.min(shortest, nanos[i]);
        }
        return new TransferPartial(
                attempt,
                subject,
                ranks,
                step,
                op,
                bytes,
                complete,
                spread.hosts(),
                spread.fewest(),
                count,
                sum / count,
                Robust.median(nanos, count),
                shortest,
                exposed);
    }
}
