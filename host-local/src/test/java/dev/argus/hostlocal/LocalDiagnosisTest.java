package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.DataProblem;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.TraceFacts;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.WrittenJob;
import dev.argus.testkit.WrittenJob.RankFacts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of traces to verdicts. */
class LocalDiagnosisTest {
    @TempDir
    Path folder = Path.of("");

    private static KinetoJob job() {
        return KinetoJob.of(8).withHosts(2).withSteps(21, 8);
    }

    private WrittenJob write(KinetoJob job) throws IOException {
        return KinetoTraceWriter.write(folder, job);
    }

    private static List<String> kinds(Diagnosis d) {
        return d.verdict().quality().problems().stream().map(DataProblem::kind).toList();
    }

    private static DataProblem problem(Diagnosis d, String kind) {
        return d.verdict().quality().problems().stream()
                .filter(p -> p.kind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " among " + kinds(d)));
    }

    @Test
    void theSlowRankIsNamed() throws IOException {
        write(job().withSlowRank(3, 1.3, 24));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isTrue();
        assertThat(d.verdict().incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.COMPUTE_STRAGGLER);
            assertThat(i.ranks()).isEqualTo(RankSet.of(3));
            assertThat(i.hosts()).containsExactly("gpu-h0");
            assertThat(i.firstStep()).isEqualTo(24);
            assertThat(i.lastStep()).isEqualTo(28);
            assertThat(i.kernels()).isNotEmpty();
        });
    }

    @Test
    void theStallIsNamed() throws IOException {
        write(job().withStall(5, 24, 400));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isIn(IncidentKind.DATA_STALL, IncidentKind.CPU_STALL);
            assertThat(i.ranks()).isEqualTo(RankSet.of(5));
            assertThat(i.firstStep()).isBetween(23L, 25L);
            assertThat(i.lastStep()).isBetween(23L, 25L);
        });
    }

    @Test
    void aHealthyJobIsSilentAndItsFiguresAreThoseOfTheWriter() throws IOException {
        WrittenJob written = write(job().withHostClockSpreadNanos(50_000_000));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents()).isEmpty();
        assertThat(d.verdict().quality().problems()).isEmpty();
        assertThat(d.verdict().job().ranks()).isEqualTo(8);
        assertThat(d.verdict().job().hosts()).isEqualTo(2);
        assertThat(d.verdict().traces()).hasSize(8);
        for (TraceFacts t : d.verdict().traces()) {
            RankFacts w = written.ranks().get(t.rank());
            assertThat(t.kernels()).isEqualTo(w.kernels());
            assertThat(t.kernelNanos()).isEqualTo(w.kernelNanos());
            assertThat(t.commNanos()).isEqualTo(w.commNanos());
            assertThat(t.busyNanos()).isEqualTo(w.busyNanos());
            assertThat(t.host()).isEqualTo(w.host());
            assertThat(t.steps().stream().map(TraceFacts.StepDuration::nanos))
                    .containsExactlyElementsOf(
                            w.steps().stream().map(WrittenJob.StepNanos::nanos).toList());
        }
    }

    /** D16: who has no peers is not compared, and that is said. */
    @Test
    void noPeersIsSaid() throws IOException {
        write(KinetoJob.of(1).withSteps(21, 8).withSlowRank(0, 1.5, 25));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents()).noneMatch(i -> i.ranks().contains(0));
        assertThat(problem(d, "not-comparable").ranks()).isEqualTo(RankSet.of(0));
    }

    @Test
    void anEmptyFolderIsOneClearLine() {
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isFalse();
        assertThat(d.failure()).isNotEmpty().doesNotContain("\n");
        assertThat(d.verdict().incidents()).isEmpty();
    }

    @Test
    void aMissingPathIsOneClearLine() {
        Diagnosis d = Diagnosing.of(folder.resolve("nowhere"));
        assertThat(d.analysed()).isFalse();
        assertThat(d.failure()).contains("nowhere").doesNotContain("\n");
    }

    @Test
    void junkIsOneClearLine() throws IOException {
        Files.write(folder.resolve("a.json"), new byte[] {0, 1, 2, 3, (byte) 0xff});
        Files.writeString(folder.resolve("b.json"), "{\"traceEvents\": [{{{");
        Files.write(folder.resolve("c.json.gz"), new byte[] {31, (byte) 0x8b, 8, 0, 77});
        Files.write(folder.resolve("d.json"), new byte[0]);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isFalse();
        assertThat(d.failure()).isNotEmpty().doesNotContain("\n");
    }

    /** A file that cannot be read never stops the others. */
    @Test
    void junkBesideAJobIsAProblemOfItsOwn() throws IOException {
        write(job().withSlowRank(3, 1.3, 24));
        Files.writeString(folder.resolve("notes.json"), "{\"traceEvents\": [{{{");
        Files.writeString(folder.resolve("README.txt"), "hello");
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isTrue();
        assertThat(d.verdict().incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(3)));
    }

    /** K1: two files without a rank are never both rank 0. */
    @Test
    void unknownRanksAreNotInvented() throws IOException {
        write(KinetoJob.of(2).withGzip(false));
        for (int r = 0; r < 2; r++) {
            Path file = folder.resolve(KinetoJob.of(2).withGzip(false).fileName(r));
            String text = Files.readString(file).replaceAll("\"distributedInfo\": \\{.*\\},\n", "");
            assertThat(text).doesNotContain("distributedInfo");
            text = text.replace(file.getFileName().toString(), "x");
            Files.writeString(folder.resolve((r == 0 ? "alpha" : "beta") + ".json"), text);
            Files.delete(file);
        }
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().traces()).extracting(TraceFacts::rank).containsOnly(-1);
        assertThat(d.verdict().quality().problems())
                .filteredOn(p -> p.kind().equals("rank-unknown"))
                .anyMatch(p -> p.detail().contains("alpha") && p.detail().contains("beta"))
                .noneMatch(p -> p.detail().contains("\n"));
        assertThat(d.verdict().incidents()).isEmpty();
    }

    /** K2: the same rank twice at the same time is a conflict, and neither is used. */
    @Test
    void aRankTwiceAtTheSameTimeIsAConflict() throws IOException {
        write(job().withSlowRank(3, 1.3, 24));
        Files.copy(folder.resolve(job().fileName(3)), folder.resolve("copy-of-3.json.gz"));
        Diagnosis d = Diagnosing.of(folder);
        DataProblem p = problem(d, "duplicate-rank");
        assertThat(p.ranks()).isEqualTo(RankSet.of(3));
        assertThat(p.detail()).contains("copy-of-3").contains(job().fileName(3));
        assertThat(d.verdict().incidents())
                .as("neither file is used; only the waits of the others may name the rank")
                .allSatisfy(i -> {
                    assertThat(i.kind()).isEqualTo(IncidentKind.STRAGGLER);
                    assertThat(i.summary()).contains("rank 3 has no trace");
                });
        assertThat(d.verdict().quality().ranksRead()).isEqualTo(7);
        assertThat(problem(d, "missing-trace").ranks()).isEqualTo(RankSet.of(3));
    }

    /** K2: at disjoint times they are two attempts of the job, each judged by itself. */
    @Test
    void aRankTwiceAtDifferentTimesIsTwoAttempts() throws IOException {
        KinetoTraceWriter.write(folder.resolve("first"), job().withGzip(false));
        KinetoTraceWriter.write(folder.resolve("second"), job().withGzip(false).withSlowRank(2, 1.4, 21));
        later(folder.resolve("second"));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(kinds(d)).doesNotContain("duplicate-rank");
        assertThat(d.verdict().traces())
                .hasSize(16)
                .allSatisfy(t -> assertThat(t.attempt()).isEqualTo(t.file().contains("first") ? 0 : 1));
        assertThat(d.verdict().incidents()).singleElement().satisfies(i -> {
            assertThat(i.attempt()).isEqualTo(1);
            assertThat(i.ranks()).isEqualTo(RankSet.of(2));
        });
    }

    /** Moves all traces of a folder by an hour. */
    private static void later(Path traces) throws IOException {
        try (var files = Files.list(traces)) {
            for (Path file : files.toList()) {
                String text = Files.readString(file);
                String moved = text.replaceFirst(
                        "\"baseTimeNanoseconds\": \\d+", "\"baseTimeNanoseconds\": 1800000000000000000");
                assertThat(moved).isNotEqualTo(text);
                Files.writeString(file, moved);
            }
        }
    }

    /** Different world sizes at the same time are different jobs: one line, no verdict on either. */
    @Test
    void twoJobsAreNotMixed() throws IOException {
        KinetoTraceWriter.write(folder.resolve("a"), KinetoJob.of(4).withSlowRank(1, 2, 21));
        KinetoTraceWriter.write(folder.resolve("b"), KinetoJob.of(8));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isFalse();
        assertThat(d.failure())
                .contains("different jobs")
                .contains("4")
                .contains("8")
                .doesNotContain("\n");
        assertThat(d.verdict().incidents()).isEmpty();
    }

    /** K11: what was cut is used until the cut, and its last step is not compared. */
    @Test
    void aCutFileIsUsedUntilTheCut() throws IOException {
        write(job().withSlowRank(3, 1.3, 21));
        Path file = folder.resolve(job().fileName(6));
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length * 6 / 10));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isTrue();
        assertThat(d.verdict().incidents())
                .extracting(Incident::ranks)
                .as("the cut rank is not fast or slow")
                .containsExactly(RankSet.of(3));
        assertThat(d.verdict().quality().problems())
                .anySatisfy(p ->
                        assertThat(p.ranks().isEmpty() || p.ranks().contains(6)).isTrue());
    }

    /** K12: without GPU events on some ranks the others are judged. */
    @Test
    void ranksWithoutGpuEventsAreNamedAndNotCompared() throws IOException {
        write(job().withSlowRank(3, 1.3, 21));
        Path file = folder.resolve(job().fileName(6));
        String text;
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String cpuOnly = text.replace("\"cat\": \"kernel\"", "\"cat\": \"gone\"")
                .replace("\"cat\": \"gpu_memcpy\"", "\"cat\": \"gone\"")
                .replace("\"cat\": \"gpu_user_annotation\"", "\"cat\": \"gone\"")
                .replace("\"cat\": \"gpu_memset\"", "\"cat\": \"gone\"");
        assertThat(cpuOnly).isNotEqualTo(text);
        gzip(file, cpuOnly);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(problem(d, "no-gpu-events").ranks()).isEqualTo(RankSet.of(6));
        assertThat(d.verdict().incidents()).extracting(Incident::ranks).containsExactly(RankSet.of(3));
    }

    private static void gzip(Path file, String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        Files.write(file, bytes.toByteArray());
    }

    /** Names are hostile; in the verdict they are what they are. */
    @Test
    void hostileNamesSurviveExactly() throws IOException {
        KinetoJob small = KinetoJob.of(4)
                .withSteps(21, 6)
                .withLayers(1, 2)
                .withGzip(false)
                .withSlowRank(2, 1.6, 21);
        write(small);
        // Escape, NUL, line feed, right-to-left override, a lone surrogate's neighbour, markup; and a megabyte of it.
        String evil = "nvjet\u001b[31m\u0000\n\u202Egemm\uD83D\uDE00<script>\"\\'" + "x".repeat(1 << 20);
        String host = "node\u001b]0;\u202E<b>";
        for (int r = 0; r < 4; r++) {
            Path file = folder.resolve(small.fileName(r));
            String text = Files.readString(file);
            String changed = text.replace("\"nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT\"", json(evil))
                    .replace("\"gpu-h0\"", json(host));
            assertThat(changed.length()).isGreaterThan(text.length() + (1 << 20));
            Files.writeString(file, changed);
        }
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents()).singleElement().satisfies(i -> {
            assertThat(i.ranks()).isEqualTo(RankSet.of(2));
            assertThat(i.kernels().stream().anyMatch(evil::equals)).isTrue();
            assertThat(i.hosts()).containsExactly(host);
        });
        assertThat(d.verdict().traces()).allSatisfy(t -> assertThat(t.host()).isEqualTo(host));
    }

    private static String json(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\' || c > 0x7e) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    @Test
    void thresholdsAreListedWhenAskedFor() throws IOException {
        write(KinetoJob.of(2));
        Diagnosis d = Diagnosing.of(List.of(folder), new DiagnoseOptions(null, 0.005, true));
        assertThat(d.explain())
                .anyMatch(l -> l.startsWith("incident floor: 0.005"))
                .anyMatch(l -> l.matches("kernel summaries: \\d+ compute kernels in .*"))
                .anyMatch(l -> l.matches(
                        "kernel summaries: lost 0\\.[0-9]+ % of the time .* worst summary 0\\..*without room: 0"));
        assertThat(Diagnosing.of(folder).explain()).isEmpty();
    }
}
