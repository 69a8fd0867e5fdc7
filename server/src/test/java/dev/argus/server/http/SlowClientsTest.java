package dev.argus.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that send or take next to nothing: their connections are closed, others are served meanwhile. The limits are two seconds here instead of a minute. */
@Timeout(120)
@SuppressWarnings("AddressSelection")
class SlowClientsTest {
    @TempDir
    Path data;

    private Process server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dargus.root=" + System.getProperty("argus.root"),
                        "-Dsun.net.httpserver.maxReqTime=2",
                        "-Dsun.net.httpserver.idleInterval=2",
                        "-Dsun.net.httpserver.clockTick=500",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        FrontProgram.class.getName(),
                        data.toString(),
                        "most-connections=16")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8));
        port = Integer.parseInt(out.readLine());
    }

    @AfterEach
    void stop() throws Exception {
        server.getOutputStream().close();
        server.destroyForcibly().waitFor();
    }

    private Socket connect(String begin) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.getOutputStream().write(begin.getBytes(ISO_8859_1));
        return socket;
    }

    private String health() throws IOException {
        try (Socket socket = connect("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
            byte[] answer = socket.getInputStream().readAllBytes();
            return new String(answer, ISO_8859_1).lines().findFirst().orElse("closed");
        }
    }

    /** Waits until the server closes a connection, writing a byte now and then. */
    private static void drip(Socket socket, String drop) throws InterruptedException {
        try {
            while (true) {
                socket.getOutputStream().write(drop.getBytes(ISO_8859_1));
                Thread.sleep(50);
            }
        } catch (IOException closed) {
            assertThat(closed).isNotNull();
        }
    }

    @Test
    void headersAndBodiesByDropsAreCutOffAndOthersAreServedMeanwhile() throws Exception {
        String body =
                "POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n";
        try (Socket headers = connect("GET / HTTP/1.1\r\nHost: localhost\r\nX: ");
                Socket bodies = connect(body + "Authorization: Bearer "
                        + dev.argus.server.access.TokenFile.read(data.resolve("operator.token")) + "\r\n\r\n")) {
            assertThat(health()).isEqualTo("HTTP/1.1 200 OK");
            drip(headers, "y");
            drip(bodies, " ");
            assertThat(health()).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void connectionsThatSayNothingAreClosedAndThereAreOnlySoMany() throws Exception {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            silent.add(connect(""));
        }
        for (Socket socket : silent) {
            // Ends when the server closes: those beyond the bound at once, the others when they were silent for too
            // long.
            try {
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            } catch (IOException reset) {
                assertThat(reset).isNotNull();
            }
            socket.close();
        }
        assertThat(health()).isEqualTo("HTTP/1.1 200 OK");
    }
}
