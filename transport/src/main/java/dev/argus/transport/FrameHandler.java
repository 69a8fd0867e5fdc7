package dev.argus.transport;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.argus.model.SafeText;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.WireException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ShipmentReceiver} behind the JDK's HTTP server: checks who sends, bounds what is read, and says the verdict as a status too.
 *
 * <pre>
 * 200 accepted, duplicate, rewind   409 names missing        503 overloaded, with Retry-After
 * 400 refused, or no shipment       401 token not known      403 token of another job      405 no POST      413 too large      415 unknown encoding
 * </pre>
 *
 * <p>Thread-safe; meant for virtual threads. Bodies come in as they are, compressed, within a bound by bytes of which each token has a share; only then at most a stated number are
 * unpacked and taken at a time. So memory is bounded, and who sends slowly stands in nobody's way. What finds no room gets 503. The time that a client may take belongs to the server ({@code sun.net.httpserver.maxReqTime}).
 */
public final class FrameHandler implements HttpHandler {
    /** Media type of shipments. */
    public static final String SHIPMENT_TYPE = "application/x-argus-shipment";

    /** Media type of replies. */
    public static final String REPLY_TYPE = "application/x-argus-reply";

    private static final String BEARER = "bearer ";
    private static final long LATER_MILLIS = 1_000;

    /** Memory for bodies on their way, for each that is unpacked at a time. */
    private static final long BODY_BYTES = Shipment.MOST_BYTES / 2;

    /** What a request takes at least. */
    private static final int CHUNK = 1 << 16;

    private static final int LEAST_BODIES = 8;
    private static final long PATIENCE_MILLIS = 500;

    private final ShipmentReceiver receiver;
    private final FrameAccess access;
    private final Semaphore room;
    private final BodyRoom bodies;

    /**
     * In front of a receiver.
     *
     * @param access who may send
     * @param mostAtATime requests unpacked and taken at a time, each of at most {@value Shipment#MOST_BYTES} bytes
     */
    public FrameHandler(ShipmentReceiver receiver, FrameAccess access, int mostAtATime) {
        this.receiver = receiver;
        this.access = access;
        this.room = new Semaphore(mostAtATime);
        this.bodies = new BodyRoom(BODY_BYTES * Math.max(LEAST_BODIES, mostAtATime));
    }

    /** A status and what is said with it. */
    private record Said(int status, ShipmentReply reply) {}

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            send(exchange, answer(exchange));
        }
    }

    private Said answer(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            return refused(405, "expected POST");
        }
        String token = token(exchange.getRequestHeaders());
        if (!access.isKnown(token)) {
            return refused(
                    401,
                    (token.isEmpty() ? "no token came with the frames" : "the token is none of the server's")
                            + "; expected that of agents of the job, or of operator.token in the server's data folder: give the"
                            + " file that holds it with --token-file");
        }
        String encoding = exchange.getRequestHeaders().getFirst("Content-Encoding");
        Held held = new Held(token);
        try {
            byte[] body = held.read(exchange.getRequestBody());
            if (body == null) {
                return later("too many requests at a time");
            }
            if (body.length > Shipment.MOST_BYTES) {
                return refused(413, "expected at most " + Shipment.MOST_BYTES + " bytes");
            }
            if (!room.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                return later("too many requests at a time");
            }
            try {
                return taken(token, body, encoding == null ? "" : encoding.toLowerCase(Locale.ROOT));
            } finally {
                room.release();
            }
        } catch (IOException cut) {
            return refused(400, "the body is cut");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return later("the server ends");
        } finally {
            held.close();
        }
    }

    /** Memory that one body takes. */
    private final class Held {
        private final String token;
        private long bytes;

        Held(String token) {
            this.token = token;
        }

        /** Reads all of it, at most one byte more than a shipment may have; null when there is no room. */
        byte @Nullable [] read(InputStream body) throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            while (all.size() <= Shipment.MOST_BYTES) {
                if (!bodies.take(token, CHUNK)) {
                    return null;
                }
                bytes += CHUNK;
                byte[] chunk = body.readNBytes(Math.min(CHUNK, Shipment.MOST_BYTES + 1 - all.size()));
                all.write(chunk, 0, chunk.length);
                if (chunk.length < CHUNK) {
                    break;
                }
            }
            return all.toByteArray();
        }

        void close() {
            bodies.give(token, bytes);
        }
    }

    private Said taken(String token, byte[] body, String encoding) {
        byte[] bytes;
        try {
            bytes = unpacked(body, encoding);
        } catch (UnsupportedOperationException unknown) {
            return refused(415, "expected the encoding zstd, gzip or none");
        } catch (IOException damaged) {
            return refused(400, "the body is cut, or not what its encoding says");
        }
        if (bytes.length > Shipment.MOST_BYTES) {
            return refused(413, "expected at most " + Shipment.MOST_BYTES + " bytes");
        }
        Shipment shipment;
        try {
            shipment = Shipment.decode(bytes);
        } catch (WireException noShipment) {
            return refused(400, String.valueOf(noShipment.getMessage()));
        }
        if (!access.mayShip(token, shipment.job())) {
            return new Said(
                    403,
                    ShipmentReply.refused(
                            SessionId.NONE,
                            "the token is one of another job than " + SafeText.of(shipment.job(), 80)
                                    + "; expected one issued for it by POST /api/v1/jobs/JOB/tokens"));
        }
        ShipmentReply reply;
        try {
            reply = receiver.receive(shipment);
        } catch (ShipmentTooLargeException smaller) {
            return refused(413, String.valueOf(smaller.getMessage()));
        }
        int status = switch (reply.verdict()) {
            case ACCEPTED, DUPLICATE, REWIND -> 200;
            case NAMES_MISSING -> 409;
            case OVERLOADED -> 503;
            case REFUSED -> 400;
        };
        return new Said(status, reply);
    }

    private static Said refused(int status, String reason) {
        return new Said(status, ShipmentReply.refused(SessionId.NONE, reason));
    }

    private static Said later(String reason) {
        return new Said(
                503,
                new ShipmentReply(
                        SessionId.NONE, ShipmentReply.Verdict.OVERLOADED, reason, 0, 0, 0, 0, LATER_MILLIS, List.of()));
    }

    private static String token(Headers headers) {
        String text = headers.getFirst("Authorization");
        boolean bearer = text != null && text.toLowerCase(Locale.ROOT).startsWith(BEARER);
        return bearer ? text.substring(BEARER.length()).strip() : "";
    }

    /** The body as it was before it was packed, at most one byte more than a shipment may have. */
    private static byte[] unpacked(byte[] body, String encoding) throws IOException {
        return switch (encoding) {
            case "", "identity" -> body;
            case "gzip" -> gunzipped(body);
            case "zstd" -> ZstdBody.unpacked(body, Shipment.MOST_BYTES);
            default -> throw new UnsupportedOperationException(encoding);
        };
    }

    private static byte[] gunzipped(byte[] body) throws IOException {
        try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return plain.readNBytes(Shipment.MOST_BYTES + 1);
        }
    }

    private static void send(HttpExchange exchange, Said said) throws IOException {
        byte[] body = said.reply().encode();
        exchange.getResponseHeaders().set("Content-Type", REPLY_TYPE);
        if (said.status() == 503) {
            long seconds = Math.max(1, said.reply().waitMillis() / 1_000);
            exchange.getResponseHeaders().set("Retry-After", Long.toString(seconds));
        }
        exchange.sendResponseHeaders(said.status(), body.length);
        exchange.getResponseBody().write(body);
    }
}
