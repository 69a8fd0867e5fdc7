package dev.argus.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.DataProblem;
import dev.argus.model.NameTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingDirectoryTest {
    private static final long NOW = 10L * ProcessTable.GONE_NANOS;

    @TempDir
    Path temp;

    private Path folder() {
        return Rings.folder(temp);
    }

    /** A process table of our own, in which the agent is of namespace 7. */
    private Path proc() throws IOException {
        Path proc = temp.resolve("proc");
        link(proc.resolve("self"), 7);
        return proc;
    }

    private static void link(Path process, int namespace) throws IOException {
        Files.createDirectories(process.resolve("ns"));
        Files.createSymbolicLink(process.resolve("ns/pid"), Path.of("pid:[" + namespace + "]"));
    }

    private static void process(Path proc, int pid, int namespace, String state, long ticks, String ids)
            throws IOException {
        Path of = proc.resolve(Integer.toString(pid));
        link(of, namespace);
        Files.writeString(
                of.resolve("stat"),
                pid + " (a ) b (c) " + state + " 1 1 1 0 -1 4 0 0 0 0 1 1 0 0 20 0 1 0 " + ticks + " 5 5\n");
        Files.writeString(of.resolve("status"), "Name:\tpython\nNSpid:\t" + ids + "\nVmRSS: 1 kB\n");
    }

    private RingHeader ring(int pid, long ticks, long namespace, long heartbeat) throws IOException {
        RingHeader header = new RingHeader(0, RingHeader.PYTHON, 1024, 1, pid, 2, ticks, 0, 0, 1, namespace);
        try (RingWriter writer = RingWriter.create(folder(), header)) {
            writer.heartbeat(heartbeat);
            writer.clock(1, 1, 1);
        }
        return header;
    }

    @Test
    void whoLivesIsSaidByProcessStartAndNamespace() throws IOException {
        Path proc = proc();
        process(proc, 100, 7, "S", 55, "100");
        process(proc, 101, 7, "Z", 55, "101");
        process(proc, 3000, 9, "R", 66, "3000\t12");
        process(proc, 3001, 8, "R", 67, "3001\t12");
        ring(100, 55, 7, NOW);
        ring(100, 54, 7, NOW);
        ring(101, 55, 7, NOW);
        ring(102, 1, 0, NOW);
        ring(12, 66, 9, NOW);
        ring(12, 67, 9, NOW);
        ring(13, 66, 9, 1);
        ring(14, 66, 9, 0); // made just now

        RingDirectory.Listing found = RingDirectory.of(folder(), proc).list(NOW);
        assertThat(found.problems()).isEmpty();
        assertThat(found.rings())
                .extracting(e -> e.header().process() + "-" + e.header().startTicks() + " " + e.life() + " "
                        + e.hostProcess() + " " + e.backlog())
                .containsExactly(
                        "100-54 DEAD -1 1",
                        "100-55 ALIVE 100 1",
                        "101-55 DEAD -1 1",
                        "102-1 DEAD -1 1",
                        "12-66 ALIVE 3000 1",
                        "12-67 UNSEEN -1 1",
                        "13-66 DEAD -1 1",
                        "14-66 UNSEEN -1 1");
    }

    @Test
    void onlyDrainedRingsOfTheDeadAreRemoved() throws IOException {
        Path proc = proc();
        process(proc, 100, 7, "S", 55, "100");
        ring(100, 55, 7, NOW);
        ring(101, 55, 7, NOW);
        RingDirectory directory = RingDirectory.of(folder(), proc);
        List<RingDirectory.Entry> found = directory.list(NOW).rings();
        for (RingDirectory.Entry entry : found) {
            assertThat(directory.removeDrained(entry, NOW)).as("not drained").isFalse();
            try (RingReader reader = RingReader.open(entry.path(), new NameTable(), NOW)) {
                reader.drain(new RingConsumer() {}, 10);
            }
        }
        assertThat(directory.removeDrained(found.get(0), NOW)).as("alive").isFalse();
        assertThat(directory.removeDrained(found.get(1), NOW)).isTrue();
        assertThat(directory.removeDrained(found.get(1), NOW))
                .as("gone already")
                .isFalse();
        assertThat(directory.list(NOW).rings()).hasSize(1);
    }

    @Test
    void whatIsNotSafeIsRefusedWithASentence() throws IOException {
        ring(100, 1, 0, 1);
        Path good = folder().resolve("100-1.python.ring");
        Files.createSymbolicLink(folder().resolve("1-1.python.ring"), good);
        Files.createFile(folder().resolve("notes.txt"));
        Files.createDirectory(folder().resolve("2-1.python.ring"));
        byte[] bytes = Files.readAllBytes(good);
        write("3-1.python.ring", bytes, "rw-r-----");
        write("4-1.python.ring", new byte[77], "rw-------");
        write("5-1.python.ring", bytes, "rw-------");
        write("6-1.python.ring", bytes, "rw-------");
        Files.createLink(folder().resolve("7-1.python.ring"), folder().resolve("6-1.python.ring"));
        bytes[8] = 2;
        write("8-1.python.ring", bytes, "rw-------");

        RingDirectory.Listing found = RingDirectory.of(folder()).list(NOW);
        assertThat(found.rings()).extracting(RingDirectory.Entry::path).containsExactly(good);
        assertThat(found.problems())
                .extracting(DataProblem::detail)
                .satisfiesExactly(
                        p -> assertThat(p).startsWith("1-1.python.ring is no plain file"),
                        p -> assertThat(p).startsWith("2-1.python.ring is no plain file"),
                        p -> assertThat(p).contains("3-1.python.ring is open to others (mode 640)"),
                        p -> assertThat(p).contains("has 77 bytes, expected a header of 4096"),
                        p -> assertThat(p).contains("5-1.python.ring says in its header that process 100 made it"),
                        p -> assertThat(p).contains("has 2 links, expected 1"),
                        p -> assertThat(p).contains("has 2 links, expected 1"),
                        p -> assertThat(p).contains("has major version 2, expected 1: update the agent"),
                        p -> assertThat(p).startsWith("notes.txt is not named like a ring"));
        assertThatThrownBy(() -> RingReader.open(folder().resolve("1-1.python.ring"), new NameTable(), 1))
                .isInstanceOf(RingException.class);
    }

    private void write(String name, byte[] bytes, String mode) throws IOException {
        Path file = folder().resolve(name);
        Files.write(file, bytes);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    void theFolderMustBeOursAlone() throws IOException {
        assertThat(RingDirectory.of(folder()).list(NOW).rings())
                .as("not there yet")
                .isEmpty();
        RingFolder.prepare(folder());
        assertThat(Files.getPosixFilePermissions(folder())).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-x---"));
        assertThatThrownBy(() -> RingDirectory.of(folder()).list(NOW))
                .isInstanceOf(RingException.class)
                .hasMessageContaining("is open to others (mode 750)");
        assertThatThrownBy(() -> RingWriter.create(folder(), Rings.header(1024)))
                .isInstanceOf(RingException.class);
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwx------"));
        Path link = temp.resolve("link");
        Files.createSymbolicLink(link, folder());
        assertThatThrownBy(() -> RingDirectory.of(link).list(NOW)).hasMessageContaining("is no plain folder");
        assertThat(RingDirectory.standard(Map.of("ARGUS_RING_DIR", "/x")).folder())
                .isEqualTo(Path.of("/x"));
        assertThat(RingDirectory.standard(Map.of()).folder()).isEqualTo(Path.of("/dev/shm/argus-" + RingFolder.uid()));
    }

    @Test
    void whatWasNeverFinishedIsRemovedWhenItIsOld() throws IOException {
        ring(100, 1, 0, 1);
        Path young = Files.createFile(folder().resolve(".999999999-1.python.ring"));
        Path old = Files.createFile(folder().resolve(".999999998-1.python.ring"));
        Path alive =
                Files.createFile(folder().resolve("." + ProcessHandle.current().pid() + "-1.python.ring"));
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
        Files.setLastModifiedTime(old, longAgo);
        Files.setLastModifiedTime(alive, longAgo);
        RingDirectory directory = RingDirectory.of(folder());
        assertThat(directory.removeUnfinished()).isEqualTo(1);
        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(alive).exists();
        assertThat(directory.list(NOW).problems())
                .as("hidden files are no trouble")
                .isEmpty();
    }
}
