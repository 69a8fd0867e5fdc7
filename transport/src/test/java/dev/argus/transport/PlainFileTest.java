package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PlainFileTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void readsAPlainFileAndALinkToOne() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "abc\n");
        assertThat(new String(PlainFile.read(file, 4), StandardCharsets.UTF_8)).isEqualTo("abc\n");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThat(PlainFile.read(link, 4)).hasSize(4);
        assertThatThrownBy(() -> PlainFile.read(file, 3))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it is larger than 3 bytes");
    }

    @Test
    void refusesFoldersAndWhatIsNotThere() {
        assertThatThrownBy(() -> PlainFile.read(folder, 10))
                .hasMessageContaining("it is a folder; expected a plain file");
        assertThatThrownBy(() -> PlainFile.read(folder.resolve("none"), 10)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void saysWhyWithoutTheName() {
        assertThat(PlainFile.reason(new NoSuchFileException("/x"))).isEqualTo("it does not exist");
        assertThat(PlainFile.reason(new AccessDeniedException("/x"))).isEqualTo("it may not be read");
        assertThat(PlainFile.reason(new FileSystemException("/x", null, "Not a directory")))
                .isEqualTo("Not a directory");
    }

    /** Opening a pipe that nobody writes into waits for ever: a test that hangs has failed. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void doesNotWaitForAPipeOrReadADevice() throws Exception {
        Path pipe = folder.resolve("pipe");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assumeThat(made.waitFor(30, TimeUnit.SECONDS) && made.exitValue() == 0)
                .as("this system makes pipes")
                .isTrue();
        assertThatThrownBy(() -> PlainFile.read(pipe, 10)).hasMessageContaining("it is a pipe, a socket or a device");
        assertThatThrownBy(() -> PlainFile.read(Path.of("/dev/zero"), 10)).hasMessageContaining("a device");
    }
}
