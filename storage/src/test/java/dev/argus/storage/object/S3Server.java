package dev.argus.storage.object;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** A real S3 server (s3proxy) on loopback, in a process of its own, that keeps its objects in a folder. */
public final class S3Server implements AutoCloseable {
    /** What it knows its client by. */
    public static final AwsCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "secret"));

    private final Path folder;
    private final int port;
    private Process process;

    /** Starts one. */
    public S3Server(Path folder) throws Exception {
        this.folder = folder;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        process = start();
    }

    /** Starts it again after {@link #close}, with the same objects, at the same address. */
    public void restart() throws Exception {
        process = start();
    }

    private Process start() throws Exception {
        Path data = Files.createDirectories(folder.resolve("buckets").resolve("argus-test"));
        Path settings = folder.resolve("s3proxy.properties");
        Files.writeString(settings, """
                s3proxy.endpoint=%s
                s3proxy.authorization=aws-v2-or-v4
                s3proxy.identity=test
                s3proxy.credential=secret
                jclouds.provider=filesystem-nio2
                jclouds.filesystem.basedir=%s
                """.formatted(address(), data.getParent()));
        Process started = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("s3proxy.log").toFile())
                .start();
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

    /** Where it listens. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Its bucket, with little patience. */
    public S3Address bucket(String prefix) {
        return new S3Address("argus-test", prefix, address(), 5L << 20, Duration.ofSeconds(20), Duration.ofSeconds(40));
    }

    /** Stops it, and returns when it has ended. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
