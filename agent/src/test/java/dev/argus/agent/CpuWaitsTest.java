package dev.argus.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The system's count of how a main thread runs and waits. */
class CpuWaitsTest {
    private static long number(String line, int which) {
        return CpuWaits.number(ByteBuffer.wrap(line.getBytes(US_ASCII)), line.length(), which);
    }

    @Test
    void bothNumbersAreRead() {
        assertThat(number("123 45 6\n", 0)).isEqualTo(123);
        assertThat(number("123 45 6\n", 1)).isEqualTo(45);
        assertThat(number("123", 1)).isEqualTo(-1);
        assertThat(number("", 0)).isEqualTo(-1);
        assertThat(number("99999999999999999999999 1", 0)).isEqualTo(-1);
    }

    @Test
    void whatTheyGrewByIsTold(@TempDir Path proc) throws IOException {
        Path file = Files.createDirectories(proc.resolve("7/task/7")).resolve("schedstat");
        Files.writeString(file, "1000 500 3\n");
        try (CpuWaits waits = CpuWaits.open(proc, 7)) {
            assertThat(waits).isNotNull();
            waits.look();
            assertThat(waits.ran()).as("unknown before").isEqualTo(-1);
            Files.writeString(file, "1800 650 4\n");
            waits.look();
            assertThat(waits.ran()).isEqualTo(800);
            assertThat(waits.waited()).isEqualTo(150);
        }
        assertThat(CpuWaits.open(proc, 8)).isNull();
    }
}
