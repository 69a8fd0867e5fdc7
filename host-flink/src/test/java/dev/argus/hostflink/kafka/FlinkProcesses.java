package dev.argus.hostflink.kafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** ZooKeeper, a JobManager and TaskManagers as processes of their own, on the loopback, each of which may be killed and started again. */
final class FlinkProcesses implements AutoCloseable {
    /** What Flink reads of the JDK by reflection. */
    static final List<String> OPENS = List.of(
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED");

    private final Path folder;
    private final Map<String, Process> running = new TreeMap<>();
    private final int zooKeeperPort = freePort();
    private final int restPort = freePort();

    FlinkProcesses(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve("zoo.cfg"),
                "tickTime=500\ninitLimit=10\nsyncLimit=5\nadmin.enableServer=false\nclientPortAddress=127.0.0.1\nclientPort="
                        + zooKeeperPort + "\ndataDir=" + folder.resolve("zookeeper") + "\n");
        Files.writeString(folder.resolve("config.yaml"), String.join("\n", configuration()) + "\n");
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private List<String> configuration() {
        String uri = folder.toUri().toString();
        return List.of(
                "jobmanager.rpc.address: 127.0.0.1",
                "rest.address: 127.0.0.1",
                "rest.bind-address: 127.0.0.1",
                "rest.port: " + restPort,
                "taskmanager.host: 127.0.0.1",
                "taskmanager.bind-host: 127.0.0.1",
                "taskmanager.numberOfTaskSlots: 1",
                "taskmanager.cpu.cores: 1.0",
                "taskmanager.memory.task.heap.size: 256m",
                "taskmanager.memory.task.off-heap.size: 0m",
                "taskmanager.memory.framework.heap.size: 64m",
                "taskmanager.memory.framework.off-heap.size: 64m",
                "taskmanager.memory.managed.size: 64m",
                "taskmanager.memory.network.min: 32m",
                "taskmanager.memory.network.max: 32m",
                "taskmanager.memory.jvm-metaspace.size: 128m",
                "taskmanager.memory.jvm-overhead.min: 64m",
                "taskmanager.memory.jvm-overhead.max: 64m",
                "heartbeat.interval: 1000",
                "heartbeat.timeout: 5000",
                "io.tmp.dirs: " + folder.resolve("tmp"),
                "high-availability.type: zookeeper",
                "high-availability.zookeeper.quorum: 127.0.0.1:" + zooKeeperPort,
                "high-availability.zookeeper.client.session-timeout: 5000",
                "high-availability.storageDir: " + uri + "ha",
                "high-availability.cluster-id: /argus",
                "restart-strategy.type: exponential-delay");
    }

    int restPort() {
        return restPort;
    }

    void startZooKeeper() throws IOException {
        start(
                "zookeeper",
                List.of("-Xmx64m"),
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                folder.resolve("zoo.cfg").toString());
    }

    void startJobManager() throws IOException {
        start(
                "jobmanager",
                List.of("-Xmx256m"),
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                "--configDir",
                folder.toString(),
                "--executionMode",
                "cluster");
    }

    void startTaskManager(String name) throws IOException {
        start(
                name,
                List.of("-Xmx320m", "-XX:MaxDirectMemorySize=160m"),
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "--configDir",
                folder.toString());
    }

    private void start(String name, List<String> options, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(OPENS);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        running.put(name, process);
    }

    Path log(String name) {
        return folder.resolve(name + ".log");
    }

    /** SIGKILL. */
    void kill(String name) throws InterruptedException {
        Process process = running.remove(name);
        if (process == null) {
            throw new IllegalStateException(name + " does not run");
        }
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " does not die");
        }
    }

    boolean allRun() {
        return running.values().stream().allMatch(Process::isAlive);
    }

    String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String name : List.of("zookeeper", "jobmanager", "tm1", "tm2")) {
            if (Files.exists(log(name))) {
                List<String> lines = Files.readAllLines(log(name));
                all.append("--- ").append(name).append('\n');
                lines.subList(Math.max(0, lines.size() - 40), lines.size())
                        .forEach(l -> all.append(l).append('\n'));
            }
        }
        return all.toString();
    }

    @Override
    public void close() {
        running.values().forEach(Process::destroyForcibly);
    }
}
