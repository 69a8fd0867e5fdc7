package dev.argus.cli.export;

import dev.argus.model.NameTable;
import dev.argus.trace.export.SliceDetail;
import dev.argus.trace.export.Slices;
import dev.argus.trace.export.Timeline;
import dev.argus.trace.export.TrackPlace;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the Trace Event Format of Chrome: complete events in microseconds since {@code baseTimeNanoseconds}, so that binary64 keeps
 * every nanosecond of 100 days. Each lane is a thread of its own, for viewers drop what overlaps on one.
 *
 * <p>Arrows: the first to be written of a collective's slices begins its flow. Of {@value #MAX_FLOWS} flows it is remembered that they have
 * begun; later ones have no arrows. Memory: that, and nothing else that grows.
 */
public final class ChromeTimeline implements Timeline {
    private static final int MAX_FLOWS = 1 << 18;

    private final Writer text;
    private final JsonWriter out;
    private final NameTable names;
    private final long baseNanos;
    private final Set<Long> begun = new HashSet<>();
    private final Map<String, String> about = new LinkedHashMap<>();
    private int processes;
    private int tracks;
    private long slices;

    private record Lane(int process, String name, boolean counter) {}

    private final Map<Integer, Lane> lanes = new LinkedHashMap<>();

    /**
     * Begins a file.
     *
     * @param text takes the text; is flushed, never closed
     * @param names names of the slices
     * @param baseNanos time 0 of the file, nanoseconds since the Unix epoch
     */
    public ChromeTimeline(Writer text, NameTable names, long baseNanos) throws IOException {
        this.text = text;
        this.out = new JsonWriter(text, 2);
        this.names = names;
        this.baseNanos = baseNanos;
        out.beginObject();
        out.name("displayTimeUnit").value("ns");
        out.name("baseTimeNanoseconds").value(baseNanos);
        out.name("traceEvents").beginArray();
    }

    /** Slices written so far. */
    public long slices() {
        return slices;
    }

    @Override
    public void about(String key, String value) {
        about.put(key, value);
    }

    @Override
    public int process(String name, int order, List<String> labels) throws IOException {
        processes++;
        told("process_name", processes, 0, "name", name);
        told("process_labels", processes, 0, "labels", String.join(", ", labels));
        sorted("process_sort_index", processes, 0, order);
        return processes;
    }

    private void told(String kind, int process, int track, String key, String value) throws IOException {
        meta(kind, process, track);
        out.name(key).value(value).endObject().endObject();
    }

    private void sorted(String kind, int process, int track, int order) throws IOException {
        meta(kind, process, track);
        out.name("sort_index").value(order).endObject().endObject();
    }

    private void meta(String kind, int process, int track) throws IOException {
        out.beginObject().name("ph").value("M").name("name").value(kind);
        out.name("pid").value(process).name("tid").value(track);
        out.name("args").beginObject();
    }

    @Override
    public int track(TrackPlace place) throws IOException {
        tracks++;
        int process = Math.max(0, place.process());
        String name = place.group().isEmpty() ? place.name() : place.group() + " " + place.name();
        boolean counter = place.kind() == TrackPlace.Kind.NANOS || place.kind() == TrackPlace.Kind.VALUES;
        lanes.put(tracks, new Lane(process, name, counter));
        if (!counter) {
            told("thread_name", process, tracks, "name", name);
            sorted("thread_sort_index", process, tracks, place.order());
        }
        return tracks;
    }

    @Override
    public long slices(TrackPlace place, Slices all) throws IOException {
        long placed = 0;
        for (int[] lane : all.lanes()) {
            int track = track(place);
            lanes.remove(track);
            for (int i : lane) {
                event("X", Math.max(0, place.process()), track, names.name(all.name(i)), all.start(i));
                out.name("dur").value(all.duration(i) / 1e3);
                SliceDetail detail = all.detail(i);
                if (detail != null) {
                    detail(detail);
                }
                out.endObject();
            }
            placed += lane.length;
        }
        slices += placed;
        return all.count() - placed;
    }

    private void event(String kind, int process, int track, String name, long nanos) throws IOException {
        out.beginObject()
                .name("ph")
                .value(kind)
                .name("cat")
                .value("argus")
                .name("name")
                .value(name);
        out.name("pid").value(process).name("tid").value(track);
        out.name("ts").value((nanos - baseNanos) / 1e3);
    }

    private void detail(SliceDetail detail) throws IOException {
        boolean known = begun.contains(detail.flow());
        if (detail.flow() != 0 && (known || begun.size() < MAX_FLOWS)) {
            begun.add(detail.flow());
            out.name("bind_id").value("0x" + Long.toHexString(detail.flow()));
            out.name("flow_out").value(true);
            if (known) {
                out.name("flow_in").value(true);
            }
        }
        out.name("args").beginObject();
        out.name("op").value(detail.op());
        if (!detail.group().isEmpty()) {
            out.name("group").value(detail.group());
        }
        if (detail.sequence() >= 0) {
            out.name("sequence").value(detail.sequence());
        }
        if (detail.bytes() >= 0) {
            out.name("bytes").value(detail.bytes());
        }
        out.endObject();
    }

    @Override
    public void instant(int track, long nanos, String name, Map<String, String> more, List<String> frames)
            throws IOException {
        Lane lane = lanes.getOrDefault(track, new Lane(0, "", false));
        event("i", lane.process, track, name, nanos);
        out.name("s").value("p");
        out.name("args").beginObject();
        for (Map.Entry<String, String> e : more.entrySet()) {
            out.name(e.getKey()).value(e.getValue());
        }
        if (!frames.isEmpty()) {
            out.name("stack").beginArray();
            for (String frame : frames) {
                out.value(frame);
            }
            out.endArray();
        }
        out.endObject().endObject();
    }

    @Override
    public void counter(int track, long nanos, double value) throws IOException {
        Lane lane = lanes.getOrDefault(track, new Lane(0, "", true));
        event("C", lane.process, track, lane.name, nanos);
        out.name("args").beginObject().name("value").value(value).endObject().endObject();
    }

    @Override
    public void close() throws IOException {
        out.endArray();
        out.name("otherData").beginObject();
        for (Map.Entry<String, String> e : about.entrySet()) {
            out.name(e.getKey()).value(e.getValue());
        }
        out.endObject().endObject();
        text.write('\n');
        text.flush();
    }
}
