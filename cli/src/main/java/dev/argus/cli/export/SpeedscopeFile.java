package dev.argus.cli.export;

import dev.argus.trace.export.StackExport;
import dev.argus.trace.export.StackExport.Weighted;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes profiles for speedscope.app, one a thread. Frames stand behind the profiles, so that only their names are kept.
 */
public final class SpeedscopeFile implements StackExport.Sink {
    private final Writer text;
    private final JsonWriter out;
    private final Map<String, Integer> frames = new LinkedHashMap<>();

    /** Begins a file; the writer is flushed at the end, never closed. */
    public SpeedscopeFile(Writer text) throws IOException {
        this.text = text;
        this.out = new JsonWriter(text, 2);
        out.beginObject();
        out.name("$schema").value("https://www.speedscope.app/file-format-schema.json");
        out.name("exporter").value("argus");
        out.name("profiles").beginArray();
    }

    @Override
    public void profile(String process, String thread, boolean nanos, List<Weighted> stacks) throws IOException {
        out.beginObject().name("type").value("sampled");
        out.name("name").value(thread.isEmpty() ? process : process + " " + thread);
        out.name("unit").value(nanos ? "nanoseconds" : "none");
        out.name("startValue").value(0);
        out.name("endValue").value(stacks.stream().mapToLong(Weighted::weight).sum());
        out.name("samples").beginArray();
        for (Weighted stack : stacks) {
            out.beginArray();
            for (String frame : stack.frames()) {
                out.value(frames.computeIfAbsent(frame, f -> frames.size()));
            }
            out.endArray();
        }
        out.endArray();
        out.name("weights").beginArray();
        for (Weighted stack : stacks) {
            out.value(stack.weight());
        }
        out.endArray().endObject();
    }

    /** Writes the frames and ends the file. */
    public void end() throws IOException {
        out.endArray();
        out.name("shared").beginObject().name("frames").beginArray();
        for (String frame : frames.keySet()) {
            out.beginObject().name("name").value(frame).endObject();
        }
        out.endArray().endObject().endObject();
        text.write('\n');
        text.flush();
    }
}
