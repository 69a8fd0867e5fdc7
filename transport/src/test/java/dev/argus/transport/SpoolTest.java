package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.wire.SessionId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final SpoolLimits SMALL = new SpoolLimits(16_384, 2_048, 4_096);
    private static final byte[] NO_NAMES = {};

    @TempDir
    Path folder;

    private Spool open(SpoolLimits limits) throws IOException {
        return Spool.open(folder.resolve("spool"), limits);
    }

    private static byte[] frame(long counter, int size) {
        byte[] bytes = new byte[size];
        new Random(counter).nextBytes(bytes);
        return bytes;
    }

    private static boolean append(Spool spool, SessionId session, long counter) {
        return spool.append(session, counter, () -> NO_NAMES, frame(counter, 300));
    }

    private static List<Long> all(Spool spool, SessionId session) {
        List<Long> counters = new ArrayList<>();
        for (SpoolEntry e : spool.read(session, 0, 10_000, 1 << 30)) {
            assertThat(e.frame()).isEqualTo(frame(e.counter(), e.frame().length));
            counters.add(e.counter());
        }
        return counters;
    }

    private List<Path> files() throws IOException {
        try (var list = Files.list(folder.resolve("spool"))) {
            return list.filter(f -> f.toString().endsWith(".frames")).sorted().toList();
        }
    }

    @Test
    void whatIsAcknowledgedGoesAndTheRestStays() throws IOException {
        SessionId session = Shipping.session();
        try (Spool spool = open(SMALL)) {
            for (int i = 1; i <= 30; i++) {
                assertThat(append(spool, session, i)).isTrue();
            }
            assertThat(spool.read(session, 4, 3, 1 << 20))
                    .extracting(SpoolEntry::counter)
                    .containsExactly(5L, 6L, 7L);
            assertThat(spool.read(session, 4, 100, 700)).hasSize(2);
            assertThat(spool.read(session, 4, 100, 1)).hasSize(1);
            spool.acknowledged(session, 12);
            assertThat(all(spool, session)).first().isEqualTo(13L);
            assertThat(spool.floor(session)).isEqualTo(13);
            assertThat(files()).hasSize(4);
            spool.giveUp(session, 15, SpoolLoss.REFUSED);
            assertThat(all(spool, session)).hasSize(17).doesNotContain(15L);
        }
        try (Spool spool = open(SMALL)) {
            assertThat(all(spool, session)).first().isEqualTo(13L);
            assertThat(spool.sessions()).containsExactly(session);
            spool.acknowledged(session, 30);
            assertThat(spool.sessions()).isEmpty();
            assertThat(files()).isEmpty();
            assertThat(spool.losses()).isEmpty();
        }
    }

    @Test
    void overTheBoundTheOldestGoesAndIsCounted() throws IOException {
        SessionId session = Shipping.session();
        try (Spool spool = open(SMALL)) {
            for (int i = 1; i <= 500; i++) {
                assertThat(append(spool, session, i)).isTrue();
                assertThat(spool.diskBytes()).isLessThanOrEqualTo(SMALL.diskBytes());
            }
            List<Long> left = all(spool, session);
            assertThat(left).hasSizeGreaterThan(30).last().isEqualTo(500L);
            assertThat(left.getFirst()).isEqualTo(500 - left.size() + 1);
            assertThat(spool.losses())
                    .containsExactlyEntriesOf(new TreeMap<>(Map.of(SpoolLoss.SPOOL_FULL, 500L - left.size())));
            assertThat(spool.floor(session)).isEqualTo(left.getFirst());
        }
        long onDisk = 0;
        for (Path file : files()) {
            onDisk += Files.size(file);
        }
        assertThat(onDisk).isLessThanOrEqualTo(SMALL.diskBytes());
    }

    @Test
    void aTornEndIsSeenWhereverItIs() throws IOException {
        SessionId session = Shipping.session();
        try (Spool spool = open(SMALL)) {
            append(spool, session, 1);
            append(spool, session, 2);
        }
        Path file = files().getFirst();
        byte[] whole = Files.readAllBytes(file);
        int first = SegmentLayout.HEADER_BYTES + SegmentLayout.ENTRY_BYTES + 300;
        for (int n = 0; n < whole.length; n++) {
            Files.write(file, Arrays.copyOf(whole, n));
            try (Spool spool = open(SMALL)) {
                List<Long> left = all(spool, session);
                int expected = n < first ? 0 : 1;
                assertThat(left).as("cut at %d", n).hasSize(expected);
                assertThat(spool.losses().getOrDefault(SpoolLoss.TORN, 0L))
                        .isEqualTo(n > SegmentLayout.HEADER_BYTES && n != first ? 1L : 0L);
                assertThat(spool.losses().getOrDefault(SpoolLoss.CORRUPT_FILE, 0L))
                        .isEqualTo(n < SegmentLayout.HEADER_BYTES ? 1L : 0L);
            }
        }
    }

    @Test
    void aDamagedEntryCostsOnlyItself() throws IOException {
        SessionId session = Shipping.session();
        try (Spool spool = open(SMALL)) {
            for (int i = 1; i <= 6; i++) {
                append(spool, session, i);
            }
        }
        Path file = files().getFirst();
        byte[] bytes = Files.readAllBytes(file);
        for (int byteOfEntry : new int[] {0, 5, 9, 40, 310}) {
            byte[] damaged = bytes.clone();
            damaged[SegmentLayout.HEADER_BYTES + 2 * 320 + byteOfEntry] ^= 0x55;
            Files.write(file, damaged);
            try (Spool spool = open(SMALL)) {
                assertThat(all(spool, session)).containsExactly(1L, 2L, 4L, 5L, 6L);
                assertThat(spool.losses()).containsEntry(SpoolLoss.CORRUPT, 1L);
                assertThat(spool.read(session, 2, 1, 1))
                        .extracting(SpoolEntry::counter)
                        .containsExactly(4L);
            }
        }
        byte[] damaged = bytes.clone();
        damaged[SegmentLayout.HEADER_BYTES + 40] ^= 0x55;
        Files.write(file, damaged);
        try (Spool spool = open(SMALL)) {
            assertThat(all(spool, session)).as("the first, too").containsExactly(2L, 3L, 4L, 5L, 6L);
            assertThat(spool.losses()).containsExactlyEntriesOf(Map.of(SpoolLoss.CORRUPT, 1L));
        }
    }

    @Test
    void damageWhileItIsOpenCostsOnlyItself() throws IOException {
        SessionId session = Shipping.session();
        try (Spool spool = open(SMALL)) {
            for (int i = 1; i <= 6; i++) {
                append(spool, session, i);
            }
            try (FileChannel file = FileChannel.open(files().getFirst(), StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), SegmentLayout.HEADER_BYTES + 320 + 50);
            }
            assertThat(all(spool, session)).containsExactly(1L, 3L, 4L, 5L, 6L);
            try (FileChannel file = FileChannel.open(files().getFirst(), StandardOpenOption.WRITE)) {
                file.truncate(SegmentLayout.HEADER_BYTES + 4 * 320);
            }
            assertThat(all(spool, session)).containsExactly(1L, 3L, 4L);
            assertThat(spool.losses()).containsEntry(SpoolLoss.CORRUPT, 3L);
        }
    }

    @Test
    void foreignFilesAndHeadersOfNoneAreCountedAndLinksAreNotFollowed() throws IOException {
        SessionId session = Shipping.session();
        try (Spool spool = open(SMALL)) {
            append(spool, session, 1);
        }
        Path dir = folder.resolve("spool");
        Files.write(dir.resolve("00000000000000ff.frames"), new byte[500]);
        Path precious = Files.writeString(folder.resolve("precious"), "mine");
        Files.createSymbolicLink(dir.resolve("00000000000000fe.frames"), precious);
        Files.writeString(dir.resolve("notes.txt"), "left alone");
        Files.write(dir.resolve("acknowledged"), new byte[] {1, 2, 3});
        try (Spool spool = open(SMALL)) {
            assertThat(all(spool, session)).containsExactly(1L);
            assertThat(spool.losses()).containsEntry(SpoolLoss.CORRUPT_FILE, 2L);
        }
        assertThat(precious).hasContent("mine");
        assertThat(dir.resolve("notes.txt")).exists();
        assertThat(files()).hasSize(1);
    }

    @Test
    void oneProcessAtATime() throws IOException {
        try (Spool spool = open(SMALL)) {
            assertThat(spool.sessions()).isEmpty();
            assertThatThrownBy(() -> open(SMALL))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("used by another process");
        }
        open(SMALL).close();
    }

    /** A disk that takes so many bytes more, even in the middle of a write. */
    private static final class FullDisk implements DiskWriter {
        long room;

        @Override
        public int write(FileChannel to, ByteBuffer from, long at) throws IOException {
            if (room <= 0) {
                throw new IOException("No space left on device");
            }
            int n = (int) Math.min(room, from.remaining());
            ByteBuffer part = from.slice(from.position(), n);
            int written = to.write(part, at);
            from.position(from.position() + written);
            room -= written;
            return written;
        }
    }

    /** Remembers how large each file was when it was forced. */
    private static final class ForcedDisk implements DiskWriter {
        final List<Long> forced = new ArrayList<>();

        @Override
        public int write(FileChannel to, ByteBuffer from, long at) throws IOException {
            return to.write(from, at);
        }

        @Override
        public void force(FileChannel of) throws IOException {
            forced.add(of.size());
            DiskWriter.super.force(of);
        }
    }

    @Test
    void filesThatBecameFullInBetweenAreForcedWithTheLast() throws IOException {
        SessionId session = Shipping.session();
        ForcedDisk disk = new ForcedDisk();
        long seven = SegmentLayout.HEADER_BYTES + 7 * 320L; // the entry that fills a file is the seventh
        try (Spool spool = Spool.open(folder.resolve("spool"), SMALL, disk)) {
            for (int i = 1; i <= 20; i++) {
                append(spool, session, i);
            }
            spool.sync();
            assertThat(disk.forced).containsExactly(seven, seven, seven - 320);
            spool.sync();
            assertThat(disk.forced).as("nothing was appended since").hasSize(3);
            append(spool, session, 21);
            append(spool, session, 22);
            spool.sync();
            assertThat(disk.forced.subList(3, disk.forced.size()))
                    .containsExactly(seven, SegmentLayout.HEADER_BYTES + 320L);
            append(spool, session, 23);
            assertThat(all(spool, session)).as("forced files can be read").hasSize(23);
        }
        assertThat(disk.forced).as("forced when it is closed").hasSize(6);
    }

    @Test
    void ofADiskThatIsSlowToForceSomeFilesAreLeftToTheSystemAndCounted() throws IOException {
        SessionId session = Shipping.session();
        ForcedDisk disk = new ForcedDisk();
        try (Spool spool = Spool.open(folder.resolve("spool"), new SpoolLimits(1 << 20, 2_048, 4_096), disk)) {
            for (int i = 1; i <= 7 * (Unforced.MOST_FILES + 3) + 1; i++) {
                append(spool, session, i);
            }
            spool.sync();
            assertThat(disk.forced).hasSize(Unforced.MOST_FILES + 1);
            assertThat(spool.losses()).containsExactlyEntriesOf(Map.of(SpoolLoss.NOT_FORCED, 3L));
        }
    }

    @Test
    void aFullDiskMovesFramesToMemoryAndBack() throws IOException {
        SessionId session = Shipping.session();
        FullDisk disk = new FullDisk();
        disk.room = 1_500; // four frames, and a part of the fifth
        try (Spool spool = Spool.open(folder.resolve("spool"), new SpoolLimits(1 << 20, 4_096, 40_000), disk)) {
            for (int i = 1; i <= 50; i++) {
                assertThat(append(spool, session, i)).isTrue();
            }
            assertThat(spool.isDegraded()).isTrue();
            assertThat(all(spool, session)).hasSize(50).isSorted();
            disk.room = 1 << 20;
            for (int i = 51; i <= 200; i++) {
                assertThat(append(spool, session, i)).isTrue();
            }
            assertThat(all(spool, session)).hasSize(200).isSorted();
            assertThat(spool.losses()).isEmpty();
            spool.acknowledged(session, 150);
            assertThat(spool.isDegraded()).isFalse();
        }
        try (Spool spool = open(new SpoolLimits(1 << 20, 4_096, 40_000))) {
            assertThat(all(spool, session)).hasSize(50).first().isEqualTo(151L);
        }
    }

    @Test
    void whenMemoryIsFullTooTheOldestOfItGoes() throws IOException {
        SessionId session = Shipping.session();
        FullDisk disk = new FullDisk();
        disk.room = 700;
        try (Spool spool = Spool.open(folder.resolve("spool"), new SpoolLimits(1 << 20, 4_096, 4_000), disk)) {
            for (int i = 1; i <= 300; i++) {
                append(spool, session, i);
            }
            List<Long> left = all(spool, session);
            assertThat(left).contains(1L, 2L, 300L).hasSizeBetween(8, 16);
            assertThat(spool.losses()).containsEntry(SpoolLoss.DISK_FULL, 300L - left.size());
        }
    }

    @Test
    void aFrameTooLargeForAnyPlaceIsLostAndSaid() throws IOException {
        SessionId session = Shipping.session();
        try (Spool spool = open(SMALL)) {
            assertThat(spool.append(session, 1, () -> NO_NAMES, new byte[20_000]))
                    .isFalse();
            assertThat(append(spool, session, 1)).isTrue();
            assertThat(all(spool, session)).containsExactly(1L);
            assertThat(spool.losses()).containsEntry(SpoolLoss.DISK_FULL, 1L);
            assertThatThrownBy(() -> append(spool, session, 1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Any order of what can happen, against a list. */
    @RepeatedTest(60)
    void holdsWhatAListWouldHold(RepetitionInfo repetition) throws IOException {
        Random random = new Random(repetition.getCurrentRepetition());
        boolean bounded = random.nextBoolean();
        SpoolLimits limits = bounded ? SMALL : new SpoolLimits(8 << 20, 2_048, 4_096);
        TreeMap<Long, SessionId> model = new TreeMap<>();
        List<SessionId> sessions = new ArrayList<>();
        Spool spool = open(limits);
        long serial = 0;
        long lost = 0;
        for (int step = 0; step < 300; step++) {
            int what = random.nextInt(20);
            if (what == 0 || sessions.isEmpty()) {
                lost += spool.losses().getOrDefault(SpoolLoss.SPOOL_FULL, 0L);
                spool.close();
                spool = open(limits);
                sessions.add(Shipping.session());
            } else if (what == 1) {
                SessionId session = sessions.get(random.nextInt(sessions.size()));
                long through = model.isEmpty() ? 0 : random.nextLong(serial + 1);
                spool.acknowledged(session, through);
                model.headMap(through, true).values().removeIf(session::equals);
            } else if (what == 2 && !model.isEmpty()) {
                long one = model.firstKey();
                spool.giveUp(Objects.requireNonNull(model.get(one)), one, SpoolLoss.REFUSED);
                model.remove(one);
                spool.acknowledged(sessions.getFirst(), 0);
            } else {
                serial++;
                spool.append(sessions.getLast(), serial, () -> NO_NAMES, frame(serial, 1 + random.nextInt(600)));
                model.put(serial, sessions.getLast());
            }
            if (bounded && !model.isEmpty()) {
                long floor = Long.MAX_VALUE;
                for (SessionId s : spool.sessions()) {
                    List<SpoolEntry> first = spool.read(s, 0, 1, 1);
                    floor = first.isEmpty()
                            ? floor
                            : Math.min(floor, first.getFirst().counter());
                }
                // What is gone is older than everything that is there; that is checked against the count of losses at
                // the end.
                long oldest = floor;
                model.keySet().removeIf(c -> c < oldest);
            }
        }
        List<Long> found = new ArrayList<>();
        for (SessionId s : spool.sessions()) {
            found.addAll(all(spool, s));
        }
        if (!bounded) {
            assertThat(spool.losses()).doesNotContainKey(SpoolLoss.SPOOL_FULL);
            assertThat(lost).isZero();
        }
        assertThat(found).containsAll(model.keySet());
        assertThat(spool.frames()).isEqualTo(found.size());
        spool.close();
    }
}
