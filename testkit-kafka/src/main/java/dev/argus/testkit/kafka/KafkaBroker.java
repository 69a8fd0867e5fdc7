package dev.argus.testkit.kafka;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker as a process of its own: one node that is broker and controller (KRaft), on ports of the loopback that it keeps over restarts. It can be {@link #kill killed} with SIGKILL and {@link #start started} again over
 * the same data.
 *
 * <p>Topics are not made by being used, so that a topic that is deleted is gone; internal ones have 4 partitions, so that a start takes seconds. Takes some 440 MiB and 2 to 6 s to start.
 *
 * <p>One thread.
 */
public final class KafkaBroker implements AutoCloseable {
    private static final String CLUSTER = "YXJndXMtdGVzdC1icm9rZQ";
    private static final long START_SECONDS = 120;
    private static final long STOP_SECONDS = 30;
    private static final int PROBE_MILLIS = 2000;
    private static final int MOST_ANSWER_BYTES = 1 << 16;
    private static final short API_VERSIONS = 18;

    private final Path folder;
    private final int port;
    private final int plainPort;
    private @Nullable Process process;

    private KafkaBroker(Path folder, int port, int plainPort) {
        this.folder = folder;
        this.port = port;
        this.plainPort = plainPort;
    }

    /**
     * Makes a broker in an empty folder and starts it.
     *
     * @param folder for its settings, data and log
     */
    public static KafkaBroker in(Path folder) throws IOException, InterruptedException {
        return in(folder, Map.of());
    }

    /**
     * Makes a broker with other settings in an empty folder and starts it.
     *
     * @param folder for its settings, data and log
     * @param more settings of a broker, before which ours give way; the listener for clients is named {@code CLIENTS}, and plain unless {@code listener.security.protocol.map} says otherwise
     */
    public static KafkaBroker in(Path folder, Map<String, String> more) throws IOException, InterruptedException {
        int[] ports = freePorts(3);
        KafkaBroker broker = new KafkaBroker(folder, ports[0], ports[2]);
        Map<String, String> settings = new TreeMap<>(Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", "1"),
                Map.entry("controller.quorum.voters", "1@127.0.0.1:" + ports[1]),
                Map.entry(
                        "listeners",
                        "CLIENTS://127.0.0.1:" + ports[0] + ",CONTROLLER://127.0.0.1:" + ports[1]
                                + ",PLAIN://127.0.0.1:" + ports[2]),
                Map.entry("advertised.listeners", "CLIENTS://127.0.0.1:" + ports[0] + ",PLAIN://127.0.0.1:" + ports[2]),
                Map.entry("listener.security.protocol.map", "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT,PLAIN:PLAINTEXT"),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("inter.broker.listener.name", "PLAIN"),
                Map.entry("log.dirs", folder.resolve("data").toString()),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("offsets.topic.num.partitions", "4"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("transaction.state.log.num.partitions", "4"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("num.network.threads", "2"),
                Map.entry("num.io.threads", "2"),
                Map.entry("log.cleaner.dedupe.buffer.size", "2097152"),
                Map.entry("file.delete.delay.ms", "1000")));
        settings.putAll(more);
        StringBuilder text = new StringBuilder();
        settings.forEach((name, value) -> text.append(name)
                .append('=')
                .append(value.replace("\\", "\\\\"))
                .append('\n'));
        Files.createDirectories(folder);
        Files.writeString(broker.settings(), text);
        broker.format();
        broker.start();
        return broker;
    }

    private static int[] freePorts(int n) throws IOException {
        int[] ports = new int[n];
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < n; i++) {
                ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                held.add(free);
                ports[i] = free.getLocalPort();
            }
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
        return ports;
    }

    private Path settings() {
        return folder.resolve("server.properties");
    }

    private Path log() {
        return folder.resolve("broker.log");
    }

    private static String classPath() throws IOException {
        try (InputStream in = KafkaBroker.class.getResourceAsStream("broker.classpath")) {
            if (in == null) {
                throw new IOException("the class path of the broker is missing; build the room testkit-kafka by Maven");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
        }
    }

    private Process launch(String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    private void format() throws IOException, InterruptedException {
        Process format = launch(
                "kafka.tools.StorageTool",
                "format",
                "--cluster-id",
                CLUSTER,
                "--config",
                settings().toString());
        if (!format.waitFor(START_SECONDS, TimeUnit.SECONDS) || format.exitValue() != 0) {
            format.destroyForcibly();
            throw new IOException("the folder of the broker could not be made: " + Files.readString(log()));
        }
    }

    /** Starts a broker that was killed or stopped over what it has on disk; returns when it answers. */
    public void start() throws IOException, InterruptedException {
        Process running = process;
        if (running != null && running.isAlive()) {
            throw new IllegalStateException("it runs");
        }
        Process started = launch("kafka.Kafka", settings().toString());
        process = started;
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        for (long i = 0; i < START_SECONDS * 10; i++) {
            if (!started.isAlive()) {
                throw new IOException("the broker ended with " + started.exitValue() + ": " + Files.readString(log()));
            }
            if (answers()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        kill();
        throw new IOException("the broker did not start within " + START_SECONDS + " s: " + Files.readString(log()));
    }

    /** Asks for the versions it speaks: it answers only when it takes requests of clients. */
    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), plainPort), PROBE_MILLIS);
            socket.setSoTimeout(PROBE_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(10); // bytes that follow
            out.writeShort(API_VERSIONS);
            out.writeShort(0); // version of the request
            out.writeInt(1); // correlation
            out.writeShort(-1); // no name
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int bytes = in.readInt();
            return bytes > 0 && bytes < MOST_ANSWER_BYTES && in.readInt() == 1;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** {@return where clients find it, host and port} */
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    /** {@return where it can be reached without encryption and without a password, whatever the listener for clients asks for} */
    public String plainBootstrap() {
        return "127.0.0.1:" + plainPort;
    }

    /** {@return its process id, -1 when it does not run} */
    public long pid() {
        Process running = process;
        return running != null && running.isAlive() ? running.pid() : -1;
    }

    /** Kills it (SIGKILL); its data stays. */
    public void kill() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().waitFor();
        }
    }

    /** Ends it in order; its data stays. */
    public void stop() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroy();
            if (!running.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
        }
    }

    /** Kills it: what it has is of no use any more. */
    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
