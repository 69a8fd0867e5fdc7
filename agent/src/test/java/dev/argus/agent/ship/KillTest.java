package dev.argus.agent.ship;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes, killed by the system (SIGKILL) at random moments in any order: producers, agent, server. The producers that are left go on making steps, every
 * step whose frame was closed is in the server's stored results exactly once, and every hole in the steps is told. More kills: {@code -Dargus.kills=100}.
 */
class KillTest {
    private static final int KILLS = Integer.getInteger("argus.kills", 6);
    private static final int RANKS = 2;

    @TempDir
    Path folder;

    private final Random random = new Random(815);
    private final Map<String, Process> running = new HashMap<>();
    private int port;

    private void start(String what, Class<?> main, String... args) throws IOException {
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
        running.put(
                what,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                folder.resolve(what + ".log").toFile()))
                        .start());
    }

    private Process process(String what) {
        return Objects.requireNonNull(running.get(what), what);
    }

    private void kill(String what) throws InterruptedException {
        process(what).destroyForcibly().waitFor();
    }

    private void startProducer(int rank) throws IOException {
        Files.deleteIfExists(count(rank));
        start(
                "producer" + rank,
                KillProducer.class,
                folder.resolve("rings").toString(),
                Integer.toString(rank),
                Integer.toString(RANKS),
                count(rank).toString());
    }

    private Path count(int rank) {
        return folder.resolve("count" + rank);
    }

    private void startAgent() throws IOException {
        start(
                "agent",
                KillAgent.class,
                folder.resolve("rings").toString(),
                folder.resolve("state").toString(),
                URI.create("http://127.0.0.1:" + port + "/").toString(),
                folder.resolve("notes").toString(),
                folder.resolve("enough").toString());
    }

    private void startServer() throws IOException {
        start(
                "server",
                KillServer.class,
                Integer.toString(port),
                folder.resolve("stored").toString());
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process p : running.values()) {
            p.destroyForcibly().waitFor();
        }
    }

    /** Steps that a producer has made. */
    private long made(int rank) {
        try {
            byte[] bytes = Files.readAllBytes(count(rank));
            return bytes.length < Long.BYTES ? 0 : ByteBuffer.wrap(bytes).getLong();
        } catch (IOException notYet) {
            return 0;
        }
    }

    private List<String> notes() {
        try {
            String text = Files.readString(folder.resolve("notes"));
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException notYet) {
            return List.of();
        }
    }

    @Test
    void killedAtAnyMomentInAnyOrder() throws IOException, InterruptedException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        startServer();
        for (int rank = 0; rank < RANKS; rank++) {
            startProducer(rank);
        }
        startAgent();
        Map<String, Integer> kills = new TreeMap<>();
        for (int i = 0; i < KILLS; i++) {
            long[] before = {made(0), made(1)};
            int wanted = 1 + random.nextInt(120);
            // nobody's death keeps a producer from its steps
            Receivers.until(
                    () -> made(0) >= before[0] + wanted && made(1) >= before[1] + wanted,
                    "the producers make steps " + log());
            if (random.nextInt(4) != 0) {
                int noted = notes().size();
                Receivers.until(() -> notes().size() > noted, "the agent works " + log());
            }
            String what = List.of("producer", "agent", "server").get(random.nextInt(3));
            kills.merge(what, 1, Integer::sum);
            switch (what) {
                case "producer" -> {
                    for (int rank = 0; rank < RANKS; rank++) {
                        kill("producer" + rank);
                    }
                    for (int rank = 0; rank < RANKS; rank++) {
                        startProducer(rank);
                    }
                }
                case "agent" -> {
                    kill("agent");
                    startAgent();
                }
                default -> {
                    kill("server");
                    startServer();
                }
            }
        }
        int noted = notes().size();
        Receivers.until(() -> notes().size() > noted, "the agent works " + log());
        Files.createFile(folder.resolve("enough"));
        assertThat(process("agent").waitFor()).as(log()).isZero(); // its spool is empty: all is stored
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(process("producer" + rank).isAlive()).as(log()).isTrue();
        }
        kill("server");
        KillServer.Sink stored = new KillServer.Sink();
        KillServer.load(folder.resolve("stored"), stored);

        List<String> notes = notes();
        assertThat(new HashSet<>(notes)).as("a step is made once").hasSameSizeAs(notes);
        assertThat(stored.missing).as("frames that will never come").isZero();
        assertThat(stored.steps.keySet()).as("nothing is lost").containsAll(notes);
        assertThat(stored.steps.values()).as("nothing is counted twice").allMatch(times -> times == 1);
        holesAreTold(stored);
        System.out.println("kills " + kills + ", steps noted " + notes.size() + ", steps stored " + stored.steps.size()
                + ", losses told " + stored.losses);
    }

    /** Each hole in the steps of a rank and attempt has a loss that was told of it. */
    private static void holesAreTold(KillServer.Sink stored) {
        Map<String, Set<Long>> byRank = new TreeMap<>();
        stored.steps
                .keySet()
                .forEach(key -> byRank.computeIfAbsent(key.substring(0, key.lastIndexOf('/')), k -> new TreeSet<>())
                        .add(Long.parseLong(key.substring(key.lastIndexOf('/') + 1))));
        byRank.forEach((rank, steps) -> {
            int holes = 0;
            long before = -1;
            for (long s : steps) {
                holes += before >= 0 && s != before + 1 ? 1 : 0;
                before = s;
            }
            long told = stored.losses.entrySet().stream()
                    .filter(e -> e.getKey().startsWith(rank + "/"))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            assertThat((long) holes)
                    .as("holes of " + rank + ", told " + stored.losses)
                    .isLessThanOrEqualTo(told);
        });
    }

    private String log() {
        StringBuilder text = new StringBuilder();
        for (String name : running.keySet()) {
            try {
                text.append(Files.readString(folder.resolve(name + ".log")));
            } catch (IOException none) {
                // it has said nothing
            }
        }
        return text.toString();
    }
}
