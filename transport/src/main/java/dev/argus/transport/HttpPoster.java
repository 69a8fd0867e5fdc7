package dev.argus.transport;

import com.github.luben.zstd.Zstd;
import dev.argus.wire.ShipmentReply;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts over HTTP/1.1 with the JDK's client: zstd where it pays, redirects refused, replies bounded in size, the whole exchange bounded in
 * time.
 *
 * <p>Belongs to one thread; the client's own threads are virtual but one.
 */
final class HttpPoster implements Poster {
    /** Smaller bodies are not worth it. */
    private static final int LEAST_TO_COMPRESS = 512;

    private static final int ZSTD_LEVEL = 3;

    private final SenderSettings settings;
    private final InstantSource clock;
    private final ExecutorService threads;
    private final HttpClient client;

    /**
     * For one server.
     *
     * @param clock tells how long it is to a date of {@code Retry-After}
     * @throws IOException if the certificates cannot be read
     */
    HttpPoster(SenderSettings settings, InstantSource clock) throws IOException {
        this.settings = settings;
        this.clock = clock;
        threads = Executors.newVirtualThreadPerTaskExecutor();
        client = HttpClients.of(settings, threads);
    }

    @Override
    public Answer post(byte[] shipment) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(settings.to())
                .timeout(settings.requestTimeout())
                .header("Content-Type", FrameHandler.SHIPMENT_TYPE)
                .header("Accept", FrameHandler.REPLY_TYPE);
        if (!settings.token().isEmpty()) {
            request.header("Authorization", "Bearer " + settings.token());
        }
        byte[] body = shipment;
        if (shipment.length >= LEAST_TO_COMPRESS) {
            body = Zstd.compress(shipment, ZSTD_LEVEL);
            request.header("Content-Encoding", "zstd");
        }
        HttpRequest ready =
                request.POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(ready, BodyHandlers.limiting(BodyHandlers.ofByteArray(), ShipmentReply.MOST_BYTES));
        try {
            // The client's own timeout ends with the headers: a body that drips would hold it for ever.
            HttpResponse<byte[]> got = answer.get(settings.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(got.statusCode(), waitMillis(got), got.body());
        } catch (TimeoutException late) {
            throw new IOException("no whole answer from " + settings.to() + " within "
                    + settings.requestTimeout().toMillis() + " ms");
        } catch (ExecutionException failed) {
            throw new IOException(words(failed), failed.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    private String words(ExecutionException failed) {
        Throwable cause = failed.getCause();
        if (cause instanceof ConnectException) {
            return "nothing answers at " + settings.to() + "; does the server run, and is the way to it open?";
        }
        String said = cause == null ? null : cause.getMessage();
        String kind = (cause == null ? failed : cause).getClass().getSimpleName();
        return said == null ? "no answer from " + settings.to() + ": " + kind : said;
    }

    private long waitMillis(HttpResponse<?> answer) {
        long millis =
                RetryAfter.millis(answer.headers().firstValue("Retry-After").orElse(""), clock);
        return Math.min(millis, ShipmentReply.MOST_WAIT_MILLIS);
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
