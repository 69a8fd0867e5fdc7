package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that cannot begin says which file is in its way, and how. */
class CannotBeginTest {
    @TempDir
    Path folder;

    private Run serve() {
        return Run.with(
                (paths, options, threads, progress) -> {
                    throw new IllegalStateException("no analysis");
                },
                Map.of(),
                "serve",
                "--data",
                folder.toString(),
                "--port",
                "0",
                "--for",
                "1");
    }

    @Test
    void aFileOrALinkInPlaceOfAFolderIsNamed() throws IOException {
        Path store = folder.resolve("store");
        Files.writeString(store, "");
        expect(store);
        Files.delete(store);
        Files.createSymbolicLink(store, Files.createDirectory(folder.resolve("elsewhere")));
        expect(store);
    }

    private void expect(Path file) {
        Run run = serve();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("cannot begin: " + file + ": it is a link or a file, expected a folder, or nothing");
    }

    @Test
    void whatTheSystemRefusesIsNamed() {
        assertThat(Failures.reasonWithFile(new AccessDeniedException("/data/store")))
                .isEqualTo("/data/store: permission denied");
        assertThat(Failures.reasonWithFile(new NoSuchFileException("/data"))).isEqualTo("/data: it does not exist");
        assertThat(Failures.reasonWithFile(new FileSystemException("a\nb", null, "Read-only file system")))
                .doesNotContain("\n")
                .endsWith(": read-only file system");
        assertThat(Failures.reasonWithFile(new IOException("no room"))).isEqualTo("no room");
    }
}
