package dev.argus.trace.export;

import dev.argus.model.Figures;
import dev.argus.model.Incident;
import dev.argus.model.NameTable;
import dev.argus.trace.export.TrackPlace.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Incidents as marks on a track of their own, with what is said of them. */
public final class IncidentMarks {
    /** Name of the process that the track is of. */
    public static final String TITLE = "incidents";

    private static final int FIRST = 0;

    private IncidentMarks() {}

    /**
     * Writes what makes a timeline of {@link PerfettoWriter} one with marks of incidents when it is put behind it; some 1 to 4 KiB an incident.
     *
     * @param incidents incidents; those of which it is not known when they began are left out
     * @param out takes the bytes; is flushed, never closed
     */
    public static void behind(OutputStream out, List<Incident> incidents) throws IOException {
        List<Incident> shown =
                incidents.stream().filter(i -> i.sinceEpochNanos() > 0).toList();
        if (shown.isEmpty()) {
            return;
        }
        try (PerfettoWriter to =
                PerfettoWriter.behind(out, new NameTable(), shown.getFirst().sinceEpochNanos())) {
            write(to, TITLE, shown);
        }
    }

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
            more.put("cost", Figures.percent(i.cost().stepRatio()) + " of the step");
            more.put("advice", i.advice());
            out.instant(track, i.sinceEpochNanos(), i.kind().text() + ": " + i.summary(), more, List.of());
        }
    }
}
