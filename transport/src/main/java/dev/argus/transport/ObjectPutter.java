package dev.argus.transport;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Brings files of many MiB to the server that frames go to, beside them: {@code PUT .../jobs/JOB/objects/NAME}, where frames go to {@code .../frames}.
 *
 * <p>One thread. Nothing is tried twice here.
 */
public final class ObjectPutter implements AutoCloseable {
    private static final String FRAMES = "/frames";
    private static final int SUCCESS = 200;
    private static final int REDIRECT = 300;

    private final SenderSettings settings;
    private final Duration timeout;
    private final ExecutorService threads;
    private final HttpClient client;

    /**
     * To a server.
     *
     * @param timeout longest time of one file
     * @throws IOException if the certificates cannot be read
     */
    public ObjectPutter(SenderSettings settings, Duration timeout) throws IOException {
        this.settings = settings;
        this.timeout = timeout;
        threads = Executors.newVirtualThreadPerTaskExecutor();
        client = HttpClients.of(settings, threads);
    }

    /** True if the address of the frames is one that objects have a place beside. */
    public static boolean isPossible(URI frames) {
        return frames.getPath() != null && frames.getPath().endsWith(FRAMES);
    }

    /**
     * Brings a file.
     *
     * @param name name there, of letters, digits, points, dashes and underscores
     * @throws IOException if it did not arrive; the message says why
     */
    public void put(String name, Path file) throws IOException, InterruptedException {
        URI to = address(settings.to(), settings.job(), name);
        HttpRequest.Builder request = HttpRequest.newBuilder(to)
                .timeout(timeout)
                .header("Content-Type", "application/octet-stream")
                .PUT(HttpRequest.BodyPublishers.ofFile(file));
        if (!settings.token().isEmpty()) {
            request.header("Authorization", "Bearer " + settings.token());
        }
        CompletableFuture<Integer> status =
                client.sendAsync(request.build(), BodyHandlers.discarding()).thenApply(r -> r.statusCode());
        try {
            int got = status.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (got < SUCCESS || got >= REDIRECT) {
                throw new IOException("the server answers " + got + " to " + to.getPath());
            }
        } catch (TimeoutException late) {
            throw new IOException("no answer from " + to + " within " + timeout.toMillis() + " ms");
        } catch (ExecutionException failed) {
            throw new IOException("no answer from " + to + ": " + failed.getCause());
        } finally {
            status.cancel(true);
        }
    }

    static URI address(URI frames, String job, String name) {
        String text = frames.toString();
        String base = text.substring(0, text.length() - FRAMES.length());
        return URI.create(base + "/jobs/"
                + URLEncoder.encode(job, StandardCharsets.UTF_8).replace("+", "%20") + "/objects/" + name);
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
