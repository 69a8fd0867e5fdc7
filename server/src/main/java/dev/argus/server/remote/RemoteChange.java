package dev.argus.server.remote;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One value of the topic of incidents.
 *
 * @param job job
 * @param attempt attempt of it, that of the incident
 * @param watchedSinceNanos when the watch over the job began that says so, which tells it from others; 0 when it is not told
 * @param change what has changed
 */
record RemoteChange(String job, int attempt, long watchedSinceNanos, IncidentChange change) {
    static final String SCHEMA = "argus.incident-change/1";
    private static final int MOST_NAME_BYTES = 256;

    static RemoteChange read(JsonValue from) throws UnusableValueException {
        from.schema(SCHEMA);
        String word = from.text("change");
        IncidentChange.Kind kind = null;
        for (IncidentChange.Kind k : IncidentChange.Kind.values()) {
            if (k.name().toLowerCase(Locale.ROOT).equals(word)) {
                kind = k;
            }
        }
        if (kind == null) {
            throw from.wrong("change", "opened, changed, resolved, withdrawn or ended");
        }
        int attempt = (int) from.whole("attempt", 0, Integer.MAX_VALUE);
        Incident incident = RemoteIncident.read(from.object("incident"));
        if (incident.attempt() != attempt) {
            throw from.wrong("attempt", "that of the incident, " + incident.attempt());
        }
        return new RemoteChange(
                job(from),
                attempt,
                watchedSince(from),
                new IncidentChange(
                        kind,
                        incident,
                        from.whole("atEpochNanos", 0, Long.MAX_VALUE),
                        from.has("because") ? from.text("because") : ""));
    }

    /** Which watch over the job says so; 0 where it is not told, as writers of before did. */
    static long watchedSince(JsonValue from) throws UnusableValueException {
        return from.has("watchedSinceEpochNanos") ? from.whole("watchedSinceEpochNanos", 0, Long.MAX_VALUE) : 0;
    }

    /** The name of a job, as frames can hold it. */
    static String job(JsonValue from) throws UnusableValueException {
        String job = from.text("job");
        int bytes = job.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > MOST_NAME_BYTES) {
            throw from.wrong("job", "a name of 1 to " + MOST_NAME_BYTES + " bytes");
        }
        return job;
    }
}
