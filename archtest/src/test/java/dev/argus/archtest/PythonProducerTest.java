package dev.argus.archtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of {@code producers/python}, which are Python's own, with the system's Python and its PyTorch. */
class PythonProducerTest {
    private static final long TIMEOUT_SECONDS = 600;

    @TempDir
    private Path folder = Path.of("");

    @Test
    @Requires(Need.TORCH)
    void itsTestsPass() throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process python = new ProcessBuilder("/usr/bin/python3", "-B", "-m", "unittest")
                .directory(House.repository().resolve("producers/python").toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();

        boolean ended = python.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        python.descendants().forEach(ProcessHandle::destroyForcibly);
        python.destroyForcibly();

        String text = Files.readString(said, UTF_8);
        assertThat(ended).as(text).isTrue();
        assertThat(python.exitValue()).as(text).isZero();
        assertThat(text).containsPattern("Ran [1-9][0-9]+ tests").doesNotContain("needs torch");
    }
}
