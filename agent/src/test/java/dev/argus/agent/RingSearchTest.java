package dev.argus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.ring.RingDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a folder of rings is looked through again. */
class RingSearchTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path temp;

    private Path folder = Path.of("");
    private RingSearch search;

    @BeforeEach
    void aFolder() throws IOException {
        folder = Files.createDirectory(
                temp.resolve("rings"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        search = new RingSearch(RingDirectory.of(folder));
    }

    private void changed(int secondsAgo) throws IOException {
        Files.setLastModifiedTime(folder, FileTime.fromMillis(System.currentTimeMillis() - 1000L * secondsAgo));
    }

    @Test
    void afterChangesAndEachFewSeconds() throws IOException {
        assertThat(search.isDue(0)).as("never looked").isTrue();
        search.list(0);
        assertThat(search.isDue(0)).as("it has just been made").isTrue();
        changed(100);
        search.list(SECOND);
        assertThat(search.isDue(2 * SECOND)).isFalse();
        assertThat(search.isDue(6 * SECOND)).as("a while ago").isTrue();
        search.list(6 * SECOND);
        changed(50);
        assertThat(search.isDue(6 * SECOND)).as("another time").isTrue();
        search.list(6 * SECOND);
        search.again();
        assertThat(search.isDue(6 * SECOND)).as("told to").isTrue();
    }

    @Test
    void whileSomethingIsWrong() throws IOException {
        Files.writeString(folder.resolve("what.txt"), "no ring");
        changed(100);
        assertThat(search.list(0).problems()).hasSize(1);
        assertThat(search.isDue(0)).isTrue();
        Files.delete(folder.resolve("what.txt"));
        changed(100);
        search.list(0);
        assertThat(search.isDue(0)).isFalse();
        Files.delete(folder);
        assertThat(search.isDue(0)).as("it is gone").isTrue();
    }
}
