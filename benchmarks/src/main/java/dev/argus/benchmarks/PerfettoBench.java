package dev.argus.benchmarks;

import dev.argus.model.NameTable;
import dev.argus.model.Topology;
import dev.argus.model.Verdict;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import dev.argus.trace.export.HostTimes;
import dev.argus.trace.export.PerfettoWriter;
import dev.argus.trace.export.Slices;
import dev.argus.trace.export.Timeline;
import dev.argus.trace.export.TimelineCut;
import dev.argus.trace.export.TimelineExport;
import dev.argus.trace.export.TrackPlace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Bytes and time a slice of a Perfetto trace costs, plain and in packets that are deflated. */
final class PerfettoBench implements Bench {
    private static final String PLAIN = "plain";
    private static final String PACKED = "packed";
    private static final int TRACKS = 8;
    private static final int NAMES = 200;
    private static final long SEED = 19;
    private static final long BASE = 1_700_000_000_000_000_000L;

    private final int slices;
    private final long warmUpNanos;

    PerfettoBench() {
        this(1 << 20, 2_000_000_000L);
    }

    PerfettoBench(int slices, long warmUpNanos) {
        this.slices = slices;
        this.warmUpNanos = warmUpNanos;
    }

    @Override
    public String name() {
        return "perfetto";
    }

    @Override
    public String about() {
        return "bytes and time of a slice in a Perfetto trace; PATH: traces to export";
    }

    @Override
    public Set<String> takes() {
        return Set.of(PATH);
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, CannotMeasure {
        List<Figure> figures = new ArrayList<>();
        try (Scratch scratch = new Scratch()) {
            List<Path> paths = request.paths();
            String data = "all events of the given traces";
            if (paths.isEmpty()) {
                KinetoJob job =
                        KinetoJob.of(2).withSteps(21, 8).withLayers(16, 12).withSeed(13);
                paths = List.of(
                        KinetoTraceWriter.write(scratch.folder("job"), job).folder());
                data = "all events of a job of 2 ranks made with seed 13";
            }
            request.progress().accept("exporting");
            sizes(figures, TraceInputs.find(paths).files(), data);
        }
        request.progress().accept("timing " + slices + " slices");
        speed(figures, request.full() ? 4 * slices : slices);
        return figures;
    }

    private static void sizes(List<Figure> figures, List<TraceFile> files, String data)
            throws IOException, CannotMeasure {
        Size plain = size(files, false, true);
        if (plain.slices == 0) {
            throw new CannotMeasure("no event to export in " + files.size() + " files");
        }
        Size packed = size(files, true, true);
        String what =
                data + ", " + plain.slices + " slices on " + plain.tracks + " lanes, names and descriptors counted";
        figures.add(Figure.single("bytesPerSlice", "B", plain.perSlice(), what + "; intervals alone", Bar.atMost(26)));
        figures.add(Figure.single(
                "bytesPerSlicePacked", "B", packed.perSlice(), "the same in deflated packets", Bar.atMost(9)));
        figures.add(Figure.single(
                "bytesPerSliceWithoutTables",
                "B",
                (double) (plain.bytes - plain.tables) / plain.slices,
                "without the deflated tables of " + plain.names + " distinct names and all lanes, " + plain.tables
                        + " bytes, which weigh more the shorter the traces",
                null));
        figures.add(Figure.single(
                "bytesPerSliceWithCalls",
                "B",
                size(files, false, false).perSlice(),
                "as exported: with arrows, operation, group, sequence and bytes of collectives, and counters",
                null));
        figures.add(Figure.single(
                "bytesPerSliceWithCallsPacked",
                "B",
                size(files, true, false).perSlice(),
                "the same in deflated packets",
                null));
    }

    private record Size(long bytes, long slices, long tracks, long names, long tables) {
        double perSlice() {
            return (double) bytes / slices;
        }
    }

    private static Size size(List<TraceFile> files, boolean packed, boolean bare) throws IOException {
        NameTable names = new NameTable();
        PerfettoWriter writer = new PerfettoWriter(OutputStream.nullOutputStream(), names, BASE, packed);
        Bare counted = new Bare(writer, bare);
        new TimelineExport(counted, names, nothing(), TimelineCut.ALL, HostTimes.UNKNOWN).write(files, n -> {});
        writer.close();
        return new Size(writer.written(), writer.slices(), counted.tracks, counted.names.size(), writer.tables());
    }

    private static Verdict nothing() {
        return new Verdict(
                new Verdict.Job(0, 0, -1, -1, Topology.UNKNOWN, 0),
                List.of(),
                new Verdict.Quality(0, 0, List.of()),
                List.of(),
                List.of(),
                List.of(),
                0);
    }

    /** Lets intervals through, and the rest only where it is asked for. */
    private static final class Bare implements Timeline {
        private final Timeline to;
        private final boolean bare;
        private final Set<Integer> names = new HashSet<>();
        private long tracks;

        Bare(Timeline to, boolean bare) {
            this.to = to;
            this.bare = bare;
        }

        @Override
        public void about(String key, String value) throws IOException {
            to.about(key, value);
        }

        @Override
        public int process(String name, int order, List<String> labels) throws IOException {
            return to.process(name, order, labels);
        }

        @Override
        public void announce(int[] uses, List<TrackPlace> places) throws IOException {
            to.announce(uses, places);
        }

        @Override
        public long slices(TrackPlace place, Slices slices) throws IOException {
            tracks += slices.lanes().size();
            Slices kept = bare ? new Slices() : slices;
            for (int i = 0; i < slices.count(); i++) {
                names.add(slices.name(i));
                if (bare) {
                    kept.add(slices.start(i), slices.duration(i), slices.name(i), null);
                }
            }
            return to.slices(place, kept);
        }

        @Override
        public int track(TrackPlace place) throws IOException {
            return bare ? 0 : to.track(place);
        }

        @Override
        public void instant(int track, long nanos, String name, Map<String, String> more, List<String> frames)
                throws IOException {
            if (!bare) {
                to.instant(track, nanos, name, more, frames);
            }
        }

        @Override
        public void counter(int track, long nanos, double value) throws IOException {
            if (!bare) {
                to.counter(track, nanos, value);
            }
        }

        @Override
        public void close() {}
    }

    private void speed(List<Figure> figures, int count) throws IOException {
        NameTable names = new NameTable();
        List<Slices> made = made(names, count);
        Rounds rounds = new Rounds(warmUpNanos, Rounds.threadClock())
                .add(PLAIN, () -> written(made, names, false))
                .add(PACKED, () -> written(made, names, true));
        rounds.run(7);
        String what = count + " slices on " + TRACKS + " tracks, " + NAMES + " names, seed " + SEED
                + ", sorted, laid out and written to nowhere, one thread, by its CPU time";
        figures.add(Figure.median("slicesPerSecond", "1/s", rounds.perSecond(PLAIN, count), what, Bar.atLeast(2e6)));
        figures.add(Figure.median(
                "slicesPerSecondPacked",
                "1/s",
                rounds.perSecond(PACKED, count),
                "the same, deflated on the same thread",
                null));
        figures.add(Figure.single(
                "madeBytesPerSlice",
                "B",
                (double) rounds.checksum(PLAIN) / count,
                "bytes of the slices that were timed",
                Bar.atMost(26)));
        figures.add(Figure.single(
                "madeBytesPerSlicePacked",
                "B",
                (double) rounds.checksum(PACKED) / count,
                "the same in deflated packets",
                Bar.atMost(9)));
    }

    private static long written(List<Slices> made, NameTable names, boolean packed) throws IOException {
        PerfettoWriter out = new PerfettoWriter(OutputStream.nullOutputStream(), names, BASE, packed);
        int process = out.process("rank 0000", 0, List.of());
        for (int i = 0; i < made.size(); i++) {
            out.slices(new TrackPlace(process, "GPU 0", "stream " + i, i, TrackPlace.Kind.LANES), made.get(i));
        }
        out.close();
        return out.written();
    }

    /** Kernels one behind the other, as a stream has them; durations log-normal, names of 110 characters. */
    private static List<Slices> made(NameTable names, int count) {
        Random random = new Random(SEED);
        int[] ids = new int[NAMES];
        for (int i = 0; i < NAMES; i++) {
            ids[i] = names.id(
                    "void made::kernel<float, 128, " + random.nextLong() + ">(" + "Params".repeat(10) + i + ")");
        }
        List<Slices> tracks = new ArrayList<>();
        for (int t = 0; t < TRACKS; t++) {
            Slices track = new Slices();
            long at = BASE;
            for (int i = 0; i < count / TRACKS; i++) {
                long duration = 1_500 + (long) (15_000 * Math.exp(random.nextGaussian()));
                track.add(at, duration, ids[random.nextInt(NAMES)], null);
                at += duration + 800 + random.nextInt(3_000);
            }
            tracks.add(track);
        }
        return tracks;
    }
}
