package dev.argus.server.control;

import dev.argus.hostlocal.live.ExcerptChoice;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;

/**
 * Asks agents for what was recorded around an incident that opens: its suspects and peers of theirs ({@link ExcerptChoice}).
 *
 * <p>Nothing is asked where an incident accuses no rank: there is no odd one to look at.
 */
public final class IncidentExcerpts implements FleetListener {
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
        if (incident.ranks().isEmpty()) {
            return;
        }
        RankSet known = job.reporting()
                .union(job.silent())
                .union(job.gone().ranks()); // a rank that is silent may well be recorded where it runs
        ExcerptChoice choice = ExcerptChoice.of(incident, job.shape(), known, change.atNanos());
        if (!choice.ranks().isEmpty()) {
            desk.excerpt(
                    job.job(), choice.ranks(), incident.attempt(), choice.fromNanos(), choice.toNanos(), incident.id());
        }
    }
}
