package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.simulator.ScenarioKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {
    @TempDir
    private Path folder = Path.of("");

    private static Run simulate(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "simulate";
        System.arraycopy(args, 0, all, 1, args.length);
        return Run.with(Diagnoser.LOCAL, Map.of(), all);
    }

    @Test
    void whatIsSimulatedIsFoundByTheDiagnosis() {
        String job = folder.resolve("job").toString();

        Run run = simulate(
                "--out",
                job,
                "--kind",
                "compute",
                "--ranks",
                "8",
                "--rank",
                "3",
                "--factor",
                "1.4",
                "--onset",
                "25",
                "--noise",
                "quiet",
                "--dialect",
                "plain",
                "--seed",
                "11");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("8 ranks, dp8", "compute-straggler of rank 3 makes steps 25 to 31 longer by ");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int exitCode = Main.run(
                new String[] {"diagnose", job, "--exit-code"},
                InputStream.nullInputStream(),
                out,
                OutputStream.nullOutputStream());
        assertThat(exitCode).isEqualTo(ExitCode.INCIDENTS);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("SLOW: rank 3", "since step 25");
    }

    @Test
    void equalArgumentsWriteEqualFolders() throws IOException {
        for (String name : new String[] {"a", "b"}) {
            String out = folder.resolve(name).toString();
            assertThat(simulate("--out", out, "--kind", "gc,logging", "--topology", "tp=2,pp=2,dp=2", "--pause", "90")
                            .exitCode())
                    .isZero();
        }
        assertThat(folder.resolve("a/traces/rank00005.pt.trace.json.gz"))
                .hasSameBinaryContentAs(folder.resolve("b/traces/rank00005.pt.trace.json.gz"));
        assertThat(folder.resolve("a/truth.json")).hasSameBinaryContentAs(folder.resolve("b/truth.json"));
        assertThat(Files.readString(folder.resolve("a/truth.json"))).contains("\"gc-pause\"", "\"logging\"");
    }

    @Test
    void severalFoldersLieInsideTheGivenOne() throws IOException {
        Run run = simulate(
                "--out",
                folder.resolve("jobs").toString(),
                "--kind",
                "healthy",
                "--ranks",
                "8",
                "--steps",
                "3",
                "--seed",
                "5",
                "--count",
                "2",
                "--damage",
                "one-missing");

        assertThat(run.out()).hasLineCount(2).contains("one-missing");
        try (var jobs = Files.list(folder.resolve("jobs"))) {
            assertThat(jobs.map(p -> p.getFileName().toString())).containsExactlyInAnyOrder("healthy-5", "healthy-6");
        }
        try (var traces = Files.list(folder.resolve("jobs/healthy-5/traces"))) {
            assertThat(traces.count()).isEqualTo(7);
        }
    }

    @Test
    void afterARestartTheSameGpuHasAnotherRank() throws IOException {
        String job = folder.resolve("job").toString();

        Run run = simulate(
                "--out",
                job,
                "--topology",
                "dp=8",
                "--gpus-per-host",
                "4",
                "--rank",
                "2",
                "--attempts",
                "2",
                "--steps",
                "6",
                "--factor",
                "1.4",
                "--dialect",
                "plain",
                "--noise",
                "quiet");

        assertThat(run.out())
                .contains("attempt 0: 8 ranks", "compute-straggler of rank 2", "attempt 1: 8 ranks", "of rank 6");
        assertThat(Files.readString(folder.resolve("job/truth.json"))).contains("\"parts\": [{", "\"traces-1\"");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Main.run(
                new String[] {"diagnose", job, "--format", "json"},
                InputStream.nullInputStream(),
                out,
                OutputStream.nullOutputStream());
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"attempt\":0,\"ranks\":[2]", "\"attempt\":1,\"ranks\":[6]");
    }

    private String diagnosed(String job) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Main.run(
                new String[] {"diagnose", job, "--format", "json"},
                InputStream.nullInputStream(),
                out,
                OutputStream.nullOutputStream());
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Who does not arrive is named from what is left of a job that stands still, and nothing is made up without it. */
    @Test
    void aJobThatHangsIsNamedWithWhoDoesNotArrive() throws IOException {
        Path job = folder.resolve("hang");
        Run run = simulate(
                "--out",
                job.toString(),
                "--kind",
                "hang",
                "--topology",
                "tp=2,dp=4,pp=2",
                "--rank",
                "5",
                "--onset",
                "25");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("flight recorder dumps of step 25; hang: rank 5 stops within it");
        assertThat(Files.readString(job.resolve("truth.json")))
                .contains("\"kind\": \"hang\"", "\"acceptable_suspects\": [5]");
        assertThat(diagnosed(job.toString())).contains("\"kind\":\"hang\"", "\"ranks\":[5]");

        try (Stream<Path> dumps = Files.list(job.resolve("flight"))) {
            for (Path dump : dumps.toList()) {
                Files.delete(dump);
            }
        }
        assertThat(diagnosed(job.toString())).as("traces have what ended").contains("\"incidents\":[]");
    }

    /** Where all have come nobody is accused before the others, and the group is named. */
    @Test
    void aCollectiveThatNeverEndsIsNamedWithItsGroup() throws IOException {
        Path job = folder.resolve("stuck");
        Run run = simulate(
                "--out", job.toString(), "--kind", "hang-collective", "--topology", "tp=2,dp=4", "--rank", "3");
        assertThat(run.err()).isEmpty();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Main.run(
                new String[] {"diagnose", job.toString()},
                InputStream.nullInputStream(),
                out,
                OutputStream.nullOutputStream());
        assertThat(out.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " "))
                .contains("NOBODY IS MISSING, but collectives are open that all of their members have called")
                .contains(
                        "All GPUs of ranks 1,3,5,7 have begun ",
                        " of DATA_PARALLEL_GROUP_WITH_CP, and it has ended for none of them")
                .doesNotContain("OK:");
    }

    @Test
    void aHangStandsAlone() {
        assertThat(simulate("--out", "x", "--kind", "hang,nic").err()).contains("found hang beside another kind");
        assertThat(simulate("--out", "x", "--kind", "hang", "--factor", "1.3").err())
                .contains("--factor does not go with --kind hang");
        assertThat(simulate(
                                "--out",
                                folder.resolve("y").toString(),
                                "--kind",
                                "hang",
                                "--first-step",
                                "9",
                                "--onset",
                                "9")
                        .err())
                .contains("the job stops in step 9, must be above 9");
    }

    @Test
    void theListNamesEveryKind() {
        Run run = simulate("--list");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()
                        .lines()
                        .map(line -> line.strip().replaceFirst(" .*", ""))
                        .toList())
                .containsAll(Arrays.stream(ScenarioKind.values())
                        .map(ScenarioKind::word)
                        .toList());
    }

    @Test
    void whatIsInAFolderIsLeftAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("mine.txt"), "mine");

        Run run = simulate("--out", folder.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo(
                        "argus: --out: '" + folder + "' is not empty; give another folder, or remove what is in it.\n");
        assertThat(file).hasContent("mine");
        assertThat(simulate("--out", file.toString()).err())
                .contains("is a file; give the name of a new or empty folder.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--kind nic|simulate: found no --out, expected a folder to write; try: ./argus simulate --out job",
                "--out x --kind comptue|--kind: found 'comptue', expected a kind of scenario; did you mean compute?"
                        + " see: ./argus simulate --list",
                "--out x --severity huge|--severity: found 'huge', expected strong or weak or mild.",
                "--out x --kind nic --severity mild|simulate: severity is mild, which nic cannot be; mild are compute,"
                        + " half, repaired and compute-flapping.",
                "--out x --kind nic --ranks 16|simulate: nic needs 3 hosts or more, the layout has 2; give more ranks,"
                        + " or fewer GPUs a host.",
                "--out x --ranks 8 --rank 8|simulate: rank is 8, must be below 8, the number of ranks.",
                "--out x --factor 1|--factor: found '1', expected a number above 1 and up to 1000, such as 1.3.",
                "--out x --topology ep=3,dp=8|--topology: found ep=3, expected a divisor of dp x cp, 8: experts lie"
                        + " inside the data dimension.",
                "--out x --damage lost|--damage: found 'lost', expected one or more of none, one-missing, half-missing,"
                        + " culprit-missing, other-windows, dropped, doubled.",
                "--out x --dialect new|--dialect: found 'new', expected one or more of plain, old-names, no-groups,"
                        + " no-steps, no-ranges, shuffled-streams.",
                "--out x --ranks 8 --first-step 10 --steps 4 --onset 20|simulate: the fault begins at step 20, must be in"
                        + " 10 to 13."
            })
    void wrongUsageIsOneLineAndWritesNothing(String line, String expected) {
        Run run =
                simulate(line.replace("--out x", "--out " + folder.resolve("x")).split(" "));

        assertThat(run.err()).isEqualTo("argus: " + expected + "\n");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(folder.resolve("x")).doesNotExist();
    }
}
