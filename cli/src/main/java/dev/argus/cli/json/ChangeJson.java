package dev.argus.cli.json;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.wire.json.IncidentJson;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A change of an incident as one line of JSON, {@code argus.change/1}; the incident is as in the verdict. */
public final class ChangeJson {
    private ChangeJson() {}

    /**
     * The line, with its end.
     *
     * @param excerpt where the timeline of it will lie, or null
     */
    public static String line(String job, IncidentChange change, @Nullable Path excerpt) {
        StringBuilder out = new StringBuilder();
        try {
            JsonWriter json = new JsonWriter(out, 0);
            json.beginObject().name("schema").value("argus.change/1");
            json.name("atEpochNanos").value(change.atNanos());
            json.name("job").value(job);
            json.name("change").value(change.kind().name().toLowerCase(Locale.ROOT));
            if (!change.because().isEmpty()) {
                json.name("because").value(change.because());
            }
            if (excerpt != null) {
                json.name("excerpt").value(excerpt.toString());
            }
            json.name("incident");
            new IncidentJson(json).write(change.incident());
            json.endObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringBuilder does not throw
        }
        return out.append('\n').toString();
    }
}
