package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With scripts that stand for py-spy. */
class PySpySourceTest {
    @TempDir
    Path folder;

    @Test
    void givesItsOutputToTheReader() throws Exception {
        PySpySource source = source("echo \"[\\\"$*\\\"]\"; echo noise >&2");
        assertThat(source.dump(42, PySpySourceTest::text)).isEqualTo("[\"dump --nonblocking --json -p 42\"]\n");
    }

    @Test
    void saysWhatItSaid() throws Exception {
        PySpySource source =
                source("echo 'Permission Denied: Try running again with elevated permissions' >&2; exit 1");
        assertThatThrownBy(() -> source.dump(42, PySpySourceTest::text))
                .isInstanceOf(StackAccessException.class)
                .hasMessageContaining("could not dump process 42, it ended with 1: Permission Denied");
    }

    @Test
    void refusesEndlessOutputAndWhatIsNoProgram() throws Exception {
        PySpySource endless = source("exec cat /dev/zero");
        assertThatThrownBy(() -> endless.dump(42, PySpySourceTest::text))
                .isInstanceOf(StackAccessException.class)
                .hasMessageContaining("prints more than");
        PySpySource missing = new PySpySource(folder.resolve("nothing"));
        assertThatThrownBy(() -> missing.dump(42, PySpySourceTest::text))
                .isInstanceOf(StackAccessException.class)
                .hasMessageContaining("could not be run");
    }

    private PySpySource source(String script) throws IOException {
        Path program = folder.resolve("py-spy");
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return new PySpySource(program);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
