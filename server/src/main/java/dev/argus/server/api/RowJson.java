package dev.argus.server.api;

import dev.argus.model.Incident;
import dev.argus.storage.Rows;
import dev.argus.wire.json.JsonWriter;
import dev.argus.wire.json.Members;
import java.io.IOException;

/** Rows of the store as JSON: unknown is null, moments are whole nanoseconds since the Unix epoch. */
final class RowJson {
    /** The change of an incident that went on until its attempt was over. */
    private static final String ENDED = "ended";

    private RowJson() {}

    static void step(JsonWriter json, Rows.Step row) throws IOException {
        json.beginObject();
        json.name("step").value(row.step());
        Members.natural(json, "startEpochNanos", row.startNanos());
        Members.natural(json, "medianNanos", row.medianNanos());
        Members.natural(json, "maxNanos", row.maxNanos());
        Members.natural(json, "maxRank", row.maxRank());
        json.name("ranks").value(row.ranks());
        json.endObject();
    }

    static void phase(JsonWriter json, Rows.Phase row) throws IOException {
        json.beginObject();
        json.name("step").value(row.step());
        json.name("phase").value(row.phase());
        Members.natural(json, "medianNanos", row.medianNanos());
        Members.natural(json, "maxNanos", row.maxNanos());
        Members.natural(json, "maxRank", row.maxRank());
        json.name("ranks").value(row.ranks());
        json.endObject();
    }

    static void rankStep(JsonWriter json, Rows.RankStep row) throws IOException {
        json.beginObject();
        json.name("step").value(row.step());
        Members.natural(json, "startEpochNanos", row.startNanos());
        Members.natural(json, "durationNanos", row.durationNanos());
        Members.natural(json, "computeNanos", row.computeNanos());
        Members.natural(json, "copyNanos", row.copyNanos());
        Members.natural(json, "exposedCommNanos", row.exposedCommNanos());
        Members.natural(json, "idleNanos", row.idleNanos());
        json.endObject();
    }

    static void kernel(JsonWriter json, Rows.Kernel row) throws IOException {
        json.beginObject();
        json.name("window").value(row.window());
        json.name("kernel").value(row.kernel());
        json.name("peers").value(row.peers().isEmpty() ? null : row.peers());
        json.name("ranks").value(row.ranks());
        json.name("count").value(row.count());
        Members.natural(json, "sumNanos", row.sumNanos());
        Members.natural(json, "medianMeanNanos", row.medianMeanNanos());
        Members.natural(json, "maxMeanNanos", row.maxMeanNanos());
        Members.natural(json, "maxRank", row.maxRank());
        json.endObject();
    }

    static void attempt(JsonWriter json, Rows.Job row) throws IOException {
        json.beginObject();
        json.name("attempt").value(row.attempt());
        Members.natural(json, "firstEpochNanos", row.firstNanos());
        Members.natural(json, "heardEpochNanos", row.lastNanos());
        Members.natural(json, "ranks", row.worldSize());
        Members.natural(json, "hosts", row.hosts());
        json.name("topology").value(row.topology());
        json.endObject();
    }

    static void object(JsonWriter json, Rows.StoredObject row) throws IOException {
        json.beginObject();
        json.name("job").value(row.job());
        json.name("key").value(row.key());
        json.name("incident").value(row.incident().isEmpty() ? null : row.incident());
        json.name("kind").value(row.kind());
        json.name("bytes").value(row.bytes());
        json.name("createdEpochNanos").value(row.createdNanos());
        json.endObject();
    }

    static void incident(JsonWriter json, Rows.Incident row) throws IOException {
        json.beginObject();
        json.name("job").value(row.job());
        json.name("id").value(row.id());
        json.name("attempt").value(row.attempt());
        json.name("kind").value(row.kind());
        json.name("scope").value(row.scope());
        json.name("severity").value(row.severity());
        json.name("confidence").value(row.confidence());
        json.name("state").value(row.state());
        json.name("endedWithJob").value(row.change().equals(ENDED));
        json.name("sinceEpochNanos").value(row.sinceNanos());
        json.name("untilEpochNanos");
        if (row.untilNanos() > 0) {
            json.value(row.untilNanos());
        } else {
            json.nullValue();
        }
        Members.steps(json, row.firstStep(), row.lastStep());
        json.name("stepRatio").value(row.stepRatio());
        json.name("gpuSeconds").value(row.gpuSeconds());
        json.name("duringRatio").value(row.duringRatio());
        json.name("ranks").value(row.ranks());
        json.name("hosts").value(row.hosts());
        json.name("summary").value(row.summary());
        json.endObject();
    }

    static void change(JsonWriter json, Rows.Incident row) throws IOException {
        json.beginObject();
        json.name("change").value(row.change());
        json.name("atEpochNanos").value(row.atNanos());
        json.name("kind").value(row.kind());
        json.name("severity").value(row.severity());
        json.name("confidence").value(row.confidence());
        json.name("state").value(row.state());
        json.name("sinceEpochNanos").value(row.sinceNanos());
        Members.natural(json, "untilEpochNanos", row.untilNanos() > 0 ? row.untilNanos() : -1);
        json.name("gpuSeconds").value(row.gpuSeconds());
        json.name("duringRatio").value(row.duringRatio());
        json.name("ranks").value(row.ranks());
        json.name("summary").value(row.summary());
        json.endObject();
    }

    /** An incident of a job that is watched as a row that the store does not have yet. */
    static Rows.Incident row(String job, Incident incident) {
        Long until = incident.untilEpochNanos();
        return new Rows.Incident(
                job,
                incident.id(),
                incident.attempt(),
                "",
                0,
                incident.kind().text(),
                incident.scope().text(),
                incident.severity().text(),
                incident.confidence(),
                incident.state().text(),
                incident.sinceEpochNanos(),
                until == null ? 0 : until,
                incident.firstStep(),
                incident.lastStep(),
                incident.cost().stepRatio(),
                incident.cost().gpuSeconds(),
                incident.ranks().toString(),
                String.join(",", incident.hosts()),
                incident.summary(),
                "",
                incident.cost().duringRatio());
    }
}
