package dev.argus.trace.export;

import dev.argus.digest.KernelClasses;
import dev.argus.digest.LaunchedCollectives;
import dev.argus.digest.TraceEventSink;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.KernelClass;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The events of one part of a file by the track they go to, packed in 24 bytes each. Calls that start work on a GPU are left out: the
 * work is there, and what a call took where it took long, is a span.
 */
final class RankEvents implements TraceEventSink {
    private static final int MAX_TRACKS = 4096;

    /** What a track shows, in the order in which tracks are listed. */
    enum Source {
        STEPS,
        GPU_STEPS,
        STREAM,
        STREAM_RANGES,
        THREAD
    }

    /**
     * A track.
     *
     * @param source what it shows
     * @param of device or process
     * @param lane stream or thread
     */
    record TrackKey(Source source, long of, long lane) {}

    /** Rows of one track. */
    static final class Rows {
        long[] starts = new long[16];
        long[] durations = new long[16];
        int[] names = new int[16];
        int[] calls = new int[16];
        int count;

        private void add(long start, long duration, int name, int call) {
            if (count == starts.length) {
                int room = count + (count >> 1);
                starts = Arrays.copyOf(starts, room);
                durations = Arrays.copyOf(durations, room);
                names = Arrays.copyOf(names, room);
                calls = Arrays.copyOf(calls, room);
            }
            starts[count] = start;
            durations[count] = duration;
            names[count] = name;
            calls[count++] = call;
        }
    }

    /** A kernel of a collective that does not say which. */
    private record Unnamed(Rows rows, int at, long correlation) {}

    final Map<TrackKey, Rows> tracks = new LinkedHashMap<>();
    final List<StepMark> marks = new ArrayList<>();
    final List<CollectiveCall> calls = new ArrayList<>();
    final Map<String, Long> lost = new TreeMap<>();
    boolean gpuCalls;
    long lastNanos;
    private final NameTable names;
    private final Map<Integer, Boolean> communicates = new HashMap<>();
    private final LaunchedCollectives launched;
    private final List<Unnamed> unnamed = new ArrayList<>();
    private @Nullable TrackKey lastKey;
    private @Nullable Rows lastRows;

    /** @param names names of the events */
    RankEvents(NameTable names) {
        this.names = names;
        this.launched = new LaunchedCollectives(names);
    }

    @Override
    public void gpu(GpuEvent event) {
        CollectiveCall call = event.collective();
        gpuCalls |= call != null;
        Rows rows = add(
                Source.STREAM,
                event.device(),
                event.stream(),
                event.startNanos(),
                event.durationNanos(),
                event.name(),
                call);
        if ((call == null || call.group() < 0)
                && event.correlation() != 0
                && rows != null
                && communicates.computeIfAbsent(
                        event.name(), name -> KernelClasses.classOf(names.name(name)) == KernelClass.COMMUNICATION)) {
            unnamed.add(new Unnamed(rows, rows.count - 1, event.correlation()));
        }
    }

    /** All events have been taken: kernels of collectives find the calls that launched them. */
    void join() {
        for (Unnamed kernel : unnamed) {
            CollectiveCall call = launched.of(kernel.correlation());
            if (call != null) {
                calls.add(call);
                kernel.rows().calls[kernel.at()] = calls.size();
                gpuCalls = true;
            }
        }
        unnamed.clear();
    }

    @Override
    public void launch(LaunchEvent event) {
        launched.launch(event);
    }

    @Override
    public void span(CpuSpan span) {
        launched.span(span);
        Source source = span.kind() == SpanKind.GPU_ANNOTATION ? Source.STREAM_RANGES : Source.THREAD;
        add(
                source,
                span.process(),
                span.thread(),
                span.startNanos(),
                span.durationNanos(),
                span.name(),
                span.collective());
    }

    @Override
    public void step(StepMark mark) {
        marks.add(mark);
        lastNanos = Math.max(lastNanos, mark.endNanos());
    }

    @Override
    public void quarantine(String reason) {
        lost.merge(reason, 1L, Long::sum);
    }

    private @Nullable Rows add(
            Source source, long of, long lane, long start, long duration, int name, @Nullable CollectiveCall call) {
        Rows rows = rows(source, of, lane);
        if (rows == null) {
            quarantine("track-beyond-" + MAX_TRACKS);
            return null;
        }
        if (call != null) {
            calls.add(call);
        }
        rows.add(start, duration, name, call == null ? 0 : calls.size());
        lastNanos = Math.max(lastNanos, start + duration);
        return rows;
    }

    private @Nullable Rows rows(Source source, long of, long lane) {
        TrackKey last = lastKey;
        if (last != null && last.source == source && last.of == of && last.lane == lane) {
            return lastRows;
        }
        TrackKey key = new TrackKey(source, of, lane);
        Rows rows = tracks.get(key);
        if (rows == null && tracks.size() < MAX_TRACKS) {
            rows = new Rows();
            tracks.put(key, rows);
        }
        if (rows != null) {
            lastKey = key;
            lastRows = rows;
        }
        return rows;
    }
}
