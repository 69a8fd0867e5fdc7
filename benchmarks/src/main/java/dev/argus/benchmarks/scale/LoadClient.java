package dev.argus.benchmarks.scale;

import com.github.luben.zstd.Zstd;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Sends the frames of many hosts, each host one shipment at a time, from a number of threads. */
public final class LoadClient implements AutoCloseable {
    private static final int ZSTD_LEVEL = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final URI frames;
    private final String token;
    private final int threads;
    private final ExecutorService pool;
    private final HttpClient client;
    private final LongAdder requests = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /** @param frames where shipments go */
    public LoadClient(URI frames, String token, int threads) {
        this.frames = frames;
        this.token = token;
        this.threads = threads;
        this.pool = Executors.newFixedThreadPool(threads);
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(pool)
                .build();
    }

    /**
     * Sends what every host has, one after the other on each thread, until each was answered once with nothing left, or failed.
     *
     * @return hosts that have frames left that the server has not taken
     */
    public int round(List<LoadHost> hosts) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        AtomicInteger behind = new AtomicInteger();
        Thread[] workers = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            workers[t] = Thread.ofVirtual().start(() -> {
                for (int i = next.getAndIncrement(); i < hosts.size(); i = next.getAndIncrement()) {
                    if (!hosts.get(i).due() || !send(hosts.get(i))) {
                        behind.incrementAndGet();
                    }
                }
            });
        }
        for (Thread worker : workers) {
            worker.join();
        }
        return behind.get();
    }

    /** Sends what one host may send; true when the server has taken all of it. */
    public boolean send(LoadHost host) {
        boolean more = true;
        while (more) {
            try {
                more = host.answered(post(host.next().encode()));
            } catch (IOException | WireException gone) {
                failed.increment();
                return false;
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return host.sent();
    }

    private ShipmentReply post(byte[] shipment) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(frames)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/x-argus-shipment")
                .header("Content-Encoding", "zstd")
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofByteArray(Zstd.compress(shipment, ZSTD_LEVEL)))
                .build();
        var answer = client.send(request, BodyHandlers.ofByteArray());
        requests.increment();
        bytes.add(shipment.length);
        ShipmentReply reply = ShipmentReply.decode(answer.body());
        if (reply.verdict() == ShipmentReply.Verdict.REFUSED) {
            refused.increment();
            throw new IOException("refused: " + reply.reason());
        }
        return reply;
    }

    /** Requests answered. */
    public long requests() {
        return requests.sum();
    }

    /** Bytes of shipments, before compression. */
    public long bytes() {
        return bytes.sum();
    }

    /** Shipments refused. */
    public long refused() {
        return refused.sum();
    }

    /** Requests that had no whole answer. */
    public long failed() {
        return failed.sum();
    }

    @Override
    public void close() {
        client.shutdownNow();
        pool.shutdownNow();
    }
}
