package dev.argus.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A command that runs beside the benchmark, and what the system says of it; ended when closed. Linux. */
final class ChildProcess implements AutoCloseable {
    private static final long END_SECONDS = 10;

    private final Process process;
    private final Path errors;
    private final BufferedReader lines;

    /** Starts it; what it says on standard error goes to a file. */
    ChildProcess(List<String> command, Map<String, String> environment, Path errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        this.process = builder.start();
        this.errors = errors;
        this.lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The java of this process with its class path. */
    static List<String> java(Class<?> main, List<String> arguments) {
        String java = ProcessHandle.current().info().command().orElse("java");
        List<String> command = new java.util.ArrayList<>(List.of(
                java,
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return command;
    }

    long pid() {
        return process.pid();
    }

    boolean lives() {
        return process.isAlive();
    }

    /** The next line of its standard output, null at the end. */
    @Nullable
    String line() throws IOException {
        return lines.readLine();
    }

    /** What went wrong, for people. */
    String failure() throws IOException {
        String said = Files.readString(errors).strip();
        return said.length() > 600 ? said.substring(said.length() - 600) : said;
    }

    /** Clock ticks since boot at which it began. */
    long startTicks() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid() + "/stat"));
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);
    }

    /** CPU nanoseconds of each of its threads by the scheduler's own count, by thread id and name; threads that have ended are missing. */
    Map<String, Long> cpuNanos() throws IOException {
        Map<String, Long> threads = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid() + "/task"))) {
            for (Path task : tasks.toList()) {
                String text;
                String name;
                try {
                    text = Files.readString(task.resolve("schedstat"));
                    name = Files.readString(task.resolve("comm")).strip();
                } catch (IOException ended) {
                    continue;
                }
                threads.put(task.getFileName() + " " + name, Long.parseLong(text.split(" ", -1)[0]));
            }
        }
        return threads;
    }

    /** Resident memory now, bytes. */
    long rssBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return -1;
    }

    /** Bytes of what its heap holds after a full collection, which this causes; of a JVM like this one. */
    long liveHeapBytes() throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked = new ProcessBuilder(jcmd.toString(), Long.toString(pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String last = "";
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(asked.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                last = line.isBlank() ? last : line.strip();
            }
        }
        String[] total = last.split("\\s+", -1);
        if (asked.waitFor() != 0 || total.length != 3 || !total[0].equals("Total")) {
            throw new IOException("jcmd GC.class_histogram ended with '" + last + "', expected its total");
        }
        return Long.parseLong(total[2]);
    }

    /** Closes its standard input: it may end. */
    void release() throws IOException {
        process.getOutputStream().close();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
