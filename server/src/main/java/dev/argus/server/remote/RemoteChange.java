package dev.argus.server.remote;

import dev.argus.hostlocal.live.IncidentChange;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One value of the topic of incidents.
 *
 * @param job job
 * @param attempt attempt of it
 * @param change what has changed
 */
record RemoteChange(String job, int attempt, IncidentChange change) {
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
        return new RemoteChange(
                job(from),
                (int) from.whole("attempt", 0, Integer.MAX_VALUE),
                new IncidentChange(
                        kind,
                        RemoteIncident.read(from.object("incident")),
                        from.whole("atEpochNanos", 0, Long.MAX_VALUE)));
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
