package dev.argus.hostflink.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What {@code deploy/flink/local} makes of the files that it finds, without starting anything. */
@EnabledOnOs(OS.LINUX)
class LocalScriptTest {
    @TempDir
    Path home;

    private record Ran(int status, String text) {}

    private Ran run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Shared.repository().resolve("deploy/flink/local").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ARGUS_FLINK_HOME", home.toString());
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ran(process.exitValue(), text);
    }

    private Path checkpoint(String job, int number, boolean whole, int age) throws IOException {
        Path folder =
                Files.createDirectories(home.resolve("checkpoints").resolve(job).resolve("chk-" + number));
        Path metadata = folder.resolve("_metadata");
        Files.writeString(metadata, whole ? "whole" : "");
        Files.setLastModifiedTime(metadata, FileTime.fromMillis(1_790_000_000_000L - 1000L * age));
        return folder;
    }

    @Test
    void theNewestCheckpointThatIsWholeIsTheOneToGoOnFrom() throws Exception {
        assertThat(run("newest")).isEqualTo(new Ran(0, ""));
        checkpoint("a", 100, true, 30);
        Path newest = checkpoint("b", 7, true, 10);
        checkpoint("b", 8, false, 5);
        Files.createDirectories(home.resolve("checkpoints/c/chk-1"));
        assertThat(run("newest")).isEqualTo(new Ran(0, newest + "\n"));
    }

    @Test
    void anIdThatWasGivenToAnotherProcessIsNotKilled() throws Exception {
        Process other = new ProcessBuilder("sleep", "60").start();
        try {
            for (String stale : List.of(other.pid() + " 1", other.pid() + "", "999999999 7", "no number", "")) {
                Files.writeString(home.resolve("tm1.pid"), stale + "\n");
                assertThat(run("kill", "tm1")).isEqualTo(new Ran(0, "tm1 does not run\n"));
                assertThat(home.resolve("tm1.pid")).doesNotExist();
            }
            assertThat(other.isAlive()).isTrue();
            Files.writeString(home.resolve("tm1.pid"), other.pid() + " " + began(other.pid()) + "\n");
            assertThat(run("kill", "tm1")).isEqualTo(new Ran(0, "killed tm1\n"));
            assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            other.destroyForcibly();
        }
        assertThat(run("stop").status()).isZero();
    }

    private static String began(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
    }

    @Test
    void aNameThatIsNoneIsSaid() throws Exception {
        assertThat(run("kill", "nobody").status()).isEqualTo(2);
        assertThat(run("kill").text()).contains("expected one of: tm1 tm2 jobmanager broker");
        assertThat(run("restart").status()).isEqualTo(2);
    }
}
