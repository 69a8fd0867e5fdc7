package dev.argus.storage.duck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeFileTest {
    @Test
    void isRemovedOnceItIsLoaded(@TempDir Path folder) throws IOException {
        try (ParquetFiles loaded = ParquetFiles.into(folder)) {
            assertThat(loaded).isNotNull();
            List<String> lines = Files.readAllLines(Path.of("/proc/self/maps"));
            assertThat(lines).anyMatch(line -> line.contains("/libduckdb_java") && line.endsWith("(deleted)"));
            assertThat(NativeFile.of(lines)).isEmpty();
        }
    }

    @Test
    void isToldByItsNameAlone() {
        assertThat(NativeFile.of(List.of(
                        "7f00-7f01 r-xp 00000000 fe:00 11 /tmp/x y/libduckdb_java12.so",
                        "7f01-7f02 r--p 00001000 fe:00 11 /tmp/x y/libduckdb_java12.so",
                        "7f02-7f03 r--p 00001000 fe:00 12 /tmp/libduckdb_java13.so (deleted)",
                        "7f03-7f04 r--p 00001000 fe:00 13 /usr/lib/libduckdb_java.so",
                        "7f04-7f05 rw-p 00000000 00:00 0",
                        "7f05-7f06 r-xp 00000000 fe:00 14 /opt/libother12.so")))
                .containsExactly(Path.of("/tmp/x y/libduckdb_java12.so"));
    }
}
