package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.DiagnoseOptions;
import dev.argus.hostlocal.Diagnosis;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private static final Diagnosis SLOW = Objects.requireNonNull(Verdicts.ALL.get("one-incident"));
    private static final Diagnosis HEALTHY = Objects.requireNonNull(Verdicts.ALL.get("healthy"));
    private static final Diagnosis NOTHING = Objects.requireNonNull(Verdicts.ALL.get("nothing"));

    @TempDir
    private Path folder = Path.of("");

    @Test
    void exitCodesTellWhatHappened() {
        assertThat(Run.of(SLOW, "diagnose", ".").exitCode()).isZero();
        assertThat(Run.of(SLOW, "diagnose", ".", "--exit-code").exitCode()).isEqualTo(10);
        assertThat(Run.of(HEALTHY, "diagnose", ".", "--exit-code").exitCode()).isZero();
        assertThat(Run.of(NOTHING, "diagnose", ".", "--exit-code").exitCode()).isEqualTo(1);
        assertThat(Run.of(SLOW).exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "-h",
                "--version",
                "-V",
                "diagnose --help",
                "simulate --help",
                "export --help",
                "bench --help"
            })
    void helpGoesToStandardOutput(String line) {
        Run run = Run.of(SLOW, line.split(" "));
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("argus").doesNotContain("\u001b");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void helpListsOnlyCommandsThatExist() {
        String help = Run.of(SLOW, "--help").out();
        assertThat(help)
                .contains("diagnose", "simulate", "export", "agent", "serve", "query", "bench")
                .doesNotContain("html");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "foo|found 'foo', expected a command; see: ./argus --help",
                "diagnsoe .|found 'diagnsoe', expected a command; did you mean diagnose? see: ./argus --help",
                "--foo|found '--foo', which is no option here; see: ./argus --help",
                "diagnose|diagnose: found no PATH, expected a folder or file of traces; try: ./argus diagnose example/traces",
                "diagnose . --fromat json|found '--fromat', which is no option here; did you mean --format?"
                        + " see: ./argus diagnose --help",
                "diagnose . --format|--format has no value, expected FORMAT after it; see: ./argus diagnose --help",
                "diagnose . --format pdf|--format: found 'pdf', expected text or json or html.",
                "diagnose . --format text --format json|--format is given twice, expected once;"
                        + " see: ./argus diagnose --help",
                "diagnose . --threads 0|--threads: found '0', expected a whole number from 1 to 1024.",
                "diagnose . --threads 99999999999|--threads: found '99999999999', expected a whole number from 1 to 1024.",
                "diagnose . --floor 5%|--floor: found '5%', expected a number from 0 to 1, such as 0.005.",
                "diagnose . --floor 1.5|--floor: found '1.5', expected a number from 0 to 1, such as 0.005.",
                "diagnose . --floor NaN|--floor: found 'NaN', expected a number from 0 to 1, such as 0.005.",
                "diagnose . --out /|--out: '/' is a folder; give the name of a file.",
                "diagnose . --out /nope/v.json|--out: '/nope/v.json' is in a folder that does not exist; create '/nope' first.",
                "diagnose . --topology tp|--topology: 'tp' is neither a layout nor a file; expected dimensions with sizes,"
                        + " fastest first, such as tp=2,dp=8,pp=4, or a file with that text.",
                "bench reader|bench has a class path of its own, which the start script builds; run: ./argus bench NAME"
            })
    void wrongUsageIsOneLine(String line, String expected) {
        Run run = Run.of(SLOW, line.split(" "));
        assertThat(run.err()).isEqualTo("argus: " + expected + "\n");
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void hostileArgumentsAreEchoedSafely() {
        for (String[] args : new String[][] {
            {"\u001b[31m"}, {"diagnose", ".", "--\u001b[31m"}, {"diagnose", ".", "--format", "\u001b[31m\n"},
            {"diagnose", "\u001b[31m\n"}, {"diagnose", "a\u0000\u001b"}, {"diagnose", ".", "--out", "/nope\u001b/x"},
            {"diagnose", ".", "--topology", "\u001b=1"}, {"diagnose", ".", "--explain=\u001b"}
        }) {
            Run run = Run.of(SLOW, args);
            assertThat(run.exitCode()).isBetween(1, 2);
            assertThat(run.err()).doesNotContain("\u001b").hasLineCount(1);
        }
    }

    @Test
    void optionsReachTheAnalysis() {
        AtomicReference<DiagnoseOptions> seen = new AtomicReference<>();
        Diagnoser spy = (paths, options, threads, progress) -> {
            seen.set(options);
            assertThat(paths).hasSize(2);
            assertThat(threads).isEqualTo(3);
            return SLOW;
        };
        Run.with(
                spy,
                Map.of(),
                "diagnose",
                ".",
                "..",
                "--threads=3",
                "--floor",
                "0.01",
                "--topology=dp=8,tp=2",
                "--explain");
        DiagnoseOptions options = Objects.requireNonNull(seen.get());
        assertThat(options.incidentFloorRatio()).isEqualTo(0.01);
        assertThat(options.explain()).isTrue();
        assertThat(Objects.requireNonNull(options.topology()).order()).containsExactly("dp", "tp");
    }

    @Test
    void aMissingPathIsNotHealthy() {
        Run run = Run.of(HEALTHY, "diagnose", "/nope", "--format", "json");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("\"analysed\":false").endsWith("}\n");
        assertThat(run.err())
                .isEqualTo(
                        "argus: nothing analysed: path '/nope' does not exist; give a folder or file of traces (profiler traces,"
                                + " torch lists or operation timelines; .json, .gz or .zst).\n");
    }

    @Test
    void anUnexpectedFailureIsOneLineUnlessAskedFor() {
        Diagnoser broken = (paths, options, threads, progress) -> {
            throw new IllegalStateException("bad\u001b state");
        };
        Run run = Run.with(broken, Map.of(), "diagnose", ".", "--format", "json");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo(
                        "argus: nothing analysed: internal error: IllegalStateException: bad\\x1b state; run again with"
                                + " ARGUS_DEBUG=1 and report the output.\n");
        assertThat(run.out()).contains("\"analysed\":false");
        assertThat(Run.with(broken, Map.of("ARGUS_DEBUG", "1"), "diagnose", ".").err())
                .contains("\tat ");
    }

    @Test
    void outWritesTheFileAndNothingElse() throws IOException {
        Path file = folder.resolve("v.json");
        Files.writeString(file, "old");
        Run run = Run.of(SLOW, "diagnose", ".", "--format", "json", "--out", file.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(Files.readString(file))
                .isEqualTo(Run.of(SLOW, "diagnose", ".", "--format", "json").out());
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void outDoesNotOverwriteWhatIsRead() throws IOException {
        Path traces = Files.createDirectory(folder.resolve("traces"));
        Path trace = traces.resolve("rank0.json");
        Files.writeString(trace, "{\"traceEvents\":[]}");
        for (Path input : new Path[] {trace, traces, folder}) {
            Run run = Run.of(SLOW, "diagnose", input.toString(), "--out", trace.toString());
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err())
                    .isEqualTo("argus: --out: '" + trace
                            + "' is one of the files to be read and would be lost; choose another name.\n");
        }
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), trace);
        assertThat(Run.of(SLOW, "diagnose", traces.toString(), "--out", link.toString())
                        .exitCode())
                .isEqualTo(2);
        assertThat(Files.readString(trace)).isEqualTo("{\"traceEvents\":[]}");
    }

    @Test
    void outReplacesAnEarlierReportAmongTheTraces() throws IOException {
        Files.writeString(folder.resolve("rank0.json"), "{\"traceEvents\":[]}");
        for (String format : new String[] {"text", "json"}) {
            String file = folder.resolve("report." + format).toString();
            for (int i = 0; i < 2; i++) {
                Run run = Run.of(SLOW, "diagnose", folder.toString(), "--format", format, "--out", file);
                assertThat(run.exitCode()).as(run.err()).isZero();
            }
        }
    }

    @Test
    void aFullDeviceIsAFailureAndAClosedPipeIsNot() {
        assertThat(writingTo("No space left on device")).isEqualTo(1);
        assertThat(writingTo("Broken pipe")).isZero();
    }

    @Test
    void theEntryRunsWithoutEndingTheJvm() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(Main.run(
                        new String[] {"--version"},
                        InputStream.nullInputStream(),
                        out,
                        OutputStream.nullOutputStream()))
                .isZero();
        assertThat(out.toString(java.nio.charset.StandardCharsets.UTF_8)).startsWith("argus ");
    }

    private static int writingTo(String failure) {
        OutputStream out = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(failure);
            }
        };
        Surroundings around = Surroundings.piped(out, OutputStream.nullOutputStream(), Map.of());
        return new Cli(around, (paths, options, threads, progress) -> SLOW).run("diagnose", ".");
    }
}
