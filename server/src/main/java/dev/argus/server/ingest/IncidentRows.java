package dev.argus.server.ingest;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.storage.Rows;
import dev.argus.wire.json.IncidentJson;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Changes of incidents as rows. */
public final class IncidentRows {
    private IncidentRows() {}

    /** The row of a change. */
    public static Rows.Incident of(String job, IncidentChange change) {
        Incident i = change.incident();
        Long until = i.untilEpochNanos();
        return new Rows.Incident(
                job,
                i.id(),
                i.attempt(),
                change.kind().name().toLowerCase(Locale.ROOT),
                change.atNanos(),
                i.kind().text(),
                i.scope().text(),
                i.severity().text(),
                i.confidence(),
                i.state().text(),
                i.sinceEpochNanos(),
                until == null ? 0 : until,
                i.firstStep(),
                i.lastStep(),
                i.cost().stepRatio(),
                i.cost().gpuSeconds(),
                i.ranks().toString(),
                String.join(",", i.hosts()),
                i.summary(),
                document(i),
                i.cost().duringRatio());
    }

    /**
     * The row that ends an incident of which no watch knows any more, so that none can say how it went on.
     *
     * @param row its newest change
     * @param untilNanos until when it is known to have lasted
     * @param nowNanos when that is noticed
     */
    static Rows.Incident ended(Rows.Incident row, long untilNanos, long nowNanos) {
        long until = Math.max(row.sinceNanos(), untilNanos);
        return new Rows.Incident(
                row.job(),
                row.id(),
                row.attempt(),
                IncidentChange.Kind.ENDED.name().toLowerCase(Locale.ROOT),
                nowNanos,
                row.kind(),
                row.scope(),
                row.severity(),
                row.confidence(),
                IncidentState.RESOLVED.text(),
                row.sinceNanos(),
                until,
                row.firstStep(),
                row.lastStep(),
                row.stepRatio(),
                row.gpuSeconds(),
                row.ranks(),
                row.hosts(),
                row.summary(),
                IncidentJson.resolved(row.document(), until),
                row.duringRatio());
    }

    private static String document(Incident incident) {
        StringBuilder out = new StringBuilder();
        try {
            new IncidentJson(new JsonWriter(out, 0)).write(incident);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringBuilder does not throw
        }
        return out.toString();
    }
}
