package dev.argus.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.NameTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever lies in the file, and whatever is done to it: refused with a reason, or read with counts; never more. */
class HostileRingTest {
    private static final int SIZE = 4096 + 32 * 1024;

    @TempDir
    Path temp;

    private Path file;

    @BeforeEach
    void aFolder() throws IOException {
        RingFolder.prepare(Rings.folder(temp));
        file = Rings.folder(temp).resolve("1-1.x.ring");
    }

    private void put(byte[] bytes) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, bytes);
    }

    private static byte[] header(long capacity) {
        byte[] bytes = new byte[(int) RingLayout.fileBytes(capacity)];
        GoldenHeader.write(bytes, capacity);
        return bytes;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4, 7, does not begin with ARGUSRNG",
        "8, 2, 2, has major version 2",
        "8, 2, 0, has major version 0",
        "12, 4, 8192, has a header of 8192 bytes",
        "16, 4, 64, records of 64",
        "24, 8, 2048, bytes; expected 69632",
        "24, 8, 1000, has room for 1000 records",
        "24, 8, 0, has room for 0 records",
        "24, 8, -9223372036854775808, has room for -9223372036854775808",
        "24, 8, 134217728, has room for 134217728 records",
        "40, 4, 0, has process id 0",
        "44, 4, 9, has clock 9"
    })
    void headersThatCannotBeAreRefusedWithAReason(int at, int bytes, long value, String why) throws IOException {
        byte[] ring = header(1024);
        switch (bytes) {
            case 2 -> little(ring).putShort(at, (short) value);
            case 4 -> little(ring).putInt(at, (int) value);
            default -> little(ring).putLong(at, value);
        }
        put(ring);

        assertThatThrownBy(() -> RingReader.open(file, new NameTable(), 1))
                .isInstanceOf(RingException.class)
                .hasMessageContaining(why.replace("; expected", ", expected"));
    }

    @Test
    void aHigherMinorVersionIsReadAndItsRecordsSkipped() throws IOException {
        byte[] ring = header(1024);
        little(ring).putShort(10, (short) 7).putLong(128, 2);
        ring[4096] = 99;
        ring[4096 + 32] = 13;
        put(ring);
        NameTable names = new NameTable();
        Told told = new Told(names);
        try (RingReader reader = RingReader.open(file, names, 1)) {
            assertThat(reader.drain(told, 100)).isEqualTo(2);
            assertThat(told.lines).containsExactly("clock 0 0 0");
            assertThat(reader.counts().unknownTypes()).isEqualTo(1);
            assertThat(reader.problems())
                    .singleElement()
                    .satisfies(p -> assertThat(p.kind()).isEqualTo("ring-unknown-records"));
        }
    }

    /** Random bytes everywhere, with a header that lets them pass. */
    @Test
    void randomRecordsAreSurvived() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 300; round++) {
            byte[] ring = new byte[SIZE];
            random.nextBytes(ring);
            GoldenHeader.write(ring, 1024);
            long read = random.nextBoolean() ? 0 : random.nextLong();
            long write = random.nextInt(4) == 0 ? random.nextLong() : read + random.nextInt(1025);
            little(ring).putLong(128, write).putLong(256, read);
            for (int i = 0; i < 1024; i++) {
                ring[4096 + 32 * i] = (byte) random.nextInt(random.nextBoolean() ? 16 : 256);
            }
            put(ring);
            NameTable names = new NameTable();
            try (RingReader reader = RingReader.open(file, names, 1)) {
                Told told = new Told(names);
                int taken = reader.drain(told, 2000);
                assertThat(taken).isBetween(0, 1024);
                assertThat((long) told.lines.size()).isLessThanOrEqualTo(taken);
                assertThat(reader.drain(told, 2000)).isZero();
                assertThat(reader.counts().records()).isEqualTo(taken);
                assertThat(reader.problems()).hasSizeLessThan(30);
                assertThat(reader.status().backlog()).isBetween(0L, 1024L);
                reader.control(RingControl.INITIAL);
                reader.heartbeat(2);
            }
            assertThat(names.size()).isLessThan(1100);
        }
    }

    @Test
    void randomFilesAreRefused() throws IOException {
        SplittableRandom random = new SplittableRandom(6);
        for (int round = 0; round < 200; round++) {
            byte[] bytes = new byte[random.nextInt(9000)];
            random.nextBytes(bytes);
            put(bytes);
            assertThatThrownBy(() -> RingReader.open(file, new NameTable(), 1)).isInstanceOf(RingException.class);
        }
    }

    @Test
    void aJumpingPositionIsCountedAndReadingGoesOn() throws IOException {
        put(header(1024));
        try (RingReader reader = RingReader.open(file, new NameTable(), 1);
                FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long jump : new long[] {1025, 5, Long.MAX_VALUE, -5, 7000}) {
                write(other, 128, jump);
                assertThat(reader.drain(new Told(new NameTable()), 10)).isZero();
            }
            assertThat(reader.counts().jumps()).isEqualTo(5);
            write(other, 128, 7004);
            assertThat(reader.drain(new Told(new NameTable()), 10)).isEqualTo(4);
            assertThat(reader.counts().unknownTypes()).isEqualTo(4);
            write(other, 256, 77);
            assertThat(reader.drain(new Told(new NameTable()), 10))
                    .as("our own position counts")
                    .isZero();
            assertThat(reader.counts().jumps()).isEqualTo(5);
            assertThat(reader.status().state()).isEqualTo(RingState.UNKNOWN);
        }
    }

    @Test
    void aChangedHeaderIsGivenUp() throws IOException {
        for (int at = 0; at < 128; at += 8) {
            put(header(1024));
            try (RingReader reader = RingReader.open(file, new NameTable(), 1);
                    FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
                write(other, at, 0x55AA_55AA_55AA_55AAL);
                write(other, 128, 10);
                assertThat(reader.drain(new Told(new NameTable()), 10)).isZero();
                assertThat(reader.status().state()).isEqualTo(RingState.GIVEN_UP);
                assertThat(reader.problems().getFirst().detail()).contains("its header has changed");
            }
        }
    }

    private static void write(FileChannel to, int at, long value) throws IOException {
        to.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value), at);
    }

    /** Cut at any moment while it is drained in a hot loop: given up, never an error, never a crash of the JVM. */
    @Test
    void aFileCutWhileMappedIsGivenUp() throws Exception {
        SplittableRandom random = new SplittableRandom(8);
        long faults = 0;
        for (int round = 0; round < 200; round++) {
            byte[] ring = header(1 << 12);
            for (int i = 0; i < 1 << 12; i++) {
                ring[4096 + 32 * i] = 1;
            }
            put(ring);
            try (RingReader reader = RingReader.open(file, new NameTable(), 1);
                    FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
                int spins = random.nextInt(20_000);
                long length = random.nextInt(3) == 0 ? 0 : random.nextInt(ring.length);
                CompletableFuture<Void> cut = CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < spins; i++) {
                        Thread.onSpinWait();
                    }
                    try {
                        other.truncate(length);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
                long position = 0;
                RingConsumer nobody = new RingConsumer() {};
                while (reader.status().state() != RingState.GIVEN_UP) {
                    position += 4096;
                    if (!cut.isDone()) {
                        write(other, 128, position);
                    }
                    reader.drain(nobody, 4096);
                    reader.heartbeat(position);
                }
                cut.join();
                assertThat(reader.drain(nobody, 10)).isZero();
                reader.control(RingControl.INITIAL);
                assertThat(reader.problems().getFirst().kind()).isEqualTo("ring-given-up");
                faults++;
            }
        }
        assertThat(faults).isEqualTo(200);
    }

    @Test
    void namesBeyondTheBoundsAreCountedAndTheirRecordsKept() throws IOException {
        NameTable table = new NameTable();
        RingNames names = new RingNames(table, "?", 3, 100);
        byte[] text = new byte[4096];
        for (int id = 1; id <= 5; id++) {
            text[0] = (byte) ('a' + id);
            names.define(id, text, 1);
            names.define(id, text, 1);
        }
        names.define(-1, text, 1);
        names.define(RingNames.MOST_ID + 1, text, 1);
        names.define(0, text, 1);
        assertThat(names.refused()).isEqualTo(5);
        assertThat(table.name(names.of(3))).isEqualTo("d");
        assertThat(table.name(names.of(4))).isEqualTo("?");
        assertThat(table.name(names.of(4711))).isEqualTo("?");
        assertThat(table.name(names.of(-1))).isEqualTo("?");
        assertThat(names.undefined()).isEqualTo(2);
        assertThat(table.size()).isEqualTo(4);
        assertThat(names.malformed()).isZero();
        RingNames bytes = new RingNames(table, "?", 100, 4096);
        bytes.define(1, text, 4096);
        bytes.define(2, text, 1);
        assertThat(bytes.refused()).isEqualTo(1);
        text[0] = (byte) 0xff;
        RingNames broken = new RingNames(table, "?", 100, 4096);
        broken.define(1, text, 1);
        assertThat(broken.malformed()).isEqualTo(1);
        assertThat(table.name(broken.of(1))).isEqualTo("\ufffd");
    }

    @Test
    void oneReaderAFile() throws IOException {
        put(header(1024));
        try (RingReader first = RingReader.open(file, new NameTable(), 1)) {
            assertThatThrownBy(() -> RingReader.open(file, new NameTable(), 1))
                    .isInstanceOf(RingException.class)
                    .hasMessageContaining("is read by another agent");
            assertThat(first.control().attach()).isEqualTo(1);
        }
        try (RingReader second = RingReader.open(file, new NameTable(), 1)) {
            assertThat(second.control().attach()).isEqualTo(2);
        }
    }

    /** What keeps a second agent out is a lock of the process, which it would lose by closing the file once more. */
    @Test
    void lookingAtARingThatIsReadKeepsItsLock() throws IOException {
        put(header(1024));
        try (RingReader reader = RingReader.open(file, new NameTable(), 1)) {
            assertThat(isLocked()).isTrue();
            assertThatThrownBy(() -> RingReader.open(file, new NameTable(), 1)).isInstanceOf(RingException.class);
            assertThat(isLocked()).as("after another tried").isTrue();
            RingDirectory.of(Rings.folder(temp)).list(1);
            assertThat(isLocked()).as("after the folder was listed").isTrue();
            assertThat(reader.control().attach()).isEqualTo(1);
        }
        assertThat(isLocked()).isFalse();
    }

    private boolean isLocked() throws IOException {
        String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
        String own = " " + ProcessHandle.current().pid() + " ";
        try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
            return locks.anyMatch(l -> l.contains(inode) && l.contains(own));
        }
    }
}
