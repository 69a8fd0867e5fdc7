package dev.argus.server.control;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;
import java.util.Comparator;

/**
 * Asks agents for what was recorded around an incident that opens: its suspects and two of the ranks that do the same work, from before its beginning until now.
 *
 * <p>Nothing is asked where an incident accuses no rank: there is no odd one to look at.
 */
public final class IncidentExcerpts implements FleetListener {
    static final int MOST_SUSPECTS = 6;
    static final int PEERS = 2;
    static final long BEFORE_NANOS = 5_000_000_000L;
    static final long LONGEST_NANOS = 60_000_000_000L;

    private final CommandDesk desk;

    /** @param desk where agents get their commands */
    public IncidentExcerpts(CommandDesk desk) {
        this.desk = desk;
    }

    @Override
    public void incident(JobView job, IncidentChange change) {
        if (change.kind() != IncidentChange.Kind.OPENED
                || !change.incident().kind().isIncident()) {
            return;
        }
        Incident incident = change.incident();
        RankSet ranks = ranks(job, incident);
        if (ranks.isEmpty()) {
            return;
        }
        long now = change.atNanos();
        long since = incident.sinceEpochNanos() > 0 ? Math.min(now, incident.sinceEpochNanos()) : now;
        long from = Math.max(since - BEFORE_NANOS, now - LONGEST_NANOS);
        desk.excerpt(job.job(), ranks, incident.attempt(), Math.max(0, from), now, incident.id());
    }

    /** Suspects and peers of theirs: of the same work where that is known, else the next ranks. */
    static RankSet ranks(JobView job, Incident incident) {
        RankSet accused = incident.ranks();
        if (accused.isEmpty()) {
            return RankSet.EMPTY;
        }
        RankSet suspects = RankSet.of(accused.stream().limit(MOST_SUSPECTS));
        int middle = suspects.get(suspects.size() / 2);
        RankSet same = RankSet.EMPTY;
        if (job.shape() != null) {
            int set = job.shape().peerSetOf(middle);
            same = set < 0 ? RankSet.EMPTY : job.shape().peerSets().get(set).minus(accused);
        }
        RankSet from = same.isEmpty() ? job.reporting().minus(accused) : same;
        RankSet peers = RankSet.of(from.stream()
                .boxed()
                .sorted(Comparator.comparingInt((Integer r) -> Math.abs(r - middle)))
                .limit(PEERS)
                .mapToInt(r -> r));
        return suspects.union(peers);
    }
}
