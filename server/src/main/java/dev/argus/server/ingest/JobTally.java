package dev.argus.server.ingest;

import dev.argus.model.AgentTick;
import dev.argus.model.Incident;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.server.job.JobView.AgentView;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is counted of a job beside its diagnosis: records missing, the agents of its hosts, what incidents have cost. One thread.
 *
 * <p>Bounded: {@value #MOST_REASONS} reasons, {@value #MOST_HOSTS} hosts, {@value #MOST_INCIDENTS} incidents with a price of their own; older ones are summed.
 */
final class JobTally {
    static final int MOST_REASONS = 64;
    static final int MOST_HOSTS = 16_384;
    static final int MOST_INCIDENTS = 4096;
    private static final String OTHER = "other";
    private static final double PER_SECOND = 1e9;

    /** A clock that is less ahead than this may just be a fast way. */
    private static final long CLOCK_NANOS = 2_000_000_000L;

    private static final class Agent {
        final TreeSet<Integer> ranks = new TreeSet<>();
        long heardNanos;
        long clockNanos;
        double cpuRatio = Double.NaN;
        long memoryBytes = -1;
        double slowerRatio = Double.NaN;
    }

    private final Map<String, Long> losses = new TreeMap<>();
    private final Map<String, Agent> agents = new HashMap<>();
    private final Map<String, Double> prices = new LinkedHashMap<>(16, 0.75f, true);
    private double pastGpuSeconds;

    void lost(String reason, long count) {
        if (count > 0) {
            String named = losses.size() < MOST_REASONS || losses.containsKey(reason) ? reason : OTHER;
            losses.merge(named, count, Long::sum);
        }
    }

    Map<String, Long> losses() {
        return losses;
    }

    private Agent agent(String host) {
        if (agents.size() >= MOST_HOSTS && !agents.containsKey(host)) {
            return new Agent();
        }
        return agents.computeIfAbsent(host, h -> new Agent());
    }

    /**
     * A frame of a host has come.
     *
     * @param madeNanos when it was made, by the clock of the host
     */
    void heard(String host, long madeNanos, long nowNanos) {
        Agent agent = agent(host);
        agent.heardNanos = nowNanos;
        long ahead = madeNanos - nowNanos;
        agent.clockNanos = ahead > CLOCK_NANOS ? ahead : 0;
    }

    void declared(String host, RankDeclaration declaration) {
        agent(host).ranks.add(declaration.rank());
    }

    void take(String host, OverheadReading reading) {
        Agent agent = agent(host);
        long nanos = reading.toNanos() - reading.fromNanos();
        agent.cpuRatio = nanos > 0 && reading.cpuNanos() >= 0 ? (double) reading.cpuNanos() / nanos : Double.NaN;
        agent.memoryBytes = reading.memoryBytes();
        agent.slowerRatio = reading.slowerRatio();
    }

    /** A heartbeat; what it says of the clock is also in the head of its frame. */
    void take(String host, AgentTick tick) {
        agent(host);
    }

    /** A new attempt: who runs where is said anew. */
    void begin() {
        agents.values().forEach(a -> a.ranks.clear());
    }

    Map<String, AgentView> agents() {
        Map<String, AgentView> views = new HashMap<>();
        agents.forEach((host, a) -> views.put(
                host,
                new AgentView(
                        host,
                        RankSet.of(a.ranks.stream().mapToInt(r -> r)),
                        a.heardNanos,
                        a.clockNanos,
                        a.cpuRatio,
                        a.memoryBytes,
                        a.slowerRatio)));
        return views;
    }

    /** What an incident has cost so far. It is only ever more: a price that is corrected downwards was said before. */
    void price(Incident incident) {
        prices.merge(incident.id(), incident.cost().gpuSeconds(), Math::max);
        if (prices.size() > MOST_INCIDENTS) {
            String oldest = prices.keySet().iterator().next();
            Double price = prices.remove(oldest);
            pastGpuSeconds += price == null ? 0 : price;
        }
    }

    /** GPU time lost by all incidents, seconds; never less than before. */
    double lostGpuSeconds() {
        return pastGpuSeconds + prices.values().stream().mapToDouble(d -> d).sum();
    }

    void write(WireWriter to) {
        to.writeVarint(losses.size());
        losses.forEach((reason, count) -> to.writeText(reason).writeVarint(count));
        to.writeVarint(prices.size());
        prices.forEach((id, price) -> to.writeText(id).writeVarint((long) (price * PER_SECOND)));
        to.writeVarint((long) (pastGpuSeconds * PER_SECOND));
    }

    void read(WireReader from) {
        for (int n = from.readCount(2); n > 0; n--) {
            losses.put(from.readText(), from.readVarint());
        }
        for (int n = from.readCount(2); n > 0; n--) {
            prices.put(from.readText(), from.readVarint() / PER_SECOND);
        }
        pastGpuSeconds = from.readVarint() / PER_SECOND;
    }
}
