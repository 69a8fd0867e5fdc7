package dev.argus.benchmarks;

import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.WrittenJob;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How long a user waits for {@code ./argus}: until help, and until the verdict on a small job. */
final class StartBench implements Bench {
    private static final int HELP_RUNS = 10;
    private static final int DIAGNOSE_RUNS = 5;
    private static final int SLOW_RANK = 3;
    private static final long FILE_BYTES = 2_500_000;

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String about() {
        return "time of ./argus until help and until the verdict on 8 ranks";
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, InterruptedException, CannotMeasure {
        Path launcher = launcher();
        try (Scratch scratch = new Scratch()) {
            Path errors = scratch.folder("log").resolve("errors.txt");
            request.progress().accept("timing " + launcher + " --help");
            List<Figure> figures = new ArrayList<>();
            figures.add(help(launcher, errors));
            request.progress().accept("timing a small diagnosis");
            diagnosis(figures, launcher, scratch, errors, request);
            return figures;
        }
    }

    private static Figure help(Path launcher, Path errors) throws IOException, InterruptedException, CannotMeasure {
        List<String> command = List.of(launcher.toString(), "--help");
        List<Double> runs = new ArrayList<>();
        for (int i = -1; i < HELP_RUNS; i++) {
            ChildRun run = ChildRun.of(command, errors);
            if (run.exitCode() != 0) {
                throw new CannotMeasure(launcher + " --help ended with " + run.exitCode() + ", expected 0: "
                        + Files.readString(errors).strip());
            }
            if (i >= 0) { // the first may build
                runs.add(run.wallSeconds());
            }
        }
        return Figure.median(
                "helpSeconds", "s", runs, "wall time of ./argus --help as a child process", Bar.atMost(0.3));
    }

    private static void diagnosis(
            List<Figure> figures, Path launcher, Scratch scratch, Path errors, BenchRequest request)
            throws IOException, InterruptedException {
        KinetoJob job = KinetoJob.of(8)
                .withHosts(2)
                .withSteps(21, 8)
                .withSlowRank(SLOW_RANK, 1.3, 21)
                .withBytesPerFile(FILE_BYTES);
        WrittenJob written = KinetoTraceWriter.write(scratch.folder("traces"), job);
        List<String> command =
                List.of(launcher.toString(), "diagnose", written.folder().toString(), "--format", "json");
        List<Double> walls = new ArrayList<>();
        List<Double> firstBytes = new ArrayList<>();
        VerdictDigest verdict = new VerdictDigest(0, Set.of());
        for (int i = -1; i < DIAGNOSE_RUNS; i++) {
            ChildRun run = ChildRun.of(command, errors);
            verdict = VerdictDigest.of(run.output());
            if (run.exitCode() != 0 || run.firstByteNanos() < 0) {
                request.progress()
                        .accept("not measured: diagnose ended with " + run.exitCode() + ": "
                                + Files.readString(errors).strip());
                return;
            }
            if (i >= 0) {
                walls.add(run.wallSeconds());
                firstBytes.add(run.firstByteSeconds());
            }
        }
        String what =
                "./argus diagnose of 8 ranks, " + written.rawBytes() + " B uncompressed, made with seed " + job.seed();
        figures.add(Figure.median("diagnoseSeconds", "s", walls, what + ", to the end", Bar.atMost(3)));
        figures.add(Figure.median(
                "diagnoseFirstByteSeconds", "s", firstBytes, what + ", to the first byte of JSON", Bar.atMost(1)));
        figures.add(Figure.count(
                "diagnoseKernels",
                "1",
                verdict.kernels(),
                "kernels in the verdict against those written",
                Bar.exactly(written.kernels())));
        figures.add(Figure.count(
                "diagnoseNamesSlowRank",
                "1",
                verdict.accused().contains(SLOW_RANK) ? 1 : 0,
                "1 if an incident names rank " + SLOW_RANK + "; all ranks named: " + verdict.accused(),
                Bar.exactly(1)));
    }

    /** The start script: in ARGUS_HOME, in the property argus.home, or in a folder above our own jar. */
    static Path launcher() throws CannotMeasure {
        for (String home : new String[] {System.getenv("ARGUS_HOME"), System.getProperty("argus.home")}) {
            if (home != null && Files.isExecutable(Path.of(home, "argus"))) {
                return Path.of(home, "argus").toAbsolutePath();
            }
        }
        for (Path folder = ownPlace(); folder != null; folder = folder.getParent()) {
            Path script = folder.resolve("argus");
            if (Files.isRegularFile(script) && Files.isExecutable(script)) {
                return script;
            }
        }
        throw new CannotMeasure("the start script was not found: set ARGUS_HOME to the folder which has ./argus");
    }

    private static @Nullable Path ownPlace() {
        try {
            return Path.of(StartBench.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null; // not from a file: there is no folder to look in
        }
    }
}
