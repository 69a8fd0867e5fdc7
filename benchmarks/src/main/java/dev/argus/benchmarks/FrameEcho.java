package dev.argus.benchmarks;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.argus.model.NameTable;
import dev.argus.transport.CommandSource;
import dev.argus.transport.FrameAccess;
import dev.argus.transport.FrameHandler;
import dev.argus.transport.FrameReceiver;
import dev.argus.transport.FrameSink;
import dev.argus.wire.Frame;
import dev.argus.wire.SessionId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A server that takes frames, and one that only reads what it is sent and answers as much: the same machine, HTTP server and client. */
final class FrameEcho implements AutoCloseable {
    private static final int CLIENTS = 4;
    private static final int AT_A_TIME = 64;
    private static final int ANSWER_BYTES = 40;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private FrameEcho(HttpHandler handler) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", handler);
        server.start();
    }

    /** Reads the request and answers with a few bytes. */
    static FrameEcho bare() throws IOException {
        return new FrameEcho(exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] answer = new byte[ANSWER_BYTES];
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
    }

    /** Takes frames: checked, decoded, counted once; nobody judges them. */
    static FrameEcho receiving() throws IOException {
        AtomicLong frames = new AtomicLong();
        FrameReceiver receiver = new FrameReceiver(
                new FrameSink() {
                    private final NameTable names = new NameTable();

                    @Override
                    public NameTable names(String job) {
                        return names;
                    }

                    @Override
                    public boolean take(Frame frame) {
                        frames.incrementAndGet();
                        return true;
                    }

                    @Override
                    public void missing(SessionId session, String job, String host, long first, long last) {
                        throw new IllegalStateException("frames " + first + " to " + last + " are missing");
                    }
                },
                CommandSource.NONE,
                true,
                1 << 16);
        FrameAccess all = new FrameAccess() {
            @Override
            public boolean isKnown(String token) {
                return true;
            }

            @Override
            public boolean mayShip(String token, String job) {
                return true;
            }
        };
        return new FrameEcho(new FrameHandler(receiver, all, AT_A_TIME));
    }

    /**
     * Sends all requests, each client one after the other of its own.
     *
     * @param byClient requests of each client
     * @return seconds it took
     */
    double send(List<List<byte[]>> byClient) throws InterruptedException {
        URI to = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/frames");
        AtomicInteger wrong = new AtomicInteger();
        long begin = System.nanoTime();
        Thread[] clients = new Thread[byClient.size()];
        for (int c = 0; c < clients.length; c++) {
            List<byte[]> own = byClient.get(c);
            clients[c] = Thread.ofPlatform().start(() -> {
                for (byte[] body : own) {
                    try {
                        HttpRequest request = HttpRequest.newBuilder(to)
                                .header("Content-Encoding", "zstd")
                                .POST(BodyPublishers.ofByteArray(body))
                                .build();
                        if (client.send(request, BodyHandlers.ofByteArray()).statusCode() != 200) {
                            wrong.incrementAndGet();
                        }
                    } catch (IOException | InterruptedException e) {
                        wrong.incrementAndGet();
                    }
                }
            });
        }
        for (Thread one : clients) {
            one.join();
        }
        if (wrong.get() > 0) {
            throw new IllegalStateException(wrong + " requests were not answered with 200");
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    static int clients() {
        return CLIENTS;
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.stop(0);
        threads.shutdownNow();
    }
}
