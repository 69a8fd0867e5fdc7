package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.TraceEventSink;
import dev.argus.hostlocal.DiagnoseOptions;
import dev.argus.hostlocal.Progress;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.IncidentKind;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import dev.argus.model.Verdict;
import dev.argus.testkit.PerfettoFile;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import dev.argus.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExportTest {
    @TempDir
    private static Path job = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    /** Rank 3 of 16 on two hosts, slow from step 25 on; each host's process ids begin anew. */
    @BeforeAll
    static void simulate() {
        Run run = Run.with(
                Diagnoser.LOCAL,
                Map.of(),
                ("simulate --kind compute --topology dp=16 --rank 3 --factor 1.4 --onset 25 --noise quiet --dialect plain"
                                + " --seed 11 --out " + job.resolve("job"))
                        .split(" "));
        assertThat(run.exitCode()).isZero();
    }

    private static Run run(String... args) {
        return Run.with(Diagnoser.LOCAL, Map.of(), args);
    }

    private Run export(String format, Path out, String... more) {
        List<String> args =
                new ArrayList<>(List.of("export", format, job.resolve("job").toString(), "--out", out.toString()));
        args.addAll(List.of(more));
        return run(args.toArray(new String[0]));
    }

    private static PerfettoFile perfetto(Path file) throws IOException {
        PerfettoFile read = PerfettoFile.of(Files.readAllBytes(file));
        assertThat(read.errors).isEmpty();
        return read;
    }

    /** What the traces hold, as lines; told in another way than the exporter does. Times are of the rank's first moment: it may be moved. */
    private static Map<String, Integer> source() {
        Map<String, Integer> rows = new HashMap<>();
        for (TraceFile file :
                TraceInputs.find(List.of(job.resolve("job/traces"))).files()) {
            NameTable names = new NameTable();
            List<String> lines = new ArrayList<>();
            ReadOutcome outcome = TraceReader.read(file, names, part -> new Lines(lines, names), n -> {});
            String rank = String.format(
                    "rank %04d ", outcome.parts().getFirst().header().rank());
            long first = lines.stream().mapToLong(l -> field(l, 2)).min().orElse(0);
            lines.forEach(line -> rows.merge(
                    rank + line.substring(0, line.lastIndexOf(' ', line.lastIndexOf(' ') - 1)) + " "
                            + (field(line, 2) - first) + " " + field(line, 1),
                    1,
                    Integer::sum));
        }
        return rows;
    }

    /** The last field of a line but so many. */
    private static long field(String line, int fromEnd) {
        String[] fields = line.split(" ", -1);
        return Long.parseLong(fields[fields.length - fromEnd]);
    }

    private record Lines(List<String> lines, NameTable names) implements TraceEventSink {
        private void line(String track, String name, long start, long nanos) {
            lines.add(track + " " + name + " " + start + " " + nanos);
        }

        @Override
        public void gpu(GpuEvent e) {
            line("stream " + e.stream(), names.name(e.name()), e.startNanos(), e.durationNanos());
        }

        @Override
        public void launch(LaunchEvent event) {}

        @Override
        public void span(CpuSpan s) {
            boolean gpu = s.kind() == SpanKind.GPU_ANNOTATION;
            String track =
                    gpu ? "ranges of stream " + s.thread() : "thread " + s.thread() + " of process " + s.process();
            line(track, names.name(s.name()), s.startNanos(), s.durationNanos());
        }

        @Override
        public void step(StepMark m) {
            line(m.onGpu() ? "steps on the GPU" : "steps", "step " + m.step(), m.startNanos(), m.durationNanos());
        }

        @Override
        public void quarantine(String reason) {}
    }

    @ParameterizedTest
    @CsvSource({"--plain", "--all"})
    void everySliceOfASimulatedJobIsWrittenExactly(String option) throws IOException {
        Path out = folder.resolve("all.pftrace");
        Run run = option.equals("--all") ? export("perfetto", out, "--all") : export("perfetto", out, "--all", option);
        assertThat(run.exitCode()).isZero();

        PerfettoFile file = perfetto(out);

        Map<String, Integer> rows = new HashMap<>();
        Map<String, Long> first = new HashMap<>();
        file.slices.forEach(s -> first.merge(s.process(), s.start(), Math::min));
        file.slices.forEach(s -> rows.merge(
                s.process() + " " + s.track() + " " + s.name() + " " + (s.start() - first.getOrDefault(s.process(), 0L))
                        + " " + s.duration(),
                1,
                Integer::sum));
        assertThat(rows).isEqualTo(source());
        assertThat(file.processes.values().stream().map(PerfettoFile.Owner::pid))
                .doesNotHaveDuplicates();
    }

    @Test
    void theSuspectAndSomePeersAroundTheIncidentAreCutOut() throws IOException {
        Path out = folder.resolve("job.pftrace");

        Run run = export("perfetto", out);

        assertThat(run.exitCode()).isZero();
        assertThat(run.err())
                .startsWith("argus: wrote " + out + ": ")
                .contains("compute-straggler: ranks 1-5 (suspects and peers), steps 24 to 27");
        PerfettoFile file = perfetto(out);
        assertThat(file.processes.values().stream().map(PerfettoFile.Owner::name))
                .contains("rank 0001", "rank 0002", "rank 0003", "rank 0004", "rank 0005", "incidents")
                .doesNotContain("rank 0000", "rank 0006");
        TreeSet<String> steps = new TreeSet<>();
        file.slices.stream().filter(s -> s.track().equals("steps")).forEach(s -> steps.add(s.name()));
        assertThat(steps).containsExactly("step 24", "step 25", "step 26", "step 27");
        assertThat(file.instants.getFirst().name()).startsWith("compute-straggler: ");
        assertThat(file.instants.getFirst().details()).containsEntry("ranks", "3");
        assertThat(file.counts.stream().map(PerfettoFile.Count::track)).contains("step time");
        assertThat(file.about).containsKey("argus.clock");
        Map<Long, TreeSet<String>> flows = new HashMap<>();
        file.slices.forEach(s -> s.flows()
                .forEach(f -> flows.computeIfAbsent(f, x -> new TreeSet<>()).add(s.process())));
        assertThat(flows.values())
                .isNotEmpty()
                .allMatch(ranks -> ranks.size() <= 5)
                .anyMatch(ranks -> ranks.size() == 5);
    }

    @Test
    void ranksAndStepsCanBeChosen() throws IOException {
        Path out = folder.resolve("job.pftrace");

        Run run = export("perfetto", out, "--ranks", "0,7-8", "--steps", "23");

        assertThat(run.err()).contains("ranks 0,7-8, steps 23 to 23");
        PerfettoFile file = perfetto(out);
        assertThat(file.processes.values().stream().map(PerfettoFile.Owner::name))
                .containsExactlyInAnyOrder("rank 0000", "rank 0007", "rank 0008", "incidents");
    }

    @Test
    void chromeHasTheSameSlicesAsPerfetto() throws IOException {
        Path chrome = folder.resolve("job.json");
        Path pftrace = folder.resolve("job.pftrace");
        export("chrome", chrome);
        export("perfetto", pftrace);

        JsonNode root = JsonMapper.shared().readTree(Files.readString(chrome));

        long base = root.get("baseTimeNanoseconds").asLong();
        Map<Long, String> processes = new HashMap<>();
        Map<String, String> threads = new HashMap<>();
        List<String> rows = new ArrayList<>();
        for (JsonNode e : root.get("traceEvents")) {
            String key = e.get("pid").asLong() + "/" + e.get("tid").asLong();
            switch (e.get("name").asString() + e.get("ph").asString()) {
                case "process_nameM" ->
                    processes.put(
                            e.get("pid").asLong(), e.get("args").get("name").asString());
                case "thread_nameM" ->
                    threads.put(key, e.get("args").get("name").asString());
                default -> {
                    if (e.get("ph").asString().equals("X")) {
                        rows.add(processes.get(e.get("pid").asLong()) + " " + threads.get(key) + " "
                                + e.get("name").asString() + " "
                                + (base + Math.round(e.get("ts").asDouble() * 1e3))
                                + " " + Math.round(e.get("dur").asDouble() * 1e3));
                    }
                }
            }
        }
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(perfetto(pftrace).slices.stream()
                        .map(s -> s.process() + " " + (s.group().isEmpty() ? "" : s.group() + " ") + s.track() + " "
                                + s.name() + " " + s.start() + " " + s.duration())
                        .toList());
        assertThat(root.get("otherData").has("argus.clock")).isTrue();
    }

    @Test
    void stacksAreWrittenForFlameGraphsAndSpeedscope() throws IOException {
        Path stacks = Files.createDirectory(folder.resolve("stacks"));
        Files.writeString(stacks.resolve("rank3.txt"), "main;train;wait 7\nmain;load \u001b[31m 3\n");
        Path lines = folder.resolve("out.txt");
        Path scope = folder.resolve("out.json");

        assertThat(run("export", "collapsed", stacks.toString(), "--out", lines.toString())
                        .exitCode())
                .isZero();
        assertThat(run("export", "speedscope", stacks.toString(), "--out", scope.toString())
                        .exitCode())
                .isZero();

        assertThat(Files.readAllLines(lines))
                .containsExactly(
                        "rank 0003 (rank3.txt);main;train;wait 7", "rank 0003 (rank3.txt);main;load \\x1b[31m 3");
        JsonNode root = JsonMapper.shared().readTree(Files.readString(scope));
        JsonNode profile = root.get("profiles").get(0);
        List<String> frames = new ArrayList<>();
        profile.get("samples")
                .get(0)
                .forEach(i -> frames.add(root.get("shared")
                        .get("frames")
                        .get(i.asInt())
                        .get("name")
                        .asString()));
        assertThat(frames).containsExactly("main", "train", "wait");
        assertThat(profile.get("weights").get(0).asLong()).isEqualTo(7);
        assertThat(profile.get("endValue").asLong()).isEqualTo(10);
    }

    @Test
    void ofManyStacksTheOddOneAndSomePeersAreWritten() throws IOException {
        Path stacks = Files.createDirectory(folder.resolve("stacks"));
        for (int rank = 0; rank < 16; rank++) {
            Files.writeString(
                    stacks.resolve("rank" + rank + ".txt"),
                    rank == 11
                            ? "main;train;load_batch 7\n"
                            : "main;train;all_reduce (torch/distributed/c10d.py:1) 7\n");
        }
        Path lines = folder.resolve("out.txt");

        Run run = run("export", "collapsed", stacks.toString(), "--out", lines.toString());

        assertThat(run.err()).contains("5 threads; ").contains("ranks 9-13 (suspects and peers)");
        assertThat(Files.readAllLines(lines)).hasSize(5).anyMatch(l -> l.contains("rank 0011") && l.contains("load"));
        run("export", "collapsed", stacks.toString(), "--all", "--out", lines.toString());
        assertThat(Files.readAllLines(lines)).hasSize(16);
    }

    @Test
    void filesWithoutATimelineAreNoTimelineOfNothing() throws IOException {
        Path stacks = Files.createDirectory(folder.resolve("stacks"));
        Files.writeString(stacks.resolve("rank3.txt"), "main;train;wait 7\nmain;load 3\n");
        Path out = folder.resolve("out.pftrace");

        for (String more : List.of("--all", "--plain")) {
            Run run = run("export", "perfetto", stacks.toString(), "--out", out.toString(), more);
            assertThat(run.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
            assertThat(run.err()).contains("no file has a timeline").contains("collapsed or speedscope");
        }
        assertThat(out).doesNotExist();
    }

    /** The ranks behind a link show little: those who wait for its transfers do. */
    @Test
    void ofASlowLinkItsSlowGroupsAreShown() throws IOException {
        Path out = folder.resolve("link.pftrace");
        Run made = Run.with(
                Diagnoser.LOCAL,
                Map.of(),
                "simulate",
                "--kind",
                "nic",
                "--topology",
                "tp=8,dp=4,pp=2",
                "--seed",
                "1",
                "--out",
                folder.resolve("nic").toString());
        assertThat(made.exitCode()).isZero();
        Verdict verdict = Diagnoser.LOCAL
                .diagnose(
                        List.of(folder.resolve("nic")),
                        new DiagnoseOptions(null, DiagnoseOptions.DEFAULT_INCIDENT_FLOOR_RATIO, false),
                        2,
                        Progress.NONE)
                .verdict();
        assertThat(verdict.incidents().getFirst().kind()).isEqualTo(IncidentKind.LINK_DEGRADED);
        RankSet group = verdict.incidents().getFirst().groups().getFirst().ranks();

        assertThat(run("export", "perfetto", folder.resolve("nic").toString(), "--out", out.toString())
                        .exitCode())
                .isZero();

        assertThat(perfetto(out).processes.values().stream().map(PerfettoFile.Owner::name))
                .containsAll(group.stream()
                        .mapToObj(rank -> String.format(Locale.ROOT, "rank %04d", rank))
                        .toList());
    }

    @Test
    void rangesOfATraceBecomeStacksWithTheirOwnTime() throws IOException {
        Path traces = Files.createDirectory(folder.resolve("traces"));
        Files.writeString(
                traces.resolve("rank0.json"),
                "{\"traceEvents\":[" + range("step", "1700000000000000", "100") + ","
                        + range("load", "1700000000000010", "30.5") + "," + range("a;b", "1700000000000020", "5")
                        + "]}");
        Path lines = folder.resolve("out.txt");

        assertThat(run("export", "collapsed", traces.toString(), "--out", lines.toString())
                        .exitCode())
                .isZero();

        String root = "rank 0000 (rank0.json);thread 1 of process 1;";
        assertThat(Files.readAllLines(lines))
                .containsExactly(root + "step 69500", root + "step;load 25500", root + "step;load;a,b 5000");
    }

    private static String range(String name, String ts, String dur) {
        return "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"" + name + "\",\"pid\":1,\"tid\":1,\"ts\":" + ts
                + ",\"dur\":" + dur + "}";
    }

    @Test
    void whereNothingIsToBeWrittenAnOldFileStays() throws IOException {
        Path out = Files.writeString(folder.resolve("old"), "old");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Files.writeString(empty.resolve("note.txt"), "no trace");

        assertThat(export("perfetto", out, "--ranks", "99").err())
                .startsWith(
                        "argus: nothing to write: no event of compute-straggler: rank 99, steps 24 to 27; the traces have ranks"
                                + " 0-15, steps 21 to ");
        assertThat(export("perfetto", out, "--ranks", "2", "--steps", "900-901").err())
                .startsWith("argus: nothing to write: no event of as asked: rank 2, steps 900 to 901; the traces have");
        Run run = run("export", "collapsed", empty.toString(), "--out", out.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
        assertThat(run.err()).hasLineCount(1).startsWith("argus: nothing to write: no CPU stack");
        assertThat(out).hasContent("old");
        assertThat(Objects.requireNonNull(folder.toFile().list())).containsExactlyInAnyOrder("old", "empty");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "export|export: found no FORMAT, expected perfetto, chrome, speedscope or collapsed; try:"
                        + " ./argus export perfetto traces/ --out job.pftrace",
                "export html .|export: found 'html', expected perfetto, chrome, speedscope or collapsed.",
                "export chrome|export: found no PATH, expected a folder or file of traces; try: ./argus export chrome"
                        + " traces/ --out FILE",
                "export chrome .|export: found no --out, expected the name of a file to write.",
                "export chrome . --out /|--out: '/' is a folder; give the name of a file.",
                "export chrome . --out /x --ranks 5-3|--ranks: found '5-3', expected ranks such as 0,3,8-15.",
                "export chrome . --out /x --steps a|--steps: found 'a', expected steps such as 20-24.",
                "export chrome . --out /x --all --steps 3|--all and --steps are both given, expected one of them."
            })
    void wrongUsageIsOneLine(String line, String expected) {
        Run run = run(line.replace("/x", folder.resolve("x").toString()).split(" "));

        assertThat(run.err()).isEqualTo("argus: " + expected + "\n");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
