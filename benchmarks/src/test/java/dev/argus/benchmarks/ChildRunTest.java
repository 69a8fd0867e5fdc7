package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChildRunTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void tellsCodeOutputAndTimes() throws IOException, InterruptedException {
        Path errors = folder.resolve("errors.txt");
        ChildRun run = ChildRun.of(List.of("/bin/sh", "-c", "echo out; echo err >&2; exit 3"), errors);

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.output()).isEqualTo("out\n");
        assertThat(Files.readString(errors)).isEqualTo("err\n");
        assertThat(run.firstByteNanos()).isPositive().isLessThanOrEqualTo(run.wallNanos());
    }

    @Test
    void aSilentChildHasNoFirstByte() throws IOException, InterruptedException {
        ChildRun run = ChildRun.of(List.of("/bin/sh", "-c", "exit 0"), folder.resolve("errors.txt"));

        assertThat(run.firstByteNanos()).isEqualTo(-1);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void scratchIsGoneWhenClosed() throws IOException {
        Path inside;
        try (Scratch scratch = new Scratch()) {
            inside = scratch.folder("a");
            Files.writeString(inside.resolve("file"), "text");
        }
        assertThat(inside).doesNotExist();
        assertThat(inside.getParent()).doesNotExist();
    }
}
