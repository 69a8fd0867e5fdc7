package dev.argus.benchmarks;

import dev.argus.testkit.KinetoDialect;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.WrittenJob;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Uncompressed JSON files for the readers to read.
 *
 * @param files the files
 * @param bytes their size
 * @param kernels kernels in them as their writer knows, or null
 * @param kernelNanos plain sum of the kernels' durations as their writer knows, or null
 * @param about one line on what they are
 */
record ReaderInput(
        List<Path> files,
        long bytes,
        @Nullable Long kernels,
        @Nullable Long kernelNanos,
        String about) {
    private static final long FILE_BYTES = 9_000_000;
    private static final long LIMIT_BYTES = 2L << 30;

    /** Traces in several dialects, with and without Python frames: about 80 MB. */
    static ReaderInput made(Scratch scratch) throws IOException {
        KinetoJob plain = KinetoJob.of(2).withGzip(false).withSteps(21, 8).withLayers(16, 12);
        KinetoJob framed = plain.withBytesPerFile(FILE_BYTES);
        List<KinetoJob> jobs = List.of(
                framed.withSeed(11),
                framed.withSeed(12).withSharded(true).withHosts(2),
                plain.withSeed(13).withSteps(21, 12).withLayers(24, 16),
                framed.withSeed(14).withDialect(KinetoDialect.CURRENT.withGroupArgs(false)),
                framed.withSeed(15).withDialect(KinetoDialect.OLD));
        List<Path> files = new ArrayList<>();
        long bytes = 0;
        long kernels = 0;
        long nanos = 0;
        for (int i = 0; i < jobs.size(); i++) {
            WrittenJob written = KinetoTraceWriter.write(scratch.folder("job" + i), jobs.get(i));
            written.ranks().forEach(facts -> files.add(facts.file()));
            bytes += written.rawBytes();
            kernels += written.kernels();
            nanos += written.kernelNanos();
        }
        return new ReaderInput(
                files, bytes, kernels, nanos, files.size() + " files made with seeds 11 to 15, " + bytes + " B");
    }

    /** Given files, or all JSON files under given folders, uncompressed into scratch; at most 2 GiB of them. */
    static ReaderInput of(List<Path> paths, Scratch scratch) throws IOException, CannotMeasure {
        List<Path> files = new ArrayList<>();
        long bytes = 0;
        List<Path> found = found(paths);
        for (Path path : found) {
            if (bytes >= LIMIT_BYTES) {
                break;
            }
            Path copy = scratch.folder("given").resolve(files.size() + "-" + plainName(path));
            try (InputStream in = open(path)) {
                bytes += Files.copy(in, copy);
                files.add(copy);
            } catch (IOException e) {
                throw new IOException("reading " + path + ": " + e.getMessage(), e);
            }
        }
        if (files.isEmpty()) {
            throw new CannotMeasure("no .json or .json.gz file under " + paths);
        }
        String about = files.size() + " of " + found.size() + " given files, " + bytes + " B uncompressed";
        return new ReaderInput(files, bytes, null, null, about);
    }

    private static List<Path> found(List<Path> paths) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path path : paths) {
            if (Files.isRegularFile(path)) {
                found.add(path);
                continue;
            }
            try (Stream<Path> walk = Files.walk(path)) {
                walk.filter(Files::isRegularFile)
                        .filter(file -> file.toString().matches(".*\\.json(\\.gz)?"))
                        .sorted()
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static String plainName(Path path) {
        String name = path.toAbsolutePath().normalize().getFileName().toString();
        return name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
    }

    private static InputStream open(Path path) throws IOException {
        BufferedInputStream in = new BufferedInputStream(Files.newInputStream(path));
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip ? new GZIPInputStream(in, 1 << 16) : in;
    }
}
