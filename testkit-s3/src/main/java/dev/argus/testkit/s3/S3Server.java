package dev.argus.testkit.s3;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A real S3 server (s3proxy) on loopback, in a process of its own, that keeps its objects in a folder. */
public final class S3Server implements AutoCloseable {
    /** The name it knows its client by. */
    public static final String NAME = "test";

    /** The secret of its client. */
    public static final String SECRET = "secret";

    /** Its bucket. */
    public static final String BUCKET = "argus-test";

    private final Path folder;
    private final int port;
    private Process process;

    /** Starts one. */
    public S3Server(Path folder) throws IOException {
        this.folder = folder;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        process = start();
    }

    /** Starts it again after {@link #close}, with the same objects, at the same address. */
    public void restart() throws IOException {
        process = start();
    }

    private Process start() throws IOException {
        Path data = Files.createDirectories(folder.resolve("buckets").resolve(BUCKET));
        Path settings = folder.resolve("s3proxy.properties");
        Files.writeString(settings, """
                s3proxy.endpoint=%s
                s3proxy.authorization=aws-v2-or-v4
                s3proxy.identity=%s
                s3proxy.credential=%s
                jclouds.provider=filesystem-nio2
                jclouds.filesystem.basedir=%s
                """.formatted(address(), NAME, SECRET, data.getParent()));
        Process started = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("s3proxy.log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        for (int i = 0; i < 600 && started.isAlive(); i++) {
            try (Socket up = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (up.isConnected()) {
                    return started;
                }
            } catch (IOException notYet) {
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            }
        }
        started.destroyForcibly();
        throw new IOException("no S3 server: " + Files.readString(folder.resolve("s3proxy.log")));
    }

    private static String classPath() throws IOException {
        try (InputStream in = S3Server.class.getResourceAsStream("server.classpath")) {
            if (in == null) {
                throw new IOException("the class path of the server is missing; build the room testkit-s3 by Maven");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
        }
    }

    /** Where it listens. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Stops it, and returns when it has ended. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
