package dev.argus.trace.export;

import dev.argus.model.GpuReading;
import dev.argus.model.Incident;
import dev.argus.model.NameTable;
import dev.argus.model.SideRecord;
import dev.argus.model.StackRecord;
import dev.argus.model.TraceFacts;
import dev.argus.model.Verdict;
import dev.argus.trace.Part;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceReader;
import dev.argus.trace.export.TrackPlace.Kind;
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
 * Writes a job as a timeline: a process a rank, a track a stream and a thread, collectives joined across ranks, incidents as marks, call
 * stacks and readings of GPUs where files have them. Files are read one after the other.
 *
 * <p>Memory: the events of one file at a time, 24 bytes each, those of one track once more with about 20 to sort them; and the job's distinct names; it does not grow
 * with the number of ranks. Times are moved onto the clock of a reference host where that is known ({@link HostTimes}), and the file says so.
 */
public final class TimelineExport {
    private final Timeline out;
    private final NameTable names;
    private final Verdict verdict;
    private final TimelineCut cut;
    private final HostTimes times;
    private final Map<String, TraceFacts> facts = new HashMap<>();
    private final Map<String, Integer> processes = new HashMap<>();
    private final Map<String, Integer> readings = new HashMap<>();
    private final Map<String, Long> lost = new TreeMap<>();
    private final boolean attempts;
    private int written;

    /**
     * Composes an export.
     *
     * @param out where to
     * @param names the names that {@code out} knows
     * @param verdict what the diagnosis says: attempts, incidents
     * @param cut what to keep
     * @param times what is known of the hosts' clocks
     */
    public TimelineExport(Timeline out, NameTable names, Verdict verdict, TimelineCut cut, HostTimes times) {
        this.times = times;
        this.out = out;
        this.names = names;
        this.verdict = verdict;
        this.cut = cut;
        for (TraceFacts f : verdict.traces()) {
            facts.putIfAbsent(f.file(), f);
        }
        this.attempts = verdict.traces().stream().anyMatch(f -> f.attempt() > 0);
    }

    /**
     * What was written.
     *
     * @param processes ranks, and hosts with readings of GPUs; 0 if there was nothing to show
     * @param lost what was left out, by reason
     */
    public record Written(int processes, Map<String, Long> lost) {
        /** Copies defensively. */
        public Written {
            lost = Map.copyOf(lost);
        }
    }

    /**
     * Reads the files and writes; the timeline stays open.
     *
     * @param files the job's files
     * @param bytesRead told how many more bytes of the files were taken
     */
    public Written write(List<TraceFile> files, LongConsumer bytesRead) throws IOException {
        out.about(
                "argus.clock",
                times.known()
                        ? "nanoseconds since the Unix epoch by the clock of a reference host; each rank says how it was moved"
                        : "nanoseconds since the Unix epoch by the clock of each host; not aligned between hosts");
        out.about("argus.ranks", Integer.toString(verdict.job().ranks()));
        for (TraceFile file : files) {
            if (wanted(file)) {
                read(file, bytesRead);
            } else {
                bytesRead.accept(file.bytes());
            }
        }
        incidents("incidents", verdict.incidents());
        incidents("observations", verdict.observations());
        for (Map.Entry<String, Long> e : lost.entrySet()) {
            out.about("argus.lost." + e.getKey(), Long.toString(e.getValue()));
        }
        return new Written(written, lost);
    }

    /** False for traces of which it is known that no part is wanted. */
    private boolean wanted(TraceFile file) {
        boolean known = false;
        for (TraceFacts f : verdict.traces()) {
            if (f.file().equals(file.label()) || f.file().startsWith(file.label() + "#")) {
                known |= f.lastEpochNanos() != 0;
                if (cut.has(f.attempt(), f.rank())) {
                    return true;
                }
            }
        }
        return !known;
    }

    private void read(TraceFile file, LongConsumer bytesRead) throws IOException {
        Map<Integer, RankEvents> parts = new HashMap<>();
        ReadOutcome outcome = TraceReader.read(
                file, names, part -> parts.computeIfAbsent(part, p -> new RankEvents(names)), bytesRead);
        switch (outcome.status()) {
            case FAILED -> lost.merge("unreadable-file", 1L, Long::sum);
            case PARTIAL -> lost.merge("end-of-cut-file", 1L, Long::sum);
            default -> {
                // Nothing is missing.
            }
        }
        for (Part part : outcome.parts()) {
            RankEvents events = parts.remove(part.part());
            TraceFacts known = facts.get(part.label());
            int attempt = known == null ? 0 : known.attempt();
            if (events != null && cut.has(attempt, part.header().rank())) {
                rank(part, attempt, events);
            }
        }
        for (SideRecord record : outcome.records()) {
            switch (record) {
                case StackRecord stacks -> stacks(stacks);
                case GpuReading reading -> reading(reading);
                default -> {
                    // A flight record has no interval of its own.
                }
            }
        }
    }

    private void rank(Part part, int attempt, RankEvents events) throws IOException {
        events.lost.forEach((reason, n) -> lost.merge(reason, n, Long::sum));
        events.join();
        CallFlows flows = new CallFlows(names, attempt, part.header().groups());
        RankTracks tracks = new RankTracks(events, flows, names, cut);
        if (tracks.isEmpty()) {
            return;
        }
        int rank = part.header().rank();
        List<String> labels = new ArrayList<>();
        if (!part.header().host().isEmpty()) {
            labels.add(part.header().host());
        }
        labels.add(part.label());
        TraceFacts known = facts.get(part.label());
        String moved = known == null ? "" : times.words(known);
        if (!moved.isEmpty()) {
            labels.add(moved);
        }
        String name = rank < 0 ? part.label() : title(rank, attempt);
        int process = process(name, rank < 0 ? Integer.MAX_VALUE : rank + 10, labels);
        processes.putIfAbsent(title(rank, attempt), process);
        long by = known == null ? 0 : times.shift(known);
        long without = tracks.write(by == 0 ? out : new MovedTimeline(out, by), process);
        if (without > 0) {
            lost.merge("overlap-beyond-" + Slices.MAX_LANES + "-lanes", without, Long::sum);
        }
    }

    private int process(String name, int order, List<String> labels) throws IOException {
        written++;
        return out.process(name, order, labels);
    }

    private String title(int rank, int attempt) {
        return title(rank, attempt, attempts);
    }

    /** What the process of a rank is called. */
    static String title(int rank, int attempt, boolean attempts) {
        String name = rank < 0 ? "rank unknown" : String.format(Locale.ROOT, "rank %04d", rank);
        return attempts ? name + " attempt " + attempt : name;
    }

    /** Stacks have no time: they stand at the end of what is known of their rank. */
    private void stacks(StackRecord record) throws IOException {
        int attempt = cut.attempt() >= 0 ? cut.attempt() : lastAttempt();
        if (cut.ranks() != null && !cut.has(attempt, record.rank())) {
            return;
        }
        String title = title(record.rank(), attempt);
        Integer process = processes.get(title);
        if (process == null) {
            process = process(title, record.rank() < 0 ? Integer.MAX_VALUE : record.rank() + 10, List.of());
            processes.put(title, process);
        }
        String source = names.name(record.process());
        int track = out.track(new TrackPlace(process, "", "CPU stacks of " + source, 3, Kind.INSTANTS));
        long at = end(record.rank(), attempt);
        for (StackRecord.Stack stack : record.stacks()) {
            List<String> frames = new ArrayList<>();
            for (int i = stack.frames().length - 1; i >= 0; i--) {
                frames.add(names.name(stack.frames()[i]));
            }
            Map<String, String> more = new LinkedHashMap<>();
            more.put("thread", names.name(stack.thread()));
            more.put("weight", stack.weight() + " of " + record.samples());
            more.put("time", "not recorded; shown at the end of the rank");
            String name = frames.isEmpty() ? "stack" : frames.getLast();
            out.instant(track, at, name, more, frames);
        }
    }

    private int lastAttempt() {
        return verdict.traces().stream().mapToInt(TraceFacts::attempt).max().orElse(0);
    }

    private long end(int rank, int attempt) {
        long own = 0;
        long any = 0;
        for (TraceFacts f : verdict.traces()) {
            any = Math.max(any, f.lastEpochNanos());
            own = f.rank() == rank && f.attempt() == attempt ? Math.max(own, f.lastEpochNanos()) : own;
        }
        return own > 0 ? Math.min(own, cut.untilNanos()) : any;
    }

    private void reading(GpuReading reading) throws IOException {
        String host = names.name(reading.host());
        Integer process = readings.get(host);
        if (process == null) {
            process = process(host.isEmpty() ? "GPU metrics" : "GPU metrics of " + host, 1, List.of());
            readings.put(host, process);
        }
        String uuid = names.name(reading.uuid());
        String gpu = "GPU " + (reading.index() < 0 ? uuid : reading.index() + (uuid.isEmpty() ? "" : " " + uuid));
        int place = 0;
        for (GpuReading.Metric metric : reading.metrics()) {
            if (metric.count() > 0 && metric.lastNanos() > 0 && Double.isFinite(metric.last())) {
                TrackPlace at = new TrackPlace(process, gpu, names.name(metric.name()), place++, Kind.VALUES);
                out.counter(out.track(at), metric.lastNanos(), metric.last());
            }
        }
    }

    private void incidents(String title, List<Incident> list) throws IOException {
        List<Incident> shown = list.stream()
                .filter(i -> i.sinceEpochNanos() > 0 && (cut.attempt() < 0 || i.attempt() == cut.attempt()))
                .toList();
        if (shown.isEmpty()) {
            return;
        }
        IncidentMarks.write(out, title, shown);
    }
}
