package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectPutterTest {
    @TempDir
    Path folder;

    private final List<String> seen = new ArrayList<>();
    private HttpServer server;
    private int status = 201;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            synchronized (seen) {
                seen.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                        + exchange.getRequestHeaders().getFirst("Authorization") + " " + body);
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private SenderSettings settings(String job) {
        URI to = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v1/frames");
        return SenderSettings.of(to, job, "h", "secret", 1);
    }

    @Test
    void bringsAFileBesideTheFrames() throws Exception {
        Path file = Files.writeString(folder.resolve("f"), "content");
        try (ObjectPutter putter = new ObjectPutter(settings("a job/with ä"), Duration.ofSeconds(20))) {
            putter.put("x.pftrace", file);
        }
        assertThat(seen)
                .containsExactly("PUT /api/v1/jobs/a%20job%2Fwith%20%C3%A4/objects/x.pftrace Bearer secret content");
    }

    @Test
    void saysWhatTheServerAnswers() throws Exception {
        status = 413;
        Path file = Files.writeString(folder.resolve("f"), "content");
        try (ObjectPutter putter = new ObjectPutter(settings("j"), Duration.ofSeconds(20))) {
            assertThatThrownBy(() -> putter.put("x", file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("413");
        }
    }

    @Test
    void needsAnAddressThatObjectsHaveAPlaceBeside() {
        assertThat(ObjectPutter.isPossible(URI.create("https://h/api/v1/frames")))
                .isTrue();
        assertThat(ObjectPutter.isPossible(URI.create("https://h/gateway"))).isFalse();
    }
}
