package dev.argus.wire.json;

import dev.argus.model.Direction;
import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.Level;
import dev.argus.model.ParallelGroup;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes one incident or observation, as {@code argus.verdict/1} has it ({@code docs/schema/verdict-1.schema.json}). */
public final class IncidentJson {
    private static final Pattern LASTING =
            Pattern.compile("\"state\":\"[a-z]+\",(\"sinceEpochNanos\":-?[0-9]+,)\"untilEpochNanos\":null");

    private final JsonWriter json;

    /** Into a document that somebody else writes. */
    public IncidentJson(JsonWriter json) {
        this.json = json;
    }

    /** Writes it as the next value. */
    public void write(Incident incident) throws IOException {
        json.beginObject();
        judgement(incident);
        life(incident);
        suspects(incident);
        Members.steps(json, incident.firstStep(), incident.lastStep());
        Members.strings(json, "kernels", incident.kernels());
        Direction direction = incident.direction();
        json.name("direction").value(direction == null ? null : direction.text());
        texts(incident);
        json.name("cost").beginObject();
        json.name("stepRatio").value(incident.cost().stepRatio());
        json.name("gpuSeconds").value(incident.cost().gpuSeconds());
        json.name("duringRatio").value(incident.cost().duringRatio());
        if (incident.cost().upperBound()) {
            json.name("upperBound").value(true);
        }
        json.endObject().endObject();
    }

    /** A document that {@link #write} has written of an incident that lasted, as one that is over; one of another form as it is. What stands before its state holds no free text. */
    public static String resolved(String document, long untilNanos) {
        Matcher life = LASTING.matcher(document);
        return life.find()
                ? document.substring(0, life.start()) + "\"state\":\"" + IncidentState.RESOLVED.text() + "\","
                        + life.group(1) + "\"untilEpochNanos\":" + untilNanos + document.substring(life.end())
                : document;
    }

    private void judgement(Incident incident) throws IOException {
        json.name("id").value(incident.id());
        json.name("kind").value(incident.kind().text());
        json.name("scope").value(incident.scope().text());
        json.name("severity").value(incident.severity().text());
        json.name("confidence").value(incident.confidence());
        json.name("levels").beginArray();
        for (Level level : Level.values()) {
            if (incident.levels().contains(level)) {
                json.value(level.name());
            }
        }
        json.endArray();
    }

    private void life(Incident incident) throws IOException {
        json.name("state").value(incident.state().text());
        json.name("sinceEpochNanos").value(incident.sinceEpochNanos());
        Long until = incident.untilEpochNanos();
        json.name("untilEpochNanos");
        if (until == null) {
            json.nullValue();
        } else {
            json.value(until.longValue());
        }
        json.name("attempt").value(incident.attempt());
    }

    private void suspects(Incident incident) throws IOException {
        Members.ranks(json, incident.ranks());
        json.name("gpus").beginArray();
        for (GpuRef gpu : incident.gpus()) {
            json.beginObject();
            Members.natural(json, "rank", gpu.rank());
            json.name("host").value(gpu.host());
            Members.natural(json, "index", gpu.index());
            json.name("uuid").value(gpu.uuid()).endObject();
        }
        json.endArray();
        Members.strings(json, "hosts", incident.hosts());
        json.name("groups").beginArray();
        for (ParallelGroup group : incident.groups()) {
            json.beginObject().name("dimension").value(group.dimension());
            Members.ranks(json, group.ranks());
            json.endObject();
        }
        json.endArray();
    }

    private void texts(Incident incident) throws IOException {
        json.name("summary").value(incident.summary());
        json.name("explanation").value(incident.explanation());
        json.name("advice").value(incident.advice());
        json.name("evidence").beginArray();
        for (Evidence row : incident.evidence()) {
            json.beginObject().name("what").value(row.what());
            json.name("value").value(row.value());
            json.name("unit").value(row.unit());
            json.name("reference").value(row.reference());
            json.name("threshold").value(row.threshold()).endObject();
        }
        json.endArray();
    }
}
