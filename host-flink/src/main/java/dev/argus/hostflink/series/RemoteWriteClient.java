package dev.argus.hostflink.series;

import dev.argus.transport.RetryAfter;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.xerial.snappy.Snappy;

/** Posts requests of remote write 1.0, in blocks of snappy. No redirect is followed, no body of an answer is read. Belongs to one thread. */
final class RemoteWriteClient implements SeriesSender.Way {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration WHOLE = Duration.ofSeconds(30);

    private final RemoteWrite to;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    RemoteWriteClient(RemoteWrite to) {
        this.to = to;
        client = HttpClient.newBuilder()
                .executor(threads)
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(Redirect.NEVER)
                .connectTimeout(CONNECT)
                .build();
    }

    /**
     * What a receiver said.
     *
     * @param status status of HTTP
     * @param waitMillis what it asks to wait, or {@link RetryAfter#NONE}
     */
    record Answer(int status, long waitMillis) {
        /** It has them. */
        boolean isTaken() {
            return status >= 200 && status < 300;
        }

        /** It may take them later. */
        boolean isLater() {
            return status >= 500 || status == 429;
        }
    }

    /**
     * Posts one request.
     *
     * @param request protocol buffers, not compressed
     * @throws IOException if there was no answer, or the token cannot be read
     */
    @Override
    public Answer post(byte[] request) throws IOException, InterruptedException {
        HttpRequest.Builder post = HttpRequest.newBuilder(to.to())
                .timeout(WHOLE)
                .header("Content-Type", "application/x-protobuf")
                .header("Content-Encoding", "snappy")
                .header("X-Prometheus-Remote-Write-Version", "0.1.0")
                .header("User-Agent", "argus-flink")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Snappy.compress(request)));
        String token = to.token();
        if (!token.isEmpty()) {
            post.header("Authorization", "Bearer " + token);
        }
        CompletableFuture<HttpResponse<Void>> answer = client.sendAsync(post.build(), BodyHandlers.discarding());
        try {
            HttpResponse<Void> got = answer.get(WHOLE.toMillis(), TimeUnit.MILLISECONDS);
            String after = got.headers().firstValue("Retry-After").orElse("");
            return new Answer(got.statusCode(), RetryAfter.millis(after, InstantSource.system()));
        } catch (TimeoutException late) {
            throw new IOException("no whole answer within " + WHOLE.toSeconds() + " s", late);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new IOException(cause.getClass().getSimpleName() + " " + cause.getMessage(), cause);
        } finally {
            answer.cancel(true);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
