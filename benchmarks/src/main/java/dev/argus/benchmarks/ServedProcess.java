package dev.argus.benchmarks;

import dev.argus.cli.Main;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code argus serve} as a process of its own, and what a client needs to know of it. */
final class ServedProcess implements AutoCloseable {
    private static final Pattern URL = Pattern.compile("\"url\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern TOKEN = Pattern.compile("\"tokenFile\"\\s*:\\s*\"([^\"]+)\"");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long LOOK_MILLIS = 10;
    private static final int OK = 200;

    private final ChildProcess process;
    private final Path data;
    private final HttpClient client = HttpClient.newHttpClient();
    private final long begunNanos = System.nanoTime();
    private double readySeconds;

    /**
     * Starts it on a data folder and waits until it is ready.
     *
     * @param heap the most it may take, as {@code -Xmx} takes it
     * @param jvm further options of its JVM
     */
    ServedProcess(Path data, List<String> options, String heap, int port, String... jvm)
            throws IOException, InterruptedException {
        this.data = data;
        Files.deleteIfExists(data.resolve("server.json"));
        List<String> arguments =
                new ArrayList<>(List.of("serve", "--data", data.toString(), "--port", Integer.toString(port)));
        arguments.addAll(options);
        List<String> command = new ArrayList<>(ChildProcess.java(Main.class, arguments));
        command.replaceAll(o -> o.startsWith("-Xmx") ? "-Xmx" + heap : o);
        command.addAll(1, List.of(jvm));
        process = new ChildProcess(command, Map.of(), data.resolveSibling(data.getFileName() + ".log"));
        while (!isReady()) {
            if (!process.lives()) {
                throw new IOException("argus serve ended: " + process.failure());
            }
            if (System.nanoTime() - begunNanos > TIMEOUT.toNanos()) {
                throw new IOException(
                        "argus serve is not ready after " + TIMEOUT.toSeconds() + " s: " + process.failure());
            }
            Thread.sleep(LOOK_MILLIS);
        }
        readySeconds = (System.nanoTime() - begunNanos) / 1e9;
    }

    private boolean isReady() throws InterruptedException {
        try {
            return Files.exists(data.resolve("server.json")) && get("/readyz").statusCode() == OK;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** From the start of the process to the first answer that says ready. */
    double readySeconds() {
        return readySeconds;
    }

    private String about(Pattern pattern) throws IOException {
        Matcher found = pattern.matcher(Files.readString(data.resolve("server.json")));
        if (!found.find()) {
            throw new IOException("server.json of another form");
        }
        return found.group(1);
    }

    URI address(String path) throws IOException {
        return URI.create(about(URL) + path);
    }

    int port() throws IOException {
        return address("/").getPort();
    }

    String token() throws IOException {
        return Files.readString(Path.of(about(TOKEN))).strip();
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(address(path)).timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The answer to a question in SQL, as JSON. */
    String query(String sql) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address("/api/v1/query"))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + token())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"sql\":\"" + sql.replace("\"", "\\\"") + "\",\"rows\":1000}"))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != OK) {
            throw new IOException("query: " + answer.body());
        }
        return answer.body();
    }

    ChildProcess process() {
        return process;
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        ProcessHandle handle = ProcessHandle.of(process.pid()).orElseThrow();
        handle.destroyForcibly();
        while (process.lives()) {
            Thread.sleep(1);
        }
    }

    @Override
    public void close() {
        process.close();
        client.close();
    }
}
