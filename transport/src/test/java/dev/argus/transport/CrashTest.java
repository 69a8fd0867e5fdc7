package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes, killed by the system (SIGKILL) at random moments, agent and server in any order: every frame that the spool took is in
 * the server's stored results exactly once. More kills: {@code -Dargus.kills=100}.
 */
class CrashTest {
    private static final int KILLS = Integer.getInteger("argus.kills", 8);

    @TempDir
    Path folder;

    private final Random random = new Random(4711);
    private @Nullable Process agent;
    private @Nullable Process server;
    private int port;
    private long next = 1;

    private Process start(Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve(main.getSimpleName() + ".log").toFile()))
                .start();
    }

    private Process startAgent(long count) throws IOException {
        Process p = start(
                CrashAgent.class,
                folder.resolve("spool").toString(),
                URI.create("http://127.0.0.1:" + port + "/").toString(),
                folder.resolve("notes").toString(),
                Long.toString(next),
                Long.toString(count));
        next += 1_000_000;
        return p;
    }

    private Process startServer() throws IOException {
        return start(
                CrashServer.class,
                Integer.toString(port),
                folder.resolve("state").toString());
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process p : new Process[] {agent, server}) {
            if (p != null) {
                p.destroyForcibly().waitFor();
            }
        }
    }

    private List<Long> notes() throws IOException {
        Path notes = folder.resolve("notes");
        if (!Files.exists(notes)) {
            return List.of();
        }
        String text = Files.readString(notes);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(Long::parseLong)
                .toList();
    }

    @Test
    void killedAtAnyMomentNothingIsLostOrCountedTwice() throws IOException, InterruptedException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Process a = startAgent(1_000_000);
        Process s = startServer();
        for (int kill = 0; kill < KILLS; kill++) {
            agent = a;
            server = s;
            int before = notes().size();
            int wanted = 1 + random.nextInt(300);
            FrameSenderTest.until(() -> grownBy(before, wanted), "the agent works");
            if (random.nextBoolean()) {
                a.destroyForcibly().waitFor();
                a = startAgent(1_000_000);
            } else {
                s.destroyForcibly().waitFor();
                s = startServer();
            }
        }
        a.destroyForcibly().waitFor();
        a = startAgent(5);
        agent = a;
        server = s;
        assertThat(a.waitFor()).as(log()).isZero(); // its spool is empty: all is stored
        s.destroyForcibly().waitFor();
        Shipping.Sink sink = new Shipping.Sink();
        CrashServer.load(folder.resolve("state"), sink);
        assertThat(sink.wrong).isEmpty();
        assertThat(sink.missing).isZero();
        assertThat(sink.serials.keySet()).containsAll(notes());
        assertThat(sink.serials.values()).allMatch(times -> times == 1);
        assertThat(sink.serials.size() - notes().size())
                .as("taken, and killed before it was noted")
                .isBetween(0, KILLS);
    }

    private boolean grownBy(int before, int wanted) {
        try {
            return notes().size() >= before + wanted;
        } catch (IOException notYet) {
            return false;
        }
    }

    private String log() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("CrashAgent.log", "CrashServer.log")) {
            Path file = folder.resolve(name);
            text.append(Files.exists(file) ? Files.readString(file) : "");
        }
        return text.toString();
    }
}
