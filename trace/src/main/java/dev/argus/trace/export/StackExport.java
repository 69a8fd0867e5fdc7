package dev.argus.trace.export;

import dev.argus.model.NameTable;
import dev.argus.model.SideRecord;
import dev.argus.model.StackRecord;
import dev.argus.trace.Part;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceReader;
import dev.argus.trace.export.RankEvents.Rows;
import dev.argus.trace.export.RankEvents.Source;
import dev.argus.trace.export.RankEvents.TrackKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * Call stacks of CPUs with their weights: those of files that hold stacks, as samples; of traces the named ranges of their threads as
 * they lie inside each other, weighted with the nanoseconds that each spent outside the ranges inside it.
 *
 * <p>Memory: the events of one file at a time, and at most {@value #MAX_STACKS} distinct stacks a thread; what is beyond is counted.
 */
public final class StackExport {
    /** Distinct stacks of a thread. */
    public static final int MAX_STACKS = 1 << 16;

    /** Stands for samples whose stacks were read and not kept. */
    private static final String OTHERS = "(other stacks)";

    private final NameTable names = new NameTable();
    private final TimelineCut cut;
    private final Map<String, Long> lost = new TreeMap<>();
    private int profiles;

    /** @param cut the ranks and steps to keep; attempts do not count */
    public StackExport(TimelineCut cut) {
        this.cut = cut;
    }

    /**
     * A stack and how heavy it is.
     *
     * @param frames outermost first, exact
     * @param weight samples or nanoseconds, &gt; 0
     */
    public record Weighted(List<String> frames, long weight) {}

    /** Takes the stacks of one thread. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes a profile.
         *
         * @param process the rank, or the file
         * @param thread the thread; empty when unknown
         * @param nanos true for nanoseconds, false for samples
         * @param stacks its stacks
         */
        void profile(String process, String thread, boolean nanos, List<Weighted> stacks) throws IOException;
    }

    /** What was left out, by reason. */
    public Map<String, Long> lost() {
        return Map.copyOf(lost);
    }

    /**
     * Reads the files.
     *
     * @return profiles handed out
     */
    public int write(List<TraceFile> files, Sink sink, LongConsumer bytesRead) throws IOException {
        for (TraceFile file : files) {
            Map<Integer, RankEvents> parts = new HashMap<>();
            ReadOutcome outcome = TraceReader.read(
                    file, names, part -> parts.computeIfAbsent(part, p -> new RankEvents(names)), bytesRead);
            for (Part part : outcome.parts()) {
                RankEvents events = parts.remove(part.part());
                if (events != null && cut.has(cut.attempt(), part.header().rank())) {
                    ranges(title(part.header().rank(), part.label()), events, sink);
                }
            }
            for (SideRecord record : outcome.records()) {
                if (record instanceof StackRecord stacks && cut.has(cut.attempt(), stacks.rank())) {
                    samples(stacks, sink);
                }
            }
        }
        return profiles;
    }

    private static String title(int rank, String label) {
        return rank < 0 ? label : String.format(Locale.ROOT, "rank %04d (%s)", rank, label);
    }

    private void samples(StackRecord record, Sink sink) throws IOException {
        Map<String, List<Weighted>> threads = new TreeMap<>();
        long kept = 0;
        for (StackRecord.Stack stack : record.stacks()) {
            List<String> frames = new ArrayList<>();
            for (int i = stack.frames().length - 1; i >= 0; i--) {
                frames.add(names.name(stack.frames()[i]));
            }
            kept += stack.weight();
            threads.computeIfAbsent(names.name(stack.thread()), t -> new ArrayList<>())
                    .add(new Weighted(frames, stack.weight()));
        }
        if (record.samples() > kept) {
            threads.computeIfAbsent("", t -> new ArrayList<>())
                    .add(new Weighted(List.of(OTHERS), record.samples() - kept));
        }
        String title = title(record.rank(), names.name(record.process()));
        for (Map.Entry<String, List<Weighted>> thread : threads.entrySet()) {
            sink.profile(title, thread.getKey(), false, thread.getValue());
            profiles++;
        }
    }

    private void ranges(String title, RankEvents events, Sink sink) throws IOException {
        for (Map.Entry<TrackKey, Rows> track : events.tracks.entrySet()) {
            TrackKey key = track.getKey();
            if (key.source() == Source.THREAD) {
                List<Weighted> stacks = stacks(events, track.getValue());
                if (!stacks.isEmpty()) {
                    sink.profile(title, "thread " + key.lane() + " of process " + key.of(), true, stacks);
                    profiles++;
                }
            }
        }
    }

    private List<Weighted> stacks(RankEvents events, Rows rows) {
        Slices slices = RankTracks.kept(rows, events.marks, cut);
        Map<List<Integer>, Long> weights = new LinkedHashMap<>();
        for (int[] lane : slices.lanes()) {
            own(slices, lane, weights);
        }
        List<Weighted> stacks = new ArrayList<>();
        weights.forEach((frames, nanos) -> {
            if (nanos > 0) {
                stacks.add(new Weighted(frames.stream().map(names::name).toList(), nanos));
            }
        });
        return stacks;
    }

    /** Each range less those directly inside it. */
    private void own(Slices slices, int[] lane, Map<List<Integer>, Long> weights) {
        int[] open = new int[Slices.MAX_DEPTH];
        int depth = 0;
        for (int i : lane) {
            while (depth > 0 && slices.end(open[depth - 1]) <= slices.start(i)) {
                depth--;
            }
            if (depth > 0) {
                add(weights, stack(slices, open, depth), -slices.duration(i));
            }
            open[depth++] = i;
            add(weights, stack(slices, open, depth), slices.duration(i));
        }
    }

    private static List<Integer> stack(Slices slices, int[] open, int depth) {
        List<Integer> frames = new ArrayList<>(depth);
        for (int k = 0; k < depth; k++) {
            frames.add(slices.name(open[k]));
        }
        return frames;
    }

    private void add(Map<List<Integer>, Long> weights, List<Integer> frames, long nanos) {
        if (weights.size() < MAX_STACKS || weights.containsKey(frames)) {
            weights.merge(frames, nanos, Long::sum);
        } else {
            lost.merge("stack-beyond-" + MAX_STACKS, 1L, Long::sum);
        }
    }
}
