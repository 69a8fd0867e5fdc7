package dev.argus.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One run of a command as a child process.
 *
 * @param exitCode its exit code
 * @param wallNanos from the start of the process to its end
 * @param firstByteNanos to the first byte on its standard output; -1 if there was none
 * @param peakRssBytes high-water mark of its resident memory as seen every 20 ms; -1 if the system does not tell
 * @param output its standard output
 */
record ChildRun(int exitCode, long wallNanos, long firstByteNanos, long peakRssBytes, String output) {
    private static final long POLL_MILLIS = 20;
    private static final String PEAK = "VmHWM:";

    /** Runs a command to its end; what it says on standard error goes to a file. */
    static ChildRun of(List<String> command, Path errors) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.to(errors.toFile()))
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        AtomicLong peak = new AtomicLong(-1);
        Thread watcher = Thread.ofPlatform().daemon().start(() -> watch(process, peak));
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        long firstByte = -1;
        try (InputStream in = process.getInputStream()) {
            int first = in.read();
            if (first >= 0) {
                firstByte = System.nanoTime() - start;
                output.write(first);
                in.transferTo(output);
            }
            int exitCode = process.waitFor();
            long wall = System.nanoTime() - start;
            watcher.join();
            return new ChildRun(exitCode, wall, firstByte, peak.get(), output.toString(StandardCharsets.UTF_8));
        } finally {
            process.destroy();
        }
    }

    private static void watch(Process process, AtomicLong peak) {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        try {
            do {
                peak.accumulateAndGet(peakOf(status), Math::max);
            } while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long peakOf(Path status) {
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith(PEAK)) {
                    String kibibytes =
                            line.substring(PEAK.length(), line.indexOf("kB")).strip();
                    return Long.parseLong(kibibytes) * 1024;
                }
            }
            return -1;
        } catch (NoSuchFileException e) {
            return -1; // it has just ended, or this is no Linux
        } catch (IOException e) {
            return -1; // likewise, seen in the middle of reading
        }
    }

    double wallSeconds() {
        return wallNanos / 1e9;
    }

    double firstByteSeconds() {
        return firstByteNanos / 1e9;
    }
}
