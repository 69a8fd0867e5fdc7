package dev.argus.server.alerts;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A webhook's endpoint on loopback that answers as a test wants it and keeps what it was told. */
final class HookServer implements AutoCloseable {
    /** Answers and misbehaviour. */
    enum Mood {
        OK,
        ERROR,
        BAD_REQUEST,
        REDIRECT,
        SILENT,
        ENDLESS_BODY,
        GARBAGE
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    volatile Mood mood = Mood.OK;

    HookServer() throws IOException {
        this(0);
    }

    HookServer(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            Mood now = mood;
            if (now == Mood.OK) {
                String who = exchange.getRequestHeaders().getFirst("Authorization");
                authorizations.add(who == null ? "" : who);
                bodies.add(body);
            }
            switch (now) {
                case OK -> exchange.sendResponseHeaders(200, -1);
                case ERROR -> exchange.sendResponseHeaders(500, -1);
                case BAD_REQUEST -> exchange.sendResponseHeaders(400, -1);
                case REDIRECT -> {
                    exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/");
                    exchange.sendResponseHeaders(307, -1);
                }
                case SILENT -> end.await();
                case GARBAGE -> {
                    OutputStream out = exchange.getResponseBody();
                    exchange.sendResponseHeaders(999, 4);
                    out.write(new byte[] {0, -1, 7, 1});
                }
                case ENDLESS_BODY -> {
                    exchange.sendResponseHeaders(200, 0);
                    while (end.getCount() > 0) {
                        exchange.getResponseBody().write(new byte[8192]);
                    }
                }
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its address. */
    URI address(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Requests it took, oldest first. */
    List<String> bodies() {
        return bodies;
    }

    List<String> authorizations() {
        return authorizations;
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
