package dev.argus.server.job;

import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.HostClock;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.model.Topology;
import dev.argus.server.job.JobView.AgentView;
import dev.argus.storage.Rows;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;

/** Views of jobs for tests: eight ranks on two hosts, two stages. */
@NullUnmarked // what is null there fails where it is used
public final class SampleJobs {
    /** When everything happens: 2026-11-30. */
    public static final long NOW_MILLIS = 1_796_000_000_000L;

    private static final long NANOS_A_MILLI = 1_000_000;
    private static final int RANKS = 8;

    private SampleJobs() {}

    /** A healthy job. */
    public static JobView healthy(String name) {
        return view(name, List.of());
    }

    /** A job with incidents. */
    public static JobView view(String name, List<Incident> incidents) {
        long now = NOW_MILLIS * NANOS_A_MILLI;
        Map<String, AgentView> agents = new LinkedHashMap<>();
        agents.put("n0", new AgentView("n0", RankSet.range(0, 3), now, 0, 0.01, 200 << 20, 0.004));
        agents.put("n1", new AgentView("n1", RankSet.range(4, 7), now - 2_000_000_000L, 0, 0.03, -1, Double.NaN));
        return new JobView(
                name,
                0,
                shape(),
                RANKS,
                RankSet.range(0, RANKS - 1),
                RankSet.EMPTY,
                120,
                new Rows.Step(name, 0, 120, now - 4_000_000_000L, 3_900_000_000L, 4_100_000_000L, 3, RANKS),
                List.of(
                        new Rows.Phase(name, 0, 120, "forward", 1_200_000_000L, 1_500_000_000L, 3, RANKS),
                        new Rows.Phase(name, 0, 120, "backward", 2_100_000_000L, 2_400_000_000L, 3, RANKS)),
                4_000_000_000L,
                now - 600_000_000_000L,
                now,
                0,
                false,
                false,
                incidents,
                List.of(),
                incidents.stream().mapToDouble(i -> i.cost().gpuSeconds()).sum(),
                480e9,
                List.of(),
                Map.of("ring-full", 12L),
                agents,
                List.of(
                        new HostClock(0, "n0", "n0", 0, 0, 0, 0, now, 900, 2_000, null),
                        new HostClock(0, "n1", "n0", -3_000_000, 0.5, 8_000, 0.01, now, 900, 2_000, null)),
                JobView.Gone.NONE);
    }

    /** The same job with other losses, lost time and attempt. */
    public static JobView with(JobView job, int attempt, double lost, Map<String, Long> losses) {
        return new JobView(
                job.job(),
                attempt,
                job.shape(),
                job.expected(),
                job.reporting(),
                job.silent(),
                job.newestStep(),
                job.last(),
                job.lastPhases(),
                job.usualNanos(),
                job.firstNanos(),
                job.heardNanos(),
                job.lagNanos(),
                job.standing(),
                false,
                job.incidents(),
                job.observations(),
                lost,
                job.measuredNanos(),
                job.notes(),
                losses,
                job.agents(),
                job.clocks(),
                job.gone());
    }

    /** The same job with observations. */
    public static JobView observed(JobView job, List<Incident> observations) {
        return new JobView(
                job.job(),
                job.attempt(),
                job.shape(),
                job.expected(),
                job.reporting(),
                job.silent(),
                job.newestStep(),
                job.last(),
                job.lastPhases(),
                job.usualNanos(),
                job.firstNanos(),
                job.heardNanos(),
                job.lagNanos(),
                job.standing(),
                false,
                job.incidents(),
                observations,
                job.lostGpuSeconds(),
                job.measuredNanos(),
                job.notes(),
                job.losses(),
                job.agents(),
                job.clocks(),
                job.gone());
    }

    /** The same job when all its processes are gone; {@code said} when they have said that they end. */
    public static JobView ended(JobView job, boolean said) {
        return new JobView(
                job.job(),
                job.attempt(),
                job.shape(),
                job.expected(),
                RankSet.EMPTY,
                job.silent(),
                job.newestStep(),
                job.last(),
                job.lastPhases(),
                job.usualNanos(),
                job.firstNanos(),
                job.heardNanos(),
                job.lagNanos(),
                job.standing(),
                true,
                job.incidents(),
                job.observations(),
                job.lostGpuSeconds(),
                job.measuredNanos(),
                job.notes(),
                job.losses(),
                job.agents(),
                job.clocks(),
                new JobView.Gone(job.reporting(), said, said ? "all have said so" : "killed"));
    }

    /** A job of which nothing is known but its name. */
    public static JobView unknown(String name) {
        return new JobView(
                name,
                -1,
                null,
                0,
                RankSet.EMPTY,
                RankSet.EMPTY,
                -1,
                null,
                List.of(),
                0,
                NOW_MILLIS * NANOS_A_MILLI,
                NOW_MILLIS * NANOS_A_MILLI,
                0,
                false,
                false,
                List.of(),
                List.of(),
                0,
                0,
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                JobView.Gone.NONE);
    }

    /** Two stages of four ranks. */
    public static JobShape shape() {
        Map<Integer, String> hosts = new HashMap<>();
        for (int rank = 0; rank < RANKS; rank++) {
            hosts.put(rank, "n" + rank / 4);
        }
        return new JobShape(
                0,
                RANKS,
                RankSet.range(0, RANKS - 1),
                hosts,
                Map.of(),
                Map.of(),
                new Topology(List.of(new Topology.Dimension("dp", 4), new Topology.Dimension("pp", 2)), "given"),
                List.of(),
                Map.of(),
                List.of(RankSet.range(0, 3), RankSet.range(4, 7)),
                List.of("stage 1 of 2", "stage 2 of 2"));
    }

    /** An incident that accuses one rank. */
    public static Incident incident(String id, IncidentKind kind, Severity severity, int rank) {
        return incident(id, kind, severity, RankSet.of(rank), "n" + rank / 4);
    }

    /** An incident that accuses ranks of a host. */
    public static Incident incident(String id, IncidentKind kind, Severity severity, RankSet ranks, String host) {
        return new Incident(
                id,
                kind,
                Scope.RANK,
                severity,
                0.93,
                Set.of(Level.L2),
                IncidentState.OPEN,
                (NOW_MILLIS - 30_000) * NANOS_A_MILLI,
                null,
                0,
                ranks,
                ranks.stream().mapToObj(r -> new GpuRef(r, host, r % 4, null)).toList(),
                List.of(host),
                List.of(),
                100,
                120,
                List.of(),
                null,
                "rank " + ranks + " on " + host + " computes 31 % slower",
                "all its GEMMs are longer than those of its peers",
                "drain " + host,
                List.of(
                        new Evidence("waits", 80, "%", "all waits", Double.NaN),
                        new Evidence("compute time", 400, "ms", "median of 3 ranks", 100)),
                new Cost(0.12, 81.4, 0.3));
    }
}
