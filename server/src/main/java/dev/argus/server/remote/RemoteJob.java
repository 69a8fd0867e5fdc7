package dev.argus.server.remote;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.RankSet;
import dev.argus.server.job.JobView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One job that others diagnose, as far as they tell. Bounded: {@value #MOST_INCIDENTS} incidents, of those that are over {@value #MOST_ENDED}. One thread at a time. */
final class RemoteJob {
    static final int MOST_INCIDENTS = 512;
    static final int MOST_ENDED = 32;

    /** Metrics come each 10 s: beyond two of them who tells is late. */
    private static final long TELL_NANOS = 20_000_000_000L;

    private static final String NOTE =
            "diagnosed elsewhere: steps, ranks, kernels and waits are not here, incidents and counts are";

    final String name;
    final long firstNanos;
    long heardNanos;
    private int attempt = -1;
    private @Nullable RemoteMetrics metrics;
    private byte[] metricsBytes = new byte[0];
    private final Map<String, Last> incidents = new LinkedHashMap<>();

    /** What was said last of an incident, and when. */
    record Last(Incident incident, IncidentChange.Kind kind, long atNanos) {}

    RemoteJob(String name, long firstNanos) {
        this.name = name;
        this.firstNanos = firstNanos;
        this.heardNanos = firstNanos;
    }

    /** Takes a change; false when it is known already. */
    boolean take(int ofAttempt, IncidentChange change) {
        Incident incident = change.incident();
        Last before = incidents.get(incident.id());
        if (before != null
                && (before.atNanos() > change.atNanos()
                        || (before.atNanos() == change.atNanos()
                                && before.kind() == change.kind()
                                && before.incident().equals(incident)))) {
            return false;
        }
        attempt = Math.max(attempt, ofAttempt);
        incidents.remove(incident.id());
        incidents.put(incident.id(), new Last(incident, change.kind(), change.atNanos()));
        trim();
        return true;
    }

    private static boolean isOver(Last last) {
        return last.kind() == IncidentChange.Kind.WITHDRAWN
                || last.kind() == IncidentChange.Kind.ENDED
                || last.incident().state() == IncidentState.RESOLVED;
    }

    private void trim() {
        long over = incidents.values().stream().filter(RemoteJob::isOver).count();
        for (Iterator<Last> i = incidents.values().iterator(); i.hasNext() && over > MOST_ENDED; ) {
            if (isOver(i.next())) {
                i.remove();
                over--;
            }
        }
        for (Iterator<Last> i = incidents.values().iterator(); incidents.size() > MOST_INCIDENTS; ) {
            i.next();
            i.remove();
        }
    }

    /**
     * Takes metrics; false when newer ones are known.
     *
     * @param bytes the value they were read from
     */
    boolean take(RemoteMetrics now, byte[] bytes) {
        RemoteMetrics before = metrics;
        if (before != null && before.atNanos() >= now.atNanos()) {
            return false;
        }
        attempt = Math.max(attempt, now.attempt());
        metrics = now;
        metricsBytes = bytes;
        return true;
    }

    @Nullable
    RemoteMetrics metrics() {
        return metrics;
    }

    byte[] metricsBytes() {
        return metricsBytes;
    }

    Map<String, Last> incidents() {
        return incidents;
    }

    int attempt() {
        return attempt;
    }

    void attempt(int restored) {
        attempt = restored;
    }

    /** What is known now. */
    JobView view(long nowNanos) {
        RemoteMetrics m = metrics;
        List<Incident> faults = new ArrayList<>();
        List<Incident> observations = new ArrayList<>();
        double lost = 0;
        for (Last last : incidents.values()) {
            Incident i = last.incident();
            boolean faded = last.kind() == IncidentChange.Kind.WITHDRAWN
                    || last.kind() == IncidentChange.Kind.ENDED
                    || i.attempt() < attempt;
            lost += i.kind().isIncident() ? i.cost().gpuSeconds() : 0;
            if (!faded) {
                (i.kind().isIncident() ? faults : observations).add(i);
            }
        }
        Comparator<Incident> costly = Comparator.comparingDouble(
                        (Incident i) -> -i.cost().gpuSeconds())
                .thenComparing(Incident::id);
        faults.sort(costly);
        observations.sort(costly);
        List<String> notes = new ArrayList<>(List.of(NOTE));
        if (m != null && m.guessed()) {
            notes.add("only the number of ranks that report is told, not which");
        }
        return new JobView(
                name,
                attempt,
                null,
                m == null ? 0 : m.expected(),
                m == null ? RankSet.EMPTY : m.reporting(),
                m == null ? RankSet.EMPTY : m.silent(),
                m == null ? -1 : m.newestStep(),
                null,
                List.of(),
                m == null ? 0 : m.usualNanos(),
                firstNanos,
                heardNanos,
                m == null ? 0 : m.lagNanos() + Math.max(0, nowNanos - m.atNanos() - TELL_NANOS),
                m != null && m.standing(),
                false,
                faults,
                observations,
                m == null ? lost : m.lostGpuSeconds(),
                m == null ? 0 : m.measuredNanos(),
                notes,
                m == null ? Map.of() : m.losses(),
                Map.of(),
                List.of());
    }
}
