package dev.argus.trace.export;

import dev.argus.model.Incident;
import dev.argus.trace.export.TrackPlace.Kind;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Incidents as marks on a track of their own, with what is said of them. */
final class IncidentMarks {
    private static final int FIRST = 0;

    private IncidentMarks() {}

    static void write(Timeline out, String title, List<Incident> shown) throws IOException {
        int process = out.process(title, FIRST, List.of());
        int track = out.track(new TrackPlace(process, "", title, 0, Kind.INSTANTS));
        for (Incident i : shown) {
            Map<String, String> more = new LinkedHashMap<>();
            more.put("id", i.id());
            more.put("kind", i.kind().text());
            more.put("ranks", i.ranks().toString());
            more.put("steps", i.firstStep() + " to " + i.lastStep());
            more.put("confidence", String.format(Locale.ROOT, "%.2f", i.confidence()));
            more.put(
                    "cost",
                    String.format(
                            Locale.ROOT, "%.2f %% of the step", 100 * i.cost().stepRatio()));
            more.put("advice", i.advice());
            out.instant(track, i.sinceEpochNanos(), i.kind().text() + ": " + i.summary(), more, List.of());
        }
    }
}
