package dev.argus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the system says of a process. */
class ProcessWatchTest {
    @Test
    void statesAreReadBehindAnyName(@TempDir Path proc) throws IOException {
        Path stat = Files.createDirectories(proc.resolve("7")).resolve("stat");
        Files.writeString(stat, "7 (a) T (b) S 1 7 7 0 -1\n");
        try (ProcessWatch watch = Objects.requireNonNull(ProcessWatch.open(proc, 7))) {
            assertThat(watch.ended()).isFalse();
            assertThat(watch.stopped()).isFalse();
            Files.writeString(stat, "7 (a) T (b) T 1 7 7 0 -1\n");
            assertThat(watch.stopped()).isTrue();
            assertThat(watch.ended()).isFalse();
            Files.writeString(stat, "7 (a) T (b) Z 1 7 7 0 -1\n");
            assertThat(watch.ended()).isTrue();
            Files.writeString(stat, "");
            assertThat(watch.ended()).isTrue();
        }
        assertThat(ProcessWatch.open(proc, 8)).isNull();
    }

    @Test
    void aProcessThatIsKilledHasEnded() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        try (ProcessWatch watch = Objects.requireNonNull(ProcessWatch.open(Path.of("/proc"), process.pid()))) {
            assertThat(watch.ended()).isFalse();
            process.destroyForcibly().waitFor();
            Eventually.holds("the process has ended", watch::ended);
        } finally {
            process.destroyForcibly();
        }
    }
}
