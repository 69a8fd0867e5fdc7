package dev.argus.hostlocal;

import dev.argus.digest.JobBuilder;
import dev.argus.engine.Concluded;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.LoadedPart.LoadedStep;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.Topology;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import dev.argus.wire.KernelRecordCodec;
import dev.argus.wire.StepDigestCodec;
import dev.argus.wire.WireReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The records of a folder of traces as a script that can be played in any order.
 *
 * @param shape the job
 * @param names its names
 * @param lines records in order: step by step, rank by rank
 */
record Script(JobShape shape, NameTable names, List<Line> lines) {
    static final Script EMPTY = new Script(
            new JobShape(
                    0,
                    0,
                    RankSet.EMPTY,
                    Map.of(),
                    Map.of(),
                    Map.of(),
                    Topology.UNKNOWN,
                    List.of(),
                    Map.of(),
                    List.of(),
                    List.of()),
            new NameTable(),
            List.of());

    /** One record with its place: {@link StepDigest} or {@link KernelWindow}. */
    record Line(int rank, long step, Record content) {}

    static Script of(Path folder) throws IOException {
        NameTable names = new NameTable();
        JobBuilder builder = new JobBuilder(0, names);
        List<Line> lines = new ArrayList<>();
        try (SpillStore store = new SpillStore(1 << 26)) {
            TraceLoader loader = new TraceLoader(names, store, null);
            for (TraceFile file : TraceInputs.find(List.of(folder)).files()) {
                LoadedPart part = loader.load(file, n -> {}).parts().getFirst();
                int rank = part.header().rank();
                builder.add(rank, part.header(), part.trace());
                for (LoadedStep s : part.steps()) {
                    lines.add(new Line(rank, s.step(), digest(store.read(s.digest()), rank)));
                    SpillStore.Ref kernels = s.kernels();
                    if (kernels != null) {
                        lines.add(new Line(
                                rank,
                                s.step(),
                                KernelRecordCodec.decode(new WireReader(store.read(kernels)))
                                        .of(0, rank)));
                    }
                }
            }
        }
        lines.sort((a, b) ->
                a.step() != b.step() ? Long.compare(a.step(), b.step()) : Integer.compare(a.rank(), b.rank()));
        return new Script(builder.build(null), names, List.copyOf(lines));
    }

    private static StepDigest digest(byte[] bytes, int rank) {
        StepDigest d = StepDigestCodec.decode(new WireReader(bytes));
        return d.of(0, rank);
    }

    GraphRunner runner() {
        return new GraphRunner(new DetectorGraph(shape, names, Thresholds.DEFAULT));
    }

    /** Plays all lines in batches of one step on several lanes, and concludes. */
    Concluded concludeOn(Lanes lanes) {
        GraphRunner runner = new GraphRunner(new DetectorGraph(shape, names, Thresholds.DEFAULT), lanes);
        Map<Long, List<Line>> steps = new TreeMap<>();
        lines.forEach(
                l -> steps.computeIfAbsent(l.step(), s -> new ArrayList<>()).add(l));
        for (List<Line> step : steps.values()) {
            List<StepDigest> digests = new ArrayList<>();
            List<KernelWindow> windows = new ArrayList<>();
            for (Line line : step) {
                if (line.content() instanceof StepDigest d) {
                    digests.add(d);
                } else if (line.content() instanceof KernelWindow k) {
                    windows.add(k);
                }
            }
            runner.takeDigests(digests.size(), digests::get);
            runner.takeWindows(windows.size(), windows::get);
        }
        return conclude(runner);
    }

    static void play(GraphRunner runner, List<Line> lines) {
        for (Line line : lines) {
            if (line.content() instanceof StepDigest d) {
                runner.take(d);
            } else if (line.content() instanceof KernelWindow k) {
                runner.take(k);
            }
        }
    }

    /** Plays all lines and concludes. */
    Concluded conclude(List<Line> order) {
        GraphRunner runner = runner();
        play(runner, order);
        return conclude(runner);
    }

    static Concluded conclude(GraphRunner runner) {
        List<Concluded> concluded = runner.finish();
        if (concluded.size() != 1) {
            throw new IllegalStateException(concluded.size() + " conclusions, expected 1");
        }
        return concluded.getFirst();
    }
}
