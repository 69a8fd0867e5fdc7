package dev.argus.server.ingest;

import dev.argus.hostlocal.live.JobCounts;
import dev.argus.model.AgentTick;
import dev.argus.model.Incident;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.server.job.JobView.AgentView;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is counted of a job beside its diagnosis: records missing, the agents of its hosts, what incidents have cost. One thread.
 *
 * <p>Bounded: {@link JobCounts}, and {@value #MOST_HOSTS} hosts.
 */
final class JobTally {
    static final int MOST_HOSTS = 16_384;

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

    private final JobCounts counts = new JobCounts();
    private final Map<String, Agent> agents = new HashMap<>();

    void lost(String reason, long count) {
        counts.lost(reason, count);
    }

    Map<String, Long> losses() {
        return counts.losses();
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

    /** Ranks on hosts of whose agents nothing was heard since a time, but those that other hosts have, too. */
    RankSet unheard(long sinceNanos) {
        TreeSet<Integer> silent = new TreeSet<>();
        agents.values().stream().filter(a -> a.heardNanos < sinceNanos).forEach(a -> silent.addAll(a.ranks));
        if (!silent.isEmpty()) {
            agents.values().stream().filter(a -> a.heardNanos >= sinceNanos).forEach(a -> silent.removeAll(a.ranks));
        }
        return RankSet.of(silent);
    }

    void price(Incident incident) {
        counts.price(incident);
    }

    double lostGpuSeconds() {
        return counts.lostGpuSeconds();
    }

    void write(WireWriter to) {
        counts.write(to);
        to.writeVarint(agents.size());
        new TreeMap<>(agents).forEach((host, a) -> {
            to.writeText(host).writeSigned(a.heardNanos).writeVarint(a.ranks.size());
            a.ranks.forEach(to::writeVarint);
        });
    }

    /** Who was not heard before is not heard by being read again; the clock may have gone back. */
    void read(WireReader from, long nowNanos) {
        counts.read(from);
        for (int n = from.readCount(3); n > 0; n--) {
            Agent a = agent(from.readText());
            a.heardNanos = Math.min(from.readSigned(), nowNanos);
            for (int m = from.readCount(1); m > 0; m--) {
                a.ranks.add(from.readInt());
            }
        }
    }
}
