package dev.argus.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.Zstd;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server on loopback that does with each request what its script says next, and afterwards everything right. */
final class ScriptedServer implements AutoCloseable {
    /** What it does with one request. */
    enum Act {
        CLOSE_AT_ONCE,
        CLOSE_AFTER_HEADERS,
        CLOSE_AFTER_BODY,
        TAKE_AND_CLOSE,
        TAKE_AND_CUT_THE_REPLY,
        TAKE_AND_STAY_SILENT,
        TAKE_AND_DRIP,
        TAKE_AND_FLOOD,
        STATUS_500,
        STATUS_503_LATER,
        STATUS_429_AT_A_DATE,
        STATUS_401,
        STATUS_413,
        REDIRECT,
        GARBAGE,
        EMPTY,
        REPLY_TO_ANOTHER,
        REPLY_OF_THE_FUTURE,
        TAKE
    }

    private final FrameReceiver receiver;
    private final Deque<Act> script = new ConcurrentLinkedDeque<>();
    private final ServerSocket socket;
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger elsewhere = new AtomicInteger();

    ScriptedServer(FrameReceiver receiver, List<Act> acts) throws IOException {
        this.receiver = receiver;
        script.addAll(acts);
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/api/v1/frames");
    }

    int actsLeft() {
        return script.size();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            requests.incrementAndGet();
            Act act = script.isEmpty() ? Act.TAKE : script.poll();
            act(act == null ? Act.TAKE : act, connection.getInputStream(), connection.getOutputStream());
        } catch (IOException | InterruptedException gone) {
            // the client gave up
        }
    }

    private void act(Act act, InputStream in, OutputStream out) throws IOException, InterruptedException {
        if (act == Act.CLOSE_AT_ONCE) {
            return;
        }
        String head = head(in);
        if (head.startsWith("POST /elsewhere")) {
            elsewhere.incrementAndGet();
        }
        if (act == Act.CLOSE_AFTER_HEADERS) {
            return;
        }
        byte[] body = in.readNBytes(Integer.parseInt(field(head, "content-length")));
        byte[] plain = field(head, "content-encoding").equals("zstd")
                ? Zstd.decompress(body, (int) Zstd.getFrameContentSize(body))
                : body;
        Shipment shipment = Shipment.decode(plain);
        switch (act) {
            case CLOSE_AFTER_BODY -> {}
            case TAKE_AND_CLOSE -> receiver.receive(shipment);
            case TAKE_AND_CUT_THE_REPLY -> {
                byte[] reply = receiver.receive(shipment).encode();
                write(out, "200 OK", "Content-Length: " + reply.length, new byte[reply.length / 2]);
            }
            case TAKE_AND_STAY_SILENT -> {
                receiver.receive(shipment);
                in.read(); // until the client gives up
            }
            case TAKE_AND_DRIP -> {
                receiver.receive(shipment);
                write(out, "200 OK", "Content-Length: 100000", new byte[0]);
                for (int i = 0; i < 100_000; i++) {
                    out.write(1);
                    out.flush();
                    Thread.sleep(20);
                }
            }
            case TAKE_AND_FLOOD -> {
                receiver.receive(shipment);
                write(out, "200 OK", "Content-Length: 1000000000", new byte[0]);
                for (int i = 0; i < 1_000; i++) {
                    out.write(new byte[1_000_000]);
                }
            }
            case STATUS_500 -> write(out, "500 Oh", "Content-Length: 0", new byte[0]);
            case STATUS_503_LATER -> write(out, "503 Busy", "Retry-After: 0\r\nContent-Length: 0", new byte[0]);
            case STATUS_429_AT_A_DATE ->
                write(
                        out,
                        "429 Slow down",
                        "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\nContent-Length: 0",
                        new byte[0]);
            case STATUS_401 -> write(out, "401 Who", "Content-Length: 0", new byte[0]);
            case STATUS_413 -> write(out, "413 Too large", "Content-Length: 0", new byte[0]);
            case REDIRECT -> write(out, "307 There", "Location: /elsewhere\r\nContent-Length: 0", new byte[0]);
            case GARBAGE -> write(out, "200 OK", "Content-Length: 5", "hello".getBytes(UTF_8));
            case EMPTY -> write(out, "200 OK", "Content-Length: 0", new byte[0]);
            case REPLY_TO_ANOTHER -> {
                receiver.receive(shipment);
                say(out, reply(new SessionId(9, 9), 1));
            }
            case REPLY_OF_THE_FUTURE -> say(out, reply(shipment.session(), 1_000_000));
            default -> say(out, receiver.receive(shipment));
        }
    }

    private static ShipmentReply reply(SessionId session, long received) {
        return new ShipmentReply(session, ShipmentReply.Verdict.ACCEPTED, "", received, received, 0, 0, 0, List.of());
    }

    private static void say(OutputStream out, ShipmentReply reply) throws IOException {
        byte[] body = reply.encode();
        write(out, "200 OK", "Content-Length: " + body.length, body);
    }

    private static void write(OutputStream out, String status, String fields, byte[] body) throws IOException {
        out.write(("HTTP/1.1 " + status + "\r\nConnection: close\r\n" + fields + "\r\n\r\n").getBytes(ISO_8859_1));
        out.write(body);
        out.flush();
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                throw new IOException("cut");
            }
            head.append((char) c);
        }
        return head.toString();
    }

    private static String field(String head, String name) {
        return head.lines()
                .filter(l -> l.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(l -> l.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
