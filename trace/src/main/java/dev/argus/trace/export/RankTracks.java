package dev.argus.trace.export;

import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import dev.argus.trace.export.RankEvents.Rows;
import dev.argus.trace.export.RankEvents.Source;
import dev.argus.trace.export.RankEvents.TrackKey;
import dev.argus.trace.export.TrackPlace.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the events of one rank: its steps, a track a stream, a track a thread, and its step times as a counter. */
final class RankTracks {
    private static final int FIRST_THREAD = 100;

    private final RankEvents events;
    private final CallFlows flows;
    private final NameTable names;
    private final TimelineCut cut;
    private final long from;
    private final long until;
    private int process;

    /** @param cut tells what to keep; its steps are looked up among the marks */
    RankTracks(RankEvents events, CallFlows flows, NameTable names, TimelineCut cut) {
        this.events = events;
        this.flows = flows;
        this.names = names;
        this.cut = cut;
        long[] window = window(events.marks, cut);
        this.from = window[0];
        this.until = window[1];
    }

    /** From the start of the first wanted step to the start of the one behind the last, or to the end of its marks. */
    private static long[] window(List<StepMark> marks, TimelineCut cut) {
        if (cut.allSteps()) {
            return new long[] {cut.fromNanos(), cut.untilNanos()};
        }
        if (marks.stream().noneMatch(m -> !m.onGpu())) {
            return new long[] {cut.fromNanos(), cut.untilNanos()};
        }
        long from = Long.MAX_VALUE;
        long until = Long.MIN_VALUE;
        long next = Long.MAX_VALUE;
        for (StepMark m : marks) {
            if (m.step() >= cut.firstStep() && m.step() <= cut.lastStep()) {
                from = Math.min(from, m.onGpu() ? Long.MAX_VALUE : m.startNanos());
                until = Math.max(until, m.endNanos());
            } else if (m.step() > cut.lastStep() && !m.onGpu()) {
                next = Math.min(next, m.startNanos());
            }
        }
        return new long[] {from, next == Long.MAX_VALUE ? until : Math.max(until, next)};
    }

    /** What of some rows lies in a cut. */
    static Slices kept(Rows rows, List<StepMark> marks, TimelineCut cut) {
        long[] window = window(marks, cut);
        Slices slices = new Slices();
        for (int i = 0; i < rows.count; i++) {
            if (keeps(rows.starts[i], rows.durations[i], window[0], window[1])) {
                slices.add(rows.starts[i], rows.durations[i], rows.names[i], null);
            }
        }
        return slices;
    }

    private boolean keeps(long start, long duration) {
        return keeps(start, duration, from, until);
    }

    /** True if the interval overlaps the window; one of length 0 if it lies in it. */
    private static boolean keeps(long start, long duration, long from, long until) {
        return start < until && (start + duration > from || start >= from);
    }

    private boolean wanted(StepMark mark) {
        return mark.step() >= cut.firstStep()
                && mark.step() <= cut.lastStep()
                && keeps(mark.startNanos(), mark.durationNanos());
    }

    /** True if nothing would be written. */
    boolean isEmpty() {
        if (events.marks.stream().anyMatch(this::wanted)) {
            return false;
        }
        return events.tracks.values().stream().noneMatch(this::hasKept);
    }

    /** Writes into a process; gives how many intervals found no place. */
    long write(Timeline out, int into) throws IOException {
        process = into;
        long lost = 0;
        Map<TrackPlace, Map.Entry<TrackKey, Rows>> tracks = new LinkedHashMap<>();
        events.tracks.entrySet().stream()
                .filter(track -> hasKept(track.getValue()))
                .sorted(Map.Entry.comparingByKey(Comparator.comparing(TrackKey::source)
                        .thenComparingLong(TrackKey::of)
                        .thenComparingLong(TrackKey::lane)))
                .forEach(track -> tracks.put(place(track.getKey(), tracks.size()), track));
        List<TrackPlace> places = new ArrayList<>(tracks.keySet());
        for (boolean onGpu : new boolean[] {false, true}) {
            if (events.marks.stream().anyMatch(m -> m.onGpu() == onGpu && wanted(m))) {
                places.add(steps(onGpu));
            }
        }
        out.announce(uses(), places);
        for (Map.Entry<TrackPlace, Map.Entry<TrackKey, Rows>> track : tracks.entrySet()) {
            Source source = track.getValue().getKey().source();
            boolean called = source == Source.STREAM || !events.gpuCalls;
            lost += out.slices(track.getKey(), kept(track.getValue().getValue(), called));
        }
        stepTimes(out);
        return lost + steps(out, false) + steps(out, true);
    }

    private boolean hasKept(Rows rows) {
        for (int i = 0; i < rows.count; i++) {
            if (keeps(rows.starts[i], rows.durations[i])) {
                return true;
            }
        }
        return false;
    }

    /** How often each name stands in what is kept, by name id. */
    private int[] uses() {
        int[] uses = new int[256];
        for (Rows rows : events.tracks.values()) {
            for (int i = 0; i < rows.count; i++) {
                if (keeps(rows.starts[i], rows.durations[i])) {
                    uses = used(uses, rows.names[i]);
                }
            }
        }
        for (StepMark mark : events.marks) {
            uses = wanted(mark) ? used(uses, names.id("step " + mark.step())) : uses;
        }
        return uses;
    }

    private static int[] used(int[] uses, int name) {
        int[] all = name < uses.length ? uses : Arrays.copyOf(uses, Math.max(name + 1, 2 * uses.length));
        all[name]++;
        return all;
    }

    /** @param called true where collectives are told as such: on the GPU, or on the CPU where the GPU's are not known */
    private Slices kept(Rows rows, boolean called) {
        Slices slices = new Slices();
        for (int i = 0; i < rows.count; i++) {
            if (keeps(rows.starts[i], rows.durations[i])) {
                SliceDetail detail =
                        called && rows.calls[i] > 0 ? flows.detail(events.calls.get(rows.calls[i] - 1)) : null;
                slices.add(rows.starts[i], rows.durations[i], rows.names[i], detail);
            }
        }
        return slices;
    }

    private TrackPlace place(TrackKey key, int place) {
        return switch (key.source()) {
            case STREAM -> new TrackPlace(process, "GPU " + key.of(), "stream " + key.lane(), place, Kind.LANES);
            case STREAM_RANGES ->
                new TrackPlace(process, "GPU " + key.of(), "ranges of stream " + key.lane(), place, Kind.LANES);
            default ->
                new TrackPlace(
                        process,
                        "",
                        "thread " + key.lane() + " of process " + key.of(),
                        FIRST_THREAD + place,
                        Kind.THREAD);
        };
    }

    private long steps(Timeline out, boolean onGpu) throws IOException {
        Slices slices = new Slices();
        for (StepMark m : events.marks) {
            if (m.onGpu() == onGpu && wanted(m)) {
                slices.add(m.startNanos(), m.durationNanos(), names.id("step " + m.step()), null);
            }
        }
        return slices.count() == 0 ? 0 : out.slices(steps(onGpu), slices);
    }

    private TrackPlace steps(boolean onGpu) {
        return new TrackPlace(process, "", onGpu ? "steps on the GPU" : "steps", onGpu ? 1 : 0, Kind.LANES);
    }

    /** Start to start, at the start. */
    private void stepTimes(Timeline out) throws IOException {
        List<StepMark> steps = events.marks.stream()
                .filter(m -> !m.onGpu())
                .sorted(Comparator.comparingLong(StepMark::startNanos))
                .toList();
        int track = -1;
        for (int i = 0; i + 1 < steps.size(); i++) {
            StepMark step = steps.get(i);
            StepMark next = steps.get(i + 1);
            if (next.step() == step.step() + 1 && wanted(step)) {
                if (track < 0) {
                    track = out.track(new TrackPlace(process, "", "step time", 2, Kind.NANOS));
                }
                out.counter(track, step.startNanos(), (double) (next.startNanos() - step.startNanos()));
            }
        }
    }
}
