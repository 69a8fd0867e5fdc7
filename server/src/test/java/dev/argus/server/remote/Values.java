package dev.argus.server.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.model.Incident;
import dev.argus.wire.json.IncidentJson;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Values of topics as whoever diagnoses writes them. */
public final class Values {
    private Values() {}

    /** A change of an incident. */
    public static byte[] change(String job, int attempt, String change, long at, Incident incident) {
        StringBuilder out = new StringBuilder();
        try {
            JsonWriter json = new JsonWriter(out, 0);
            json.beginObject().name("schema").value(RemoteChange.SCHEMA);
            json.name("job").value(job).name("attempt").value((long) attempt);
            json.name("change").value(change).name("atEpochNanos").value(at);
            json.name("incident");
            new IncidentJson(json).write(incident);
            json.name("a later version says more").beginObject().endObject().endObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString().getBytes(UTF_8);
    }

    /** Metrics; {@code more} are further members, with a comma before each. */
    public static byte[] metrics(String job, long at, int expected, int reporting, String more) {
        StringBuilder out = new StringBuilder();
        try {
            JsonWriter json = new JsonWriter(out, 0);
            json.beginObject().name("schema").value(RemoteMetrics.SCHEMA);
            json.name("job")
                    .value(job)
                    .name("attempt")
                    .value(2L)
                    .name("atEpochNanos")
                    .value(at);
            json.name("ranksExpected")
                    .value((long) expected)
                    .name("ranksReporting")
                    .value((long) reporting);
            json.name("newestStep").value(28L).name("usualStepNanos").value(200_000_000L);
            json.name("lostGpuSeconds")
                    .value(81.5)
                    .name("losses")
                    .beginObject()
                    .name("spool-full")
                    .value(3L);
            json.endObject().name("windowLagNanos").value(5L).endObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return (out.substring(0, out.length() - 1) + more + "}").getBytes(UTF_8);
    }
}
