package dev.argus.hostlocal.live;

import dev.argus.model.Incident;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is counted of a job beside its diagnosis: records that were lost, by reason, and what its incidents have cost.
 *
 * <p>Not thread-safe. Bounded: {@value #MOST_REASONS} reasons, the rest under one name; {@value #MOST_INCIDENTS} incidents with a price of their own, older ones are summed.
 */
public final class JobCounts {
    static final int MOST_REASONS = 64;
    static final int MOST_INCIDENTS = 4096;
    private static final String OTHER = "other";
    private static final double PER_SECOND = 1e9;

    private final Map<String, Long> losses = new TreeMap<>();
    private final Map<String, Long> priceNanos = new LinkedHashMap<>(16, 0.75f, true);
    private double pastGpuNanos;

    /** Counts what was lost; nothing where the count is not above 0. */
    public void lost(String reason, long count) {
        if (count > 0) {
            String named = losses.size() < MOST_REASONS || losses.containsKey(reason) ? reason : OTHER;
            losses.merge(named, count, Long::sum);
        }
    }

    /** What was lost, by reason; a view. */
    public Map<String, Long> losses() {
        return losses;
    }

    /** Takes what an incident has cost so far. It is only ever more: a price that is corrected downwards was said before. Held in whole nanoseconds, so that a restart changes nothing: the least fall would be read as a counter that begins anew. */
    public void price(Incident incident) {
        priceNanos.merge(incident.id(), (long) (incident.cost().gpuSeconds() * PER_SECOND), Math::max);
        if (priceNanos.size() > MOST_INCIDENTS) {
            String oldest = priceNanos.keySet().iterator().next();
            Long price = priceNanos.remove(oldest);
            pastGpuNanos += price == null ? 0 : price;
        }
    }

    /** GPU time lost by all incidents, seconds; never less than before. */
    public double lostGpuSeconds() {
        return (pastGpuNanos + priceNanos.values().stream().mapToDouble(n -> n).sum()) / PER_SECOND;
    }

    /** Appends everything. */
    public void write(WireWriter to) {
        to.writeVarint(losses.size());
        losses.forEach((reason, count) -> to.writeText(reason).writeVarint(count));
        to.writeVarint(priceNanos.size());
        priceNanos.forEach((id, nanos) -> to.writeText(id).writeVarint(nanos));
        to.writeVarint((long) pastGpuNanos);
    }

    /**
     * Takes up what was written, into counts that are empty.
     *
     * @throws dev.argus.wire.WireException if the bytes are something else
     */
    public void read(WireReader from) {
        for (int n = from.readCount(2); n > 0; n--) {
            losses.put(from.readText(), from.readVarint());
        }
        for (int n = from.readCount(2); n > 0; n--) {
            priceNanos.put(from.readText(), from.readVarint());
        }
        pastGpuNanos = from.readVarint();
    }
}
