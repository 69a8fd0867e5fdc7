package dev.argus.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.server.Samples;
import dev.argus.server.Served;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of requests that no client would make, over plain sockets: each is refused with a status or closed, none goes through, and the server goes on. */
@Timeout(300)
@SuppressWarnings("AddressSelection")
class HostileRequestsTest {
    private static final int RANDOM = 5000;
    private static final String[] METHODS = {
        "GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "get", "", "G\u0000T", "CONNECT", "PRI"
    };
    private static final String[] PATHS = {
        "/",
        "/api/v1/jobs",
        "/api/v1/query",
        "/api/v1/frames",
        "/api/v1/jobs/%00/control",
        "/api/v1/jobs/x/objects/asked",
        "/api/v1/objects/../../etc/passwd",
        "/api/v1/objects/%2e%2e/%2e%2e/operator.token",
        "*",
        "http://evil.example/api/v1/jobs",
        "//evil.example/api/v1/jobs",
        "mailto:x",
        "?",
        "/%",
        "/%ff%fe",
        "/api/v1/jobs?most=%",
        "/api/v1/jobs/" + "a".repeat(20_000),
        "/" + "../".repeat(200),
        "",
        "\u0000",
        "/\\",
        "/a b"
    };
    private static final String[] HEADERS = {
        "Host: localhost",
        "Host: evil.example",
        "Host: localhost\r\nHost: evil.example",
        "Host: ",
        "Content-Length: 5",
        "Content-Length: -1",
        "Content-Length: 99999999999999999999",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: \u000bchunked",
        "Expect: 100-continue",
        "Authorization: Bearer x",
        "Authorization: Bearer " + "x".repeat(30_000),
        "Authorization: Basic !!!",
        "Origin: http://evil.example",
        "Sec-Fetch-Site: cross-site",
        "Content-Type: application/json",
        "Content-Encoding: zstd",
        "Accept: " + ",".repeat(5_000),
        "Accept-Encoding: gzip;q=x",
        "X: " + "y".repeat(40_000),
        ": no name",
        "no colon",
        "X\u0000: y",
        " folded: y",
        "Upgrade: websocket\r\nConnection: Upgrade",
        "Range: bytes=0-",
        "Last-Event-ID: \u0000"
    };
    private static final String[] BODIES = {
        "", "hello", "5\r\nhello\r\n0\r\n\r\n", "fffffffff\r\n", "-5\r\n", "{\"sql\":\"SELECT 1\"}", "\u0000\u0001"
    };

    @TempDir
    Path data;

    private final Random random = new Random(20261130);

    private String pick(String[] from) {
        return from[random.nextInt(from.length)];
    }

    private byte[] request() {
        if (random.nextInt(10) == 0) {
            byte[] noise = new byte[random.nextInt(2000)];
            random.nextBytes(noise);
            return noise;
        }
        StringBuilder text = new StringBuilder();
        text.append(pick(METHODS)).append(' ').append(pick(PATHS));
        text.append(random.nextInt(8) == 0 ? "" : random.nextInt(8) == 0 ? " HTTP/9.9" : " HTTP/1.1")
                .append("\r\n");
        int headers = random.nextInt(6);
        for (int i = 0; i < headers; i++) {
            text.append(pick(HEADERS)).append(random.nextInt(20) == 0 ? "\n" : "\r\n");
        }
        if (random.nextInt(50) == 0) {
            text.append("X: y\r\n".repeat(500));
        }
        text.append("\r\n").append(pick(BODIES));
        byte[] bytes = text.toString().getBytes(ISO_8859_1);
        for (int i = random.nextInt(4) == 0 ? random.nextInt(5) : 0; i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    /** What came back: the first line, or nothing. */
    private static String answer(int port, byte[] request) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request);
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            byte[] got = socket.getInputStream().readNBytes(1 << 20);
            String text = new String(got, ISO_8859_1);
            return text.contains("\r\n") ? text.substring(0, text.indexOf("\r\n")) : text;
        } catch (IOException closed) {
            return "";
        }
    }

    @Test
    void areRefusedClearlyAndNeverDown() throws Exception {
        try (Served served = new Served(data)) {
            Samples.fill(served.fleet, served.store, served.objects);
            Map<String, Integer> statuses = new TreeMap<>();
            List<String> through = new ArrayList<>();
            for (int i = 0; i < RANDOM; i++) {
                byte[] request = request();
                String line = answer(served.port(), request);
                String status = line.startsWith("HTTP/1.1 ") ? line.substring(9, 12) : line.isEmpty() ? "closed" : line;
                statuses.merge(status, 1, Integer::sum);
                if (status.equals("201") || status.equals("202")) {
                    through.add(new String(request, ISO_8859_1));
                }
            }
            assertThat(through).isEmpty();
            assertThat(served.ordered).isEmpty();
            assertThat(served.frames).hasValue(0);
            assertThat(served.log).isEmpty();
            assertThat(statuses.keySet())
                    .as("%s", statuses)
                    .allMatch(s -> s.matches("closed|100|200|304|400|401|403|404|405|406|411|413|414|415|421|501|503"));
            assertThat(statuses).containsKeys("400", "401", "404", "405", "421");
            assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(served.get("/api/v1/jobs").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whoGoesOnIsSlowedDownAndAgentsAreNot() throws Exception {
        try (Served served = new Served(data, "requests-per-second=50")) {
            byte[] bad = "GET /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(ISO_8859_1);
            Map<String, Integer> lines = new TreeMap<>();
            for (int i = 0; i < 500; i++) {
                lines.merge(answer(served.port(), bad).substring(9, 12), 1, Integer::sum);
            }
            assertThat(lines.get("429")).isGreaterThan(300);
            // A frame that is none, of a known agent: it is read, and refused as such.
            assertThat(served.send(
                                    "POST",
                                    "/api/v1/frames",
                                    new byte[] {1},
                                    "Authorization",
                                    served.bearer(),
                                    "Content-Type",
                                    "application/x-argus-shipment")
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    void aBodyThatIsCutIsNeverTakenForAWholeOne() throws Exception {
        try (Served served = new Served(data)) {
            String head = "PUT /api/v1/jobs/x/objects/asked HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                    + served.bearer() + "\r\nContent-Type: application/octet-stream\r\n";
            assertThat(answer(served.port(), (head + "Content-Length: 10\r\n\r\nhello").getBytes(ISO_8859_1)))
                    .matches("|HTTP/1.1 400 .*");
            assertThat(answer(
                            served.port(),
                            (head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n").getBytes(ISO_8859_1)))
                    .matches("|HTTP/1.1 400 .*");
            assertThat(served.objects.all).isEmpty();
            assertThat(answer(served.port(), (head + "Content-Length: 5\r\n\r\nhello").getBytes(ISO_8859_1)))
                    .startsWith("HTTP/1.1 201");
            assertThat(served.objects.all).containsOnlyKeys("excerpts/asked");
        }
    }
}
