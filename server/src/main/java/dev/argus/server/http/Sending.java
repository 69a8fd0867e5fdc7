package dev.argus.server.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/** Sends answers: headers that keep browsers strict, gzip, {@code ETag}, {@code HEAD}. */
final class Sending {
    private static final int GZIP_FROM_BYTES = 1024;
    private static final int CHUNK = 64 << 10;
    private static final int TAG_BYTES = 16;

    /** For everything that is no page: nothing of it may run or be shown in a frame. */
    private static final String CLOSED = "default-src 'none'; frame-ancestors 'none'";

    /** For pages: only what comes from here, nothing inline. */
    private static final String PAGE =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private Sending() {}

    static void send(HttpExchange exchange, Answer answer, WriteWatch watch) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        boolean page = answer.type().startsWith("text/html");
        headers.set("Content-Security-Policy", page ? PAGE : CLOSED);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        // A page may open another one and talk to it when a person asks for that: timelines are handed over so.
        headers.set("Cross-Origin-Opener-Policy", page ? "same-origin-allow-popups" : "same-origin");
        headers.set("Cache-Control", "no-store");
        answer.headers().forEach(headers::set);
        if (!answer.type().isEmpty()) {
            headers.set("Content-Type", answer.type());
        }
        try (WriteWatch.Writing writing = watch.begin()) {
            Answer.Stream stream = answer.stream();
            byte[] bytes = answer.bytes();
            if (stream != null) {
                sendStream(exchange, answer, stream, writing);
            } else if (bytes != null) {
                sendBytes(exchange, answer, bytes);
            }
        }
    }

    private static void sendStream(
            HttpExchange exchange, Answer answer, Answer.Stream stream, WriteWatch.Writing writing) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(answer.status(), -1);
            return;
        }
        exchange.sendResponseHeaders(answer.status(), 0);
        OutputStream out = exchange.getResponseBody();
        stream.write(out, writing::goesOn);
        out.close();
    }

    /** All at once: whoever takes longer than one write may last is dropped, for meanwhile the bytes are held. */
    private static void sendBytes(HttpExchange exchange, Answer answer, byte[] bytes) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        String method = exchange.getRequestMethod();
        boolean reads = method.equals("GET") || method.equals("HEAD");
        if (answer.status() == 200 && reads && !answer.type().startsWith("text/plain")) {
            String tag = tag(bytes);
            headers.set("ETag", tag);
            headers.set("Cache-Control", "no-cache, private");
            if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
                exchange.sendResponseHeaders(304, -1);
                return;
            }
        }
        byte[] body = bytes;
        if (bytes.length >= GZIP_FROM_BYTES) {
            headers.set("Vary", "Accept-Encoding");
            if (Accepted.gzip(exchange.getRequestHeaders().getFirst("Accept-Encoding"))) {
                body = gzip(bytes);
                headers.set("Content-Encoding", "gzip");
            }
        }
        if (method.equals("HEAD")) {
            headers.set("Content-Length", Integer.toString(body.length));
            exchange.sendResponseHeaders(answer.status(), -1);
            return;
        }
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    /** Weak: the same tag whether it is compressed or not. */
    private static String tag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "W/\""
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(java.util.Arrays.copyOf(digest, TAG_BYTES))
                    + '"';
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 3);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out, CHUNK)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }
}
