package dev.argus.server.api;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.server.http.EventHub;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import dev.argus.wire.json.IncidentJson;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/**
 * What happens to jobs as live events, their data one line of JSON each.
 *
 * <pre>
 * job        {"job", "change": "appeared" or "forgotten", "summary": as in jobs}
 * step       {"job", "attempt", "step": as in steps, "phases": as in phases}
 * incident   {"job", "change": "opened", "changed", "resolved", "withdrawn" or "ended", "atEpochNanos", "incident": as in the verdict, null when it is longer than 256 KiB, "id"}
 * </pre>
 */
public final class FleetEvents implements FleetListener {
    private static final int MOST_CHARACTERS = 256 << 10;

    private final EventHub hub;

    /** Into a hub. */
    public FleetEvents(EventHub hub) {
        this.hub = hub;
    }

    /** Writes one value. */
    @FunctionalInterface
    private interface Body {
        void write(JsonWriter json) throws IOException;
    }

    private static String line(Body body) {
        StringBuilder text = new StringBuilder();
        try {
            body.write(new JsonWriter(text, 0));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    @Override
    public void appeared(JobView job) {
        job(job, "appeared");
    }

    @Override
    public void forgotten(JobView job) {
        job(job, "forgotten");
    }

    private void job(JobView job, String change) {
        hub.publish("job", job.job(), line(json -> {
            json.beginObject().name("job").value(job.job());
            json.name("change").value(change);
            json.name("summary");
            JobJson.summary(json, job);
            json.endObject();
        }));
    }

    @Override
    public void step(JobView job, Rows.Step step, List<Rows.Phase> phases) {
        hub.publish("step", job.job(), line(json -> {
            json.beginObject().name("job").value(job.job());
            json.name("attempt").value(step.attempt());
            json.name("step");
            RowJson.step(json, step);
            json.name("phases").beginArray();
            for (Rows.Phase phase : phases) {
                RowJson.phase(json, phase);
            }
            json.endArray().endObject();
        }));
    }

    @Override
    public void incident(JobView job, IncidentChange change) {
        String incident = line(json -> new IncidentJson(json).write(change.incident()));
        hub.publish("incident", job.job(), line(json -> {
            json.beginObject().name("job").value(job.job());
            json.name("change").value(change.kind().name().toLowerCase(Locale.ROOT));
            json.name("atEpochNanos").value(change.atNanos());
            json.name("id").value(change.incident().id());
            json.name("incident").json(incident.length() > MOST_CHARACTERS ? "null" : incident);
            json.endObject();
        }));
    }
}
