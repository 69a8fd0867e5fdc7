package dev.argus.archtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The producers that Maven does not build: their own tests, run by their own tools. */
class ProducersTest {
    /** Against a hang: the tests take about 20 seconds of processor time. */
    private static final long TIMEOUT_MINUTES = 15;

    @TempDir
    Path folder;

    @Test
    @Requires(Need.C_COMPILER)
    void theCuptiProducerPassesItsTests() throws Exception {
        Path producer = House.repository().resolve("producers/cupti");
        Path out = folder.resolve("make.out");
        Process make = new ProcessBuilder("make", "test", "BUILD=../../archtest/target/cupti")
                .directory(producer.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        boolean ended = make.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES);
        make.descendants().forEach(ProcessHandle::destroyForcibly);
        make.destroyForcibly();

        assertThat(ended).as("ended in time:%n%s", end(out)).isTrue();
        assertThat(make.exitValue()).as("%s", end(out)).isZero();
        assertThat(Files.readString(out, UTF_8)).contains("all tests of the CUPTI producer passed");
    }

    private static String end(Path out) throws IOException {
        List<String> lines = Files.readAllLines(out, UTF_8);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    }
}
