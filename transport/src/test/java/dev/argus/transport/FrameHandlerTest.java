package dev.argus.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.argus.model.NameTable;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameHandlerTest {
    private static final String TOKEN = "secret";

    @TempDir
    Path folder;

    private final NameTable names = new NameTable();
    private final Shipping.Sink sink = new Shipping.Sink();
    private final FrameReceiver receiver = new FrameReceiver(sink, CommandSource.NONE, true, 100);
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    private final FrameAccess access = new FrameAccess() {
        @Override
        public boolean isKnown(String token) {
            return token.equals(TOKEN) || token.equals("of another job");
        }

        @Override
        public boolean mayShip(String token, String job) {
            return token.equals(TOKEN) && job.equals(Shipping.JOB);
        }
    };

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        serve(server, 8);
    }

    private void serve(HttpServer to, int atATime) {
        to.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        to.createContext("/api/v1/frames", new FrameHandler(receiver, access, atATime));
        to.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        client.close();
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v1/frames");
    }

    private HttpResponse<byte[]> post(byte[] body, String token, String encoding)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address())
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (!encoding.isEmpty()) {
            request.header("Content-Encoding", encoding);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static byte[] empty() {
        return new Shipment(Shipping.session(), Shipping.JOB, Shipping.HOST, 1, 1, true, 0, List.of(), List.of())
                .encode();
    }

    @Test
    void everyEncodingIsRead() throws IOException, InterruptedException {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(empty());
        }
        assertThat(post(empty(), TOKEN, "").statusCode()).isEqualTo(200);
        assertThat(post(gzip.toByteArray(), TOKEN, "gzip").statusCode()).isEqualTo(200);
        HttpResponse<byte[]> reply = post(Zstd.compress(empty()), TOKEN, "zstd");
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(ShipmentReply.decode(reply.body()).verdict()).isEqualTo(ShipmentReply.Verdict.ACCEPTED);
    }

    @Test
    void whoMayNotIsToldSo() throws IOException, InterruptedException {
        assertThat(post(empty(), "guess", "").statusCode()).isEqualTo(401);
        assertThat(post(empty(), "of another job", "").statusCode()).isEqualTo(403);
        HttpRequest get = HttpRequest.newBuilder(address()).build();
        assertThat(client.send(get, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(405);
    }

    @Test
    void badBodiesAreRefusedWithBoundedMemory() throws IOException, InterruptedException {
        assertThat(post(new byte[0], TOKEN, "").statusCode()).isEqualTo(400);
        assertThat(post("garbage".repeat(100).getBytes(UTF_8), TOKEN, "zstd").statusCode())
                .isEqualTo(400);
        assertThat(post(empty(), TOKEN, "br").statusCode()).isEqualTo(415);
        byte[] bomb = Zstd.compress(new byte[200 << 20]);
        assertThat(bomb.length).isLessThan(1 << 20);
        assertThat(post(bomb, TOKEN, "zstd").statusCode()).isEqualTo(413);
        byte[] cut = Arrays.copyOf(Zstd.compress(new byte[100_000]), 10);
        assertThat(post(cut, TOKEN, "zstd").statusCode()).isEqualTo(400);
    }

    @Test
    void tooManyAtATimeAreToldToComeLater() throws IOException, InterruptedException {
        server.stop(0);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        serve(server, 0);
        HttpResponse<byte[]> reply = post(empty(), TOKEN, "");
        assertThat(reply.statusCode()).isEqualTo(503);
        assertThat(reply.headers().firstValue("Retry-After")).hasValue("1");
    }

    /** Connections whose bodies do not come stand in nobody's way. */
    @Test
    void slowOnesStopNobody() throws IOException, InterruptedException {
        server.stop(0);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        serve(server, 1);
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), server.getAddress().getPort());
                slow.add(socket);
                socket.getOutputStream()
                        .write(
                                ("POST /api/v1/frames HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer of another job"
                                                + "\r\nContent-Length: 1000000\r\n\r\nbegin")
                                        .getBytes(UTF_8));
            }
            assertThat(post(empty(), TOKEN, "").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void whoeverSendsMuchLeavesRoomForOthers() {
        BodyRoom room = new BodyRoom(1_000);
        assertThat(room.take("hostile", 501)).isFalse();
        assertThat(room.take("hostile", 500)).isTrue();
        assertThat(room.take("hostile", 1)).isFalse();
        assertThat(room.take("other", 250)).isTrue();
        room.give("hostile", 500);
        assertThat(room.take("other", 250)).isTrue();
        assertThat(room.take("other", 1)).isFalse();
    }

    private void ship(SenderSettings settings) throws IOException, InterruptedException {
        try (Spool spool = Spool.open(folder.resolve("spool"), SpoolLimits.DEFAULT);
                FrameSender sender = new FrameSender(settings, spool, c -> true)) {
            Outbox outbox = Shipping.outbox(spool, names);
            for (int i = 1; i <= 300; i++) {
                outbox.add(Shipping.record(names, i));
                outbox.flush();
            }
            sender.start();
            FrameSenderTest.until(() -> spool.frames() == 0, "all are sent");
            assertThat(sender.status().problem()).isEmpty();
        }
        assertThat(sink.serials).hasSize(300);
        assertThat(sink.wrong).isEmpty();
    }

    @Test
    void senderAndHandlerUnderstandEachOther() throws IOException, InterruptedException {
        ship(SenderSettings.of(address(), Shipping.JOB, Shipping.HOST, TOKEN, 1));
    }

    @Test
    void overTlsWithCertificatesOfOnesOwn() throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        keytool(
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "2",
                "-keystore",
                store.toString());
        Path pem = folder.resolve("ca.pem");
        keytool("-exportcert", "-rfc", "-alias", "a", "-keystore", store.toString(), "-file", pem.toString());
        HttpsServer secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(context(store)));
        serve(secure, 8);
        try {
            URI to = URI.create("https://localhost:" + secure.getAddress().getPort() + "/api/v1/frames");
            SenderSettings settings = SenderSettings.of(to, Shipping.JOB, Shipping.HOST, TOKEN, 1)
                    .timed(Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofMillis(1), Duration.ofMillis(9));
            try (Spool spool = Spool.open(folder.resolve("stranger"), SpoolLimits.DEFAULT);
                    FrameSender sender = new FrameSender(settings, spool, c -> true)) {
                Outbox outbox = Shipping.outbox(spool, names);
                outbox.add(Shipping.record(names, 1));
                outbox.flush();
                sender.once();
                assertThat(sender.status().problem()).contains("certification path");
            }
            ship(settings.trusting(pem));
        } finally {
            secure.stop(0);
        }
    }

    private static SSLContext context(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "changeit".toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", "changeit"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.txt").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("keytool.txt")))
                .isZero();
    }
}
