package dev.argus.server.alerts;

import dev.argus.transport.RetryAfter;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Posts over HTTP/1.1 with the JDK's client: no redirects, bounded in time, the body of the answer not read.
 *
 * <p>Thread-safe; the client's own threads are virtual but one.
 */
final class HttpAlertPoster implements AlertPoster, AutoCloseable {
    private final Duration timeout;
    private final InstantSource clock;
    private final ExecutorService threads;
    private final HttpClient client;

    /**
     * For any endpoint.
     *
     * @param timeout to connect, and to the headers of the answer
     * @param clock tells how long it is to a date of {@code Retry-After}
     */
    HttpAlertPoster(Duration timeout, InstantSource clock) {
        this.timeout = timeout;
        this.clock = clock;
        threads = Executors.newVirtualThreadPerTaskExecutor();
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .executor(threads)
                .build();
    }

    @Override
    public Answer post(Endpoint endpoint, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.to())
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("User-Agent", "argus");
        if (!endpoint.authorization().isEmpty()) {
            request.header("Authorization", endpoint.authorization());
        }
        HttpRequest ready =
                request.POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
        HttpResponse<InputStream> answer = client.send(ready, BodyHandlers.ofInputStream());
        // The status is all that counts: a body may be endless, and is not waited for.
        answer.body().close();
        String wait = answer.headers().firstValue("Retry-After").orElse("");
        return new Answer(answer.statusCode(), RetryAfter.millis(wait, clock));
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
