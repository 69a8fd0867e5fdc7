package dev.argus.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of somebody else on loopback, started and ended by a test. */
public final class ServerProcess implements AutoCloseable {
    private static final long END_SECONDS = 30;

    private final Process process;
    private final Path log;
    private final HttpClient client = HttpClient.newHttpClient();

    /** Its address. */
    private final URI base;

    /**
     * Starts it, and returns when it answers.
     *
     * @param port where it will listen
     * @param ready path that answers 200 when it is ready
     * @param folder where it works and where its log goes
     */
    public ServerProcess(int port, String ready, Path folder, List<String> command)
            throws IOException, InterruptedException {
        log = folder.resolve(Path.of(command.getFirst()).getFileName() + ".log");
        base = URI.create("http://127.0.0.1:" + port);
        process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Eventually.holds(command.getFirst() + " is ready", () -> {
                if (!process.isAlive()) {
                    throw new AssertionError(command + " ended:\n" + Files.readString(log, UTF_8));
                }
                return status(ready) == 200;
            });
        } catch (AssertionError | InterruptedException failed) {
            close();
            throw failed;
        }
    }

    /** A port of loopback that was free a moment ago. */
    public static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** Its address. */
    public URI base() {
        return base;
    }

    /** What it answers to a GET. */
    public String get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path)).build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    private int status(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path)).build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() {
        client.shutdownNow();
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
