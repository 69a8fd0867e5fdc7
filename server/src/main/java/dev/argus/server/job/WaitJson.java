package dev.argus.server.job;

import dev.argus.hostlocal.report.LiveWaits;
import dev.argus.hostlocal.report.WaitTable;
import dev.argus.wire.json.JsonWriter;
import dev.argus.wire.json.Members;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Who made whom wait as JSON: what the interface hands out of jobs that are watched, and what is kept of incidents. */
public final class WaitJson {
    /** The kind of rows in the store that hold one such table. */
    public static final String KEPT = "waits";

    private WaitJson() {}

    /** All of it as an object; empty where no step was looked at. */
    public static String kept(@Nullable LiveWaits waits) {
        if (waits == null || waits.steps() == 0) {
            return "";
        }
        StringBuilder all = new StringBuilder();
        try {
            JsonWriter json = new JsonWriter(all, 0).beginObject();
            members(json, waits);
            json.endObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringBuilder does not throw
        }
        return all.toString();
    }

    /** Writes the members of an object that is open. At most some 8,000 characters. */
    public static void members(JsonWriter json, LiveWaits waits) throws IOException {
        Members.steps(json, waits.firstStep(), waits.lastStep());
        json.name("stepsLooked").value(waits.steps());
        Members.strings(json, "columns", waits.table().columns());
        json.name("rows").beginArray();
        for (WaitTable.Row row : waits.table().rows()) {
            json.beginObject().name("late").value(row.late());
            Members.natural(json, "rank", row.rank());
            json.name("accused").value(row.accused());
            json.name("nanos").beginArray();
            for (long nanos : row.nanos()) {
                json.value(nanos);
            }
            json.endArray().endObject();
        }
        json.endArray().name("totalNanos").value(waits.table().totalNanos());
    }
}
