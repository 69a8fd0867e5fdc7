package dev.argus.trace.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.model.TraceFacts;
import dev.argus.model.Verdict;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.Need;
import dev.argus.testkit.PerfettoFile;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import dev.argus.trace.Part;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import dev.argus.trace.TraceReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineExportTest {
    @TempDir
    private Path folder = Path.of("");

    private static Verdict verdict(List<TraceFacts> traces) {
        return new Verdict(
                new Verdict.Job(2, 1, 0, 9, Topology.UNKNOWN, 0),
                traces,
                new Verdict.Quality(2, 2, List.of()),
                List.of(),
                List.of(),
                List.of(),
                0);
    }

    private static PerfettoFile export(List<TraceFile> files, TimelineCut cut, List<TraceFacts> facts)
            throws IOException {
        NameTable names = new NameTable();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PerfettoWriter out = new PerfettoWriter(bytes, names, 1, true)) {
            new TimelineExport(out, names, verdict(facts), cut, HostTimes.UNKNOWN).write(files, n -> {});
        }
        PerfettoFile file = PerfettoFile.of(bytes.toByteArray());
        assertThat(file.errors).isEmpty();
        return file;
    }

    private static List<TraceFile> files(Path path) {
        return TraceInputs.find(List.of(path)).files();
    }

    /** Rows of all events in the files, by the label of their part. */
    private static Map<String, List<SourceRows.Row>> source(List<TraceFile> files) {
        Map<String, List<SourceRows.Row>> rows = new TreeMap<>();
        for (TraceFile file : files) {
            NameTable names = new NameTable();
            Map<Integer, SourceRows> parts = new HashMap<>();
            ReadOutcome outcome = TraceReader.read(
                    file, names, part -> parts.computeIfAbsent(part, p -> new SourceRows(names)), n -> {});
            for (Part part : outcome.parts()) {
                SourceRows of = parts.get(part.part());
                if (of != null && !of.rows.isEmpty()) {
                    rows.put(part.label(), of.rows);
                }
            }
        }
        return rows;
    }

    private static Map<String, List<SourceRows.Row>> written(PerfettoFile file) {
        Map<Long, String> labels = new HashMap<>();
        file.processes
                .values()
                .forEach(p -> labels.put(
                        p.pid(), p.labels().isEmpty() ? "" : p.labels().getLast()));
        Map<String, List<SourceRows.Row>> rows = new TreeMap<>();
        List<SourceRows.Row> all = SourceRows.of(file);
        for (int i = 0; i < all.size(); i++) {
            rows.computeIfAbsent(labels.get(file.slices.get(i).pid()), l -> new ArrayList<>())
                    .add(all.get(i));
        }
        return rows;
    }

    private static void same(List<TraceFile> files) throws IOException {
        Map<String, List<SourceRows.Row>> expected = source(files);
        Map<String, List<SourceRows.Row>> actual = written(export(files, TimelineCut.ALL, List.of()));
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((label, rows) -> assertThat(counts(actual.getOrDefault(label, List.of())))
                .describedAs(label)
                .isEqualTo(counts(rows)));
    }

    private static Map<SourceRows.Row, Integer> counts(List<SourceRows.Row> rows) {
        Map<SourceRows.Row, Integer> counts = new HashMap<>();
        rows.forEach(r -> counts.merge(r, 1, Integer::sum));
        return counts;
    }

    @Test
    void everyEventOfAMadeJobArrivesExactly() throws IOException {
        same(files(KinetoTraceWriter.write(
                        folder, KinetoJob.of(4).withHosts(2).withSteps(21, 3).withSharded(true))
                .folder()));
    }

    @ParameterizedTest
    @Requires(Need.SHARED)
    @ValueSource(
            strings = {
                "hta",
                "tracelens",
                "kineto_tb",
                "param",
                "straggler_analysis",
                "nsys_sqlite",
                "cases/d01-compute-8/traces",
                "speedscope_edge"
            })
    void everyEventOfAPublicTraceArrivesExactly(String name) throws IOException {
        same(files(Shared.path("data/" + name)));
    }

    private Path trace(String name, String host, int rank, String... events) throws IOException {
        String text = "{'distributedInfo':{'backend':'nccl','rank':" + rank + ",'world_size':2,'host_name':'" + host
                + "','pg_config':[{'pg_name':'0','pg_desc':'default_pg','pg_size':2,'ranks':[0,1]}]},'traceEvents':["
                + String.join(",", events) + "]}";
        return Files.writeString(folder.resolve(name), text.replace('\'', '"'));
    }

    private static String event(String category, String name, int pid, String ts, String dur, String args) {
        return "{'ph':'X','cat':'" + category + "','name':'" + name + "','pid':" + pid + ",'tid':7,'ts':" + ts
                + ",'dur':" + dur + ",'args':{'device':0,'stream':7,'correlation':1" + args + "}}";
    }

    private static String allReduce(String ts, int sequence) {
        return event(
                "kernel",
                "ncclDevKernel_AllReduce_Sum",
                0,
                ts,
                "50",
                ",'Collective name':'allreduce','Process Group Name':'0','Process Group Ranks':'[0, 1]','Seq':"
                        + sequence + ",'dtype':'Float','In msg nelems':4,'Out msg nelems':4");
    }

    @Test
    void hostsWithEqualProcessIdsStayApart() throws IOException {
        trace("a.json", "n0", 0, event("user_annotation", "forward", 1234, "1700000000000001.5", "5", ""));
        trace("b.json", "n1", 1, event("user_annotation", "forward", 1234, "1700000000000002.5", "6", ""));

        PerfettoFile file = export(files(folder), TimelineCut.ALL, List.of());

        assertThat(file.processes.values())
                .containsExactlyInAnyOrder(
                        new PerfettoFile.Owner("rank 0000", 1, List.of("n0", "a.json"), 10),
                        new PerfettoFile.Owner("rank 0001", 2, List.of("n1", "b.json"), 11));
        assertThat(file.slices.stream().map(s -> s.process() + " " + s.track() + " " + s.duration()))
                .containsExactlyInAnyOrder(
                        "rank 0000 thread 7 of process 1234 5000", "rank 0001 thread 7 of process 1234 6000");
        assertThat(file.about).containsKey("argus.clock");
    }

    @Test
    void theSameCollectiveIsJoinedAcrossRanksAndNoOther() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            trace(
                    rank + ".json",
                    "n0",
                    rank,
                    allReduce("1700000000000100.001", 5),
                    allReduce("1700000000000200.001", 6),
                    event("kernel", "gemm", 0, "1700000000000300.001", "3", ""));
        }

        PerfettoFile file = export(files(folder), TimelineCut.ALL, List.of());

        Map<Long, List<String>> flows = new HashMap<>();
        file.slices.forEach(s -> s.flows()
                .forEach(f -> flows.computeIfAbsent(f, x -> new ArrayList<>())
                        .add(s.process() + " " + s.details().get("sequence"))));
        assertThat(flows.values())
                .containsExactlyInAnyOrder(
                        List.of("rank 0000 5", "rank 0001 5"), List.of("rank 0000 6", "rank 0001 6"));
    }

    @Test
    void aCutKeepsTheRanksAndStepsAskedForAndWholeSlices() throws IOException {
        List<TraceFacts> facts = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<String> events = new ArrayList<>();
            for (int step = 10; step < 15; step++) {
                String at = "170000000000" + step + "00.000";
                events.add(event("user_annotation", "ProfilerStep#" + step, 1, at, "90", ""));
                events.add(event("kernel", "gemm" + step, 0, "170000000000" + step + "50.000", "75.5", ""));
            }
            trace(rank + ".json", "n0", rank, events.toArray(new String[0]));
            facts.add(new TraceFacts(rank + ".json", "kineto", rank, 0, "n0", 5, 1, 0, 1, List.of(), 1, 2, Map.of()));
        }
        TimelineCut cut = new TimelineCut(0, RankSet.of(1), 12, 12, 0, Long.MAX_VALUE);

        PerfettoFile file = export(files(folder), cut, facts);

        assertThat(file.slices.stream().map(s -> s.process() + " " + s.name() + " " + s.duration()))
                .containsExactlyInAnyOrder(
                        "rank 0001 gemm11 75500", "rank 0001 step 12 90000", "rank 0001 gemm12 75500");
        assertThat(file.counts)
                .containsExactly(new PerfettoFile.Count("rank 0001", "step time", 1_700_000_000_001_200_000L, 100_000));
    }

    @Test
    void stacksStandAtTheEndOfTheirRank() throws IOException {
        trace("rank0.json", "n0", 0, event("kernel", "gemm", 0, "1700000000000300.001", "3", ""));
        Files.writeString(folder.resolve("stacks-rank0.txt"), "main;train;wait 7\nmain;load 3\n");
        List<TraceFacts> facts = List.of(new TraceFacts(
                "rank0.json", "kineto", 0, 0, "n0", 1, 1, 0, 1, List.of(), 1, 1_700_000_000_000_303_001L, Map.of()));

        PerfettoFile file = export(files(folder), TimelineCut.ALL, facts);

        assertThat(file.instants)
                .extracting(PerfettoFile.Instant::process, PerfettoFile.Instant::time, PerfettoFile.Instant::frames)
                .containsExactly(
                        tuple("rank 0000", 1_700_000_000_000_303_001L, List.of("main", "train", "wait")),
                        tuple("rank 0000", 1_700_000_000_000_303_001L, List.of("main", "load")));
    }
}
