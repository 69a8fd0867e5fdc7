package dev.argus.server.remote;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.RankSet;
import dev.argus.server.job.JobView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One job that others diagnose, as far as they tell.
 *
 * <p>No value decides for ever. Which attempt runs, and which watch over the job is the present one, is what the newest value says, never the highest number that was ever said; and a value that is further ahead
 * than clocks differ counts as one of the moment at which it came. So what a damaged or hostile value says of them is over with the next one that is right.
 *
 * <p>Bounded: {@value #MOST_INCIDENTS} incidents, of those that are over {@value #MOST_ENDED}; what they weigh is the fleet's to bound ({@link #bytes}, {@link #giveUp}). One thread at a time.
 */
final class RemoteJob {
    static final int MOST_INCIDENTS = 512;
    static final int MOST_ENDED = 32;

    /** Given up for room: an incident that is over. */
    static final String OVER = "incident-over";

    /** Given up for room: which ranks report. */
    static final String RANKS = "ranks";

    /** Given up for room: an incident that lasts. */
    static final String OPEN = "incident-open";

    /** Metrics come each 10 s: beyond two of them who tells is late. */
    private static final long TELL_NANOS = 20_000_000_000L;

    private static final long OWN_BYTES = 1024;

    /** Clocks of brokers and of this machine may differ so much. */
    private static final long SKEW_NANOS = 60_000_000_000L;

    private static final String NOTE =
            "diagnosed elsewhere: steps, ranks, kernels and waits are not here, incidents and counts are";

    final String name;
    final long firstNanos;
    long heardNanos;
    private int attempt = -1;
    private long watchedSinceNanos;
    private long toldNanos = Long.MIN_VALUE;
    private @Nullable RemoteMetrics metrics;
    private long metricsHeardNanos;
    private boolean ranksGivenUp;
    private final Map<String, Last> incidents = new LinkedHashMap<>();
    private long incidentBytes;

    /**
     * What was said last of an incident.
     *
     * @param watchedSinceNanos watch that said so, 0 when it did not say which
     * @param heardNanos when it was said, or came where that is far ahead
     * @param bytes what it weighs
     */
    record Last(IncidentChange change, long watchedSinceNanos, long heardNanos, long bytes) {
        boolean isOver() {
            return RemoteJob.isOver(change);
        }
    }

    RemoteJob(String name, long firstNanos) {
        this.name = name;
        this.firstNanos = firstNanos;
        this.heardNanos = firstNanos;
    }

    // ---------------------------------------------------------------- in

    /**
     * Takes a change; false when it is known already.
     *
     * @param nowNanos now: a change from far ahead counts as one from now
     */
    boolean take(RemoteChange said, long nowNanos) {
        IncidentChange change = said.change();
        Last before = incidents.get(change.incident().id());
        if (before != null
                && (before.heardNanos() > change.atNanos() || before.change().equals(change))) {
            return false;
        }
        long heard = heard(change.atNanos(), nowNanos);
        if (attempt < 0 || !isOver(change)) { // what is over says nothing of what runs
            tell(said.attempt(), said.watchedSinceNanos(), heard);
        }
        put(last(change, said.watchedSinceNanos(), heard));
        trim();
        return true;
    }

    /** What was said last of an incident, weighed. */
    static Last last(IncidentChange change, long watchedSinceNanos, long heardNanos) {
        return new Last(change, watchedSinceNanos, heardNanos, OWN_BYTES + RemoteWeight.of(change.incident()));
    }

    /** Takes up what was written down. */
    void put(Last last) {
        String id = last.change().incident().id();
        Last before = incidents.remove(id);
        incidents.put(id, last);
        incidentBytes += last.bytes() - (before == null ? 0 : before.bytes());
    }

    private static long heard(long atNanos, long nowNanos) {
        return atNanos - nowNanos > SKEW_NANOS ? nowNanos : atNanos;
    }

    private void tell(int ofAttempt, long since, long heard) {
        if (ofAttempt >= 0 && heard >= toldNanos) {
            attempt = ofAttempt;
            watchedSinceNanos = since == 0 ? watchedSinceNanos : since;
            toldNanos = heard;
        }
    }

    private static boolean isOver(IncidentChange change) {
        return change.kind() == IncidentChange.Kind.WITHDRAWN
                || change.kind() == IncidentChange.Kind.ENDED
                || change.incident().state() == IncidentState.RESOLVED;
    }

    private void trim() {
        long over = incidents.values().stream().filter(Last::isOver).count();
        while (over > MOST_ENDED && drop(Last::isOver)) {
            over--;
        }
        while (incidents.size() > MOST_INCIDENTS && drop(last -> true)) {
            // the one of which nothing was said for longest
        }
    }

    /** Drops the one of which nothing was said for longest, of some. */
    private boolean drop(Predicate<Last> which) {
        for (Iterator<Last> i = incidents.values().iterator(); i.hasNext(); ) {
            Last last = i.next();
            if (which.test(last)) {
                i.remove();
                incidentBytes -= last.bytes();
                return true;
            }
        }
        return false;
    }

    /**
     * Takes metrics; false when newer ones are known.
     *
     * @param nowNanos now: what is from far ahead counts as from now
     */
    boolean take(RemoteMetrics now, long nowNanos) {
        RemoteMetrics before = metrics;
        if (before != null && (metricsHeardNanos > now.atNanos() || before.atNanos() == now.atNanos())) {
            return false;
        }
        metricsHeardNanos = heard(now.atNanos(), nowNanos);
        tell(now.attempt(), now.watchedSinceNanos(), metricsHeardNanos);
        metrics = now;
        ranksGivenUp = false;
        return true;
    }

    /** Takes up what was written down. */
    void put(@Nullable RemoteMetrics written, long heard, boolean givenUp) {
        metrics = written;
        metricsHeardNanos = heard;
        ranksGivenUp = givenUp;
    }

    // ---------------------------------------------------------------- room

    /** What it takes in memory. */
    long bytes() {
        RemoteMetrics m = metrics;
        return OWN_BYTES
                + incidentBytes
                + (m == null ? 0 : RemoteWeight.of(m) + RemoteWeight.of(m.reporting()) + RemoteWeight.of(m.silent()));
    }

    /**
     * Gives up something for room: incidents that are over, the oldest first; then which ranks report; then incidents that last, those first of which nothing was said for longest. Rows that were kept of them stay.
     *
     * @return what it was; empty when there is nothing left
     */
    String giveUp() {
        if (drop(Last::isOver)) {
            return OVER;
        }
        RemoteMetrics m = metrics;
        if (m != null && !ranksGivenUp) {
            metrics = m.withoutRanks();
            ranksGivenUp = true;
            return RANKS;
        }
        return drop(last -> true) ? OPEN : "";
    }

    // ---------------------------------------------------------------- kept, and shown

    @Nullable
    RemoteMetrics metrics() {
        return metrics;
    }

    /** When they were told, or came where that is far ahead. */
    long metricsHeardNanos() {
        return metricsHeardNanos;
    }

    /** True if which ranks report was given up for room. */
    boolean ranksGivenUp() {
        return ranksGivenUp;
    }

    Map<String, Last> incidents() {
        return incidents;
    }

    int attempt() {
        return attempt;
    }

    /** The present watch over the job, 0 when none says. */
    long watchedSinceNanos() {
        return watchedSinceNanos;
    }

    /** When that was told. */
    long toldNanos() {
        return toldNanos;
    }

    /** Takes up what was told. */
    void told(int ofAttempt, long since, long heard) {
        attempt = ofAttempt;
        watchedSinceNanos = since;
        toldNanos = heard;
    }

    /** True if nobody follows it any more: of another attempt than the one that runs, or said by a watch that has ended. */
    private boolean isFaded(Last last) {
        boolean otherWatch = last.watchedSinceNanos() != 0
                && watchedSinceNanos != 0
                && last.watchedSinceNanos() != watchedSinceNanos;
        return last.change().kind() == IncidentChange.Kind.WITHDRAWN
                || last.change().kind() == IncidentChange.Kind.ENDED
                || last.change().incident().attempt() != attempt
                || otherWatch;
    }

    /** What is known now. */
    JobView view(long nowNanos) {
        RemoteMetrics m = metrics;
        List<Incident> faults = new ArrayList<>();
        List<Incident> observations = new ArrayList<>();
        double lost = 0;
        for (Last last : incidents.values()) {
            Incident i = last.change().incident();
            lost += i.kind().isIncident() ? i.cost().gpuSeconds() : 0;
            if (!isFaded(last)) {
                (i.kind().isIncident() ? faults : observations).add(i);
            }
        }
        faults.sort(Incident.URGENT);
        observations.sort(Incident.URGENT);
        List<String> notes = new ArrayList<>(List.of(NOTE));
        if (ranksGivenUp) {
            notes.add("which ranks report is left out: all jobs together take too much memory here");
        } else if (m != null && m.guessed()) {
            notes.add("only the number of ranks that report is told, not which");
        }
        if (m != null) {
            notes.addAll(m.notes());
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
                List.of(),
                JobView.Gone.NONE);
    }
}
