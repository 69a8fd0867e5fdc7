package dev.argus.benchmarks;

import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.WrittenJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** 1 GiB of compressed traces of 64 distinct ranks, diagnosed by a child JVM with the flags of ./argus. */
final class FullDiagnosis {
    private static final long GIBIBYTE = 1L << 30;
    private static final int RANKS = 64;
    private static final int SLOW_RANK = 37;
    private static final long FILE_BYTES = 180_000_000;
    private static final double MIB = 1L << 20;

    private final Consumer<String> progress;

    FullDiagnosis(Consumer<String> progress) {
        this.progress = progress;
    }

    void measure(List<Figure> figures, Scratch scratch) throws IOException, InterruptedException {
        KinetoJob job = KinetoJob.of(RANKS)
                .withHosts(8)
                .withSteps(21, 20)
                .withLayers(32, 12)
                .withSlowRank(SLOW_RANK, 1.25, 21)
                .withBytesPerFile(FILE_BYTES);
        progress.accept("writing 1 GiB of compressed traces of " + RANKS + " ranks");
        long start = System.nanoTime();
        WrittenJob written = write(scratch.folder("full"), job);
        double seconds = (System.nanoTime() - start) / 1e9;
        String data = RANKS + " ranks, seed " + job.seed() + ", " + written.rawBytes() + " B uncompressed, written in "
                + Figure.plain(seconds) + " s";
        figures.add(Figure.count("fullFileBytes", "B", written.fileBytes(), data, Bar.atLeast((double) GIBIBYTE)));

        progress.accept("diagnosing them with -Xmx512m");
        Path errors = scratch.folder("log").resolve("errors.txt");
        ChildRun run = ChildRun.of(command(written.folder()), errors);
        if (run.exitCode() != 0) {
            progress.accept("diagnose ended with " + run.exitCode() + ": "
                    + Files.readString(errors).strip());
        }
        describe(figures, written, run);
    }

    private static WrittenJob write(Path folder, KinetoJob job) throws IOException, InterruptedException {
        try (ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            return KinetoTraceWriter.write(folder, job, threads);
        }
    }

    private static List<String> command(Path folder) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.argus.cli.Main",
                "diagnose",
                folder.toString(),
                "--format",
                "json");
    }

    private static void describe(List<Figure> figures, WrittenJob written, ChildRun run) {
        String how = "argus diagnose as a child JVM with -Xmx512m";
        VerdictDigest verdict = VerdictDigest.of(run.output());
        figures.add(Figure.count("fullExitCode", "1", run.exitCode(), how, Bar.exactly(0)));
        if (run.exitCode() != 0) {
            return; // a speed of work not done is no figure
        }
        figures.add(Figure.single("fullSeconds", "s", run.wallSeconds(), how, null));
        figures.add(Figure.single(
                "fullFileBytesPerSecond", "B/s", written.fileBytes() / run.wallSeconds(), "compressed", null));
        figures.add(Figure.single(
                "fullRawBytesPerSecond", "B/s", written.rawBytes() / run.wallSeconds(), "uncompressed", null));
        if (run.peakRssBytes() > 0) {
            figures.add(Figure.count(
                    "fullPeakRssBytes",
                    "B",
                    run.peakRssBytes(),
                    "VmHWM of the child: " + Figure.plain(run.peakRssBytes() / MIB) + " MiB with everything of the JVM",
                    null));
        }
        figures.add(Figure.count(
                "fullKernels",
                "1",
                verdict.kernels(),
                "kernels in the verdict against those written",
                Bar.exactly(written.kernels())));
        Set<Integer> accused = verdict.accused();
        figures.add(Figure.count(
                "fullNamesSlowRank",
                "1",
                accused.contains(SLOW_RANK) ? 1 : 0,
                "1 if an incident names rank " + SLOW_RANK + "; all ranks named: " + accused,
                Bar.exactly(1)));
        long others = accused.stream().filter(rank -> rank != SLOW_RANK).count();
        figures.add(Figure.count("fullOthersNamed", "1", others, "innocent ranks named", Bar.exactly(0)));
    }
}
