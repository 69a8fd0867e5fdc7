package dev.argus.cli.json;

import dev.argus.model.HostClock;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.util.List;

/** Writes the clocks of hosts as a member of a verdict. What is not known is {@code null}. */
final class ClockJson {
    private ClockJson() {}

    static void write(JsonWriter json, List<HostClock> clocks) throws IOException {
        json.name("clocks").beginArray();
        for (HostClock clock : clocks) {
            write(json, clock);
        }
        json.endArray();
    }

    private static void write(JsonWriter json, HostClock clock) throws IOException {
        HostClock.Refusal refusal = clock.refusal();
        json.beginObject();
        json.name("attempt").value(clock.attempt());
        json.name("host").value(clock.host());
        json.name("reference").value(clock.isAligned() ? clock.reference() : null);
        number(json, "offsetNanos", clock, clock.offsetNanos());
        json.name("driftPpm").value(clock.isAligned() ? clock.driftPpm() : Double.NaN);
        number(json, "errorNanos", clock, clock.errorNanos());
        json.name("driftErrorPpm").value(clock.isAligned() ? clock.driftErrorPpm() : Double.NaN);
        json.name("atEpochNanos");
        if (clock.atNanos() > 0) {
            json.value(clock.atNanos());
        } else {
            json.nullValue();
        }
        number(json, "meetings", clock, clock.meetings());
        number(json, "residualNanos", clock, clock.residualNanos());
        json.name("refusal").value(refusal == null ? null : refusal.text());
        json.endObject();
    }

    private static void number(JsonWriter json, String name, HostClock clock, long value) throws IOException {
        json.name(name);
        if (clock.isAligned()) {
            json.value(value);
        } else {
            json.nullValue();
        }
    }
}
