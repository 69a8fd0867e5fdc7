package dev.argus.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.Socket;
import java.util.Random;

/** Requests to a server that no client would make. One thread. */
@SuppressWarnings("AddressSelection")
public final class HostileRequests {
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

    private final Random random;

    /** The same requests for the same seed. */
    public HostileRequests(long seed) {
        this.random = new Random(seed);
    }

    private String pick(String[] from) {
        return from[random.nextInt(from.length)];
    }

    /** The next one. */
    public byte[] next() {
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

    /**
     * Sends one to this host on a connection of its own.
     *
     * @return the status in digits; {@code closed} when nothing came back; else what came, which is no answer
     */
    public static String send(int port, byte[] request) {
        String line = line(port, request);
        return line.startsWith("HTTP/1.1 ") ? line.substring(9, 12) : line.isEmpty() ? "closed" : line;
    }

    /** Sends one; the first line that came back, or nothing. */
    public static String line(int port, byte[] request) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            socket.setSoLinger(true, 0); // many connections leave nothing behind
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
}
