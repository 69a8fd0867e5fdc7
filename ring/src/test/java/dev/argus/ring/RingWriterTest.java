package dev.argus.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.NameTable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingWriterTest {
    @TempDir
    Path temp;

    private RingWriter writer;
    private final NameTable names = new NameTable();
    private final Told told = new Told(names);

    @BeforeEach
    void aRing() throws IOException {
        writer = RingWriter.create(Rings.folder(temp), Rings.header(1024));
    }

    @AfterEach
    void closed() {
        writer.close();
    }

    private List<String> read(RingReader reader) {
        told.lines.clear();
        while (reader.drain(told, 1000) > 0) {
            // all of it
        }
        return List.copyOf(told.lines);
    }

    @Test
    void whatFindsNoRoomIsCountedAndToldWhenThereIsRoom() throws IOException {
        int name = writer.name("k");
        for (int i = 0; i < 1100; i++) {
            assertThat(writer.kernel(0, 0, name, 1000 + i, 10, 1, 1, 1)).isEqualTo(i < 1023);
        }
        assertThat(writer.dropped(LossReason.RING_FULL)).isEqualTo(77);
        try (RingReader reader = RingReader.open(writer.path(), names, 1)) {
            assertThat(read(reader)).hasSize(1023);
            writer.kernel(0, 0, name, 5000, 10, 1, 1, 1);
            assertThat(read(reader)).containsExactly("loss RING_FULL 2023 2109 77", "kernel 0 0 k 5000 10 1 1 1");
            assertThat(reader.problems()).singleElement().satisfies(p -> {
                assertThat(p.kind()).isEqualTo("records-dropped");
                assertThat(p.detail()).contains("77 records are missing", "the ring was full");
            });
            writer.tick(9, 9, 9);
            assertThat(read(reader)).as("a clock after the gap").containsExactly("clock 9 9 9");
        }
    }

    @Test
    void aLossOfItsOwnIsToldBeforeTheNextRecord() throws IOException {
        writer.lost(LossReason.DRIVER, 5, 9, 4);
        writer.lost(LossReason.DRIVER, 3, 8, 1);
        writer.lost(LossReason.NO_BUFFER, 1, 2, 3);
        assertThat(writer.set(0, 1, 20, 0, 1, 1)).isTrue();
        assertThat(writer.set(0, 1, 20, -1, 1, 1)).isFalse();
        assertThat(writer.set(0, 1, 21, 0, 1, 1)).isTrue();
        try (RingReader reader = RingReader.open(writer.path(), names, 1)) {
            assertThat(read(reader))
                    .containsExactly(
                            "loss DRIVER 3 9 5",
                            "loss NO_BUFFER 1 2 3",
                            "set 0 0 1 20 0 1 1",
                            "loss IMPOSSIBLE 20 20 1",
                            "set 0 0 1 21 0 1 1");
        }
    }

    @Test
    void everyAttachDefinesNamesGroupsAndIdentityAgain() throws IOException {
        writer.identity(4, writer.name("host"), 0);
        int group = writer.group(1, writer.name("tp"), 0, writer.name("0-3"), 4);
        int kernel = writer.name("gemm");
        writer.kernel(0, 0, kernel, 1, 1, 1, 1, 1);
        writer.collective(1, 0, group, 2, 1, 1, 1, -1, 1, 1, 1, 4, 0);
        List<String> first;
        try (RingReader reader = RingReader.open(writer.path(), names, 1)) {
            first = read(reader);
            assertThat(first).hasSize(4);
        }
        NameTable later = new NameTable();
        Told second = new Told(later);
        try (RingReader reader = RingReader.open(writer.path(), later, 1)) {
            writer.kernel(0, 0, kernel, 1, 1, 1, 1, 1);
            reader.drain(second, 100);
            assertThat(second.lines).as("before it obeys").containsExactly("kernel 0 0 (name not known) 1 1 1 1 1");
            assertThat(reader.counts().undefinedNames()).isEqualTo(1);
            second.lines.clear();
            writer.tick(5, 5, 5);
            writer.kernel(0, 0, kernel, 1, 1, 1, 1, 1);
            writer.collective(1, 0, group, 2, 1, 1, 1, -1, 1, 1, 1, 4, 0);
            reader.drain(second, 100);
            second.lines.remove("clock 5 5 5");
            assertThat(second.lines).containsExactlyInAnyOrderElementsOf(first);
            assertThat(reader.status().obeyed().attach()).isEqualTo(2);
        }
    }

    @Test
    void theControlWordIsObeyed() throws IOException {
        try (RingReader reader = RingReader.open(writer.path(), names, 1)) {
            reader.control(new RingControl(RingControl.STEPS | RingControl.KERNELS, 3, 2, 2, 99, 99));
            for (int step = 0; step < 8; step++) {
                writer.step(RingRecords.STEP_BEGIN, 10L * step, 0, 1, step);
                writer.kernel(0, 0, writer.name("k"), 10L * step, 1, 1, 1, 1);
                writer.copy(0, 1, 1, 10L * step, 1, 1, 1);
                writer.step(0, 10L * step, 9, 1, step);
            }
            List<String> lines = read(reader);
            assertThat(lines.stream().filter(l -> l.startsWith("kernel")))
                    .as("steps 0, 1, 4, 5 are on, and one in three")
                    .hasSize(1);
            assertThat(lines).noneMatch(l -> l.startsWith("copy"));
            assertThat(lines).contains("step 0 10 9 1 1", "step 2 20 9 1 2", "step 6 30 0 1 3", "step 0 50 9 1 5");
            assertThat(writer.dropped(LossReason.NOT_RECORDED)).isEqualTo(7);
            assertThat(reader.status().obeyed()).isEqualTo(reader.control());
            assertThat(reader.control().generation()).isEqualTo(1);
            assertThat(reader.control().attach()).isEqualTo(1);

            reader.control(new RingControl(0, 0, 0, 0, 0, 0));
            writer.tick(1, 1, 1);
            assertThat(reader.status().state()).isEqualTo(RingState.OFF);
            assertThat(reader.status().whyOffWords()).isEqualTo("by control");
            assertThat(writer.step(RingRecords.STEP_BEGIN, 1, 0, 1, 1)).isFalse();
            reader.control(RingControl.INITIAL);
            assertThat(writer.step(RingRecords.STEP_BEGIN, 1, 0, 1, 1)).isTrue();
            assertThat(reader.status().state()).isEqualTo(RingState.RUNNING);
            writer.close();
            assertThat(reader.status().state()).isEqualTo(RingState.CLOSED);
            assertThat(writer.step(0, 1, 0, 1, 1)).isFalse();
        }
    }

    @Test
    void aFullTableOfNamesIsCounted() {
        int last = 0;
        for (int i = 0; i < RingStrings.MOST_NAMES; i++) {
            last = writer.name("n" + i);
        }
        assertThat(last).isEqualTo(RingStrings.MOST_NAMES);
        assertThat(writer.name("one more")).isZero();
        assertThat(writer.name("n7")).isEqualTo(8);
        assertThat(writer.dropped(LossReason.NAME_TABLE_FULL)).isEqualTo(1);
    }

    @Test
    void writingAllocatesNothing() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        String[] texts = new String[20];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "kernel " + i;
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                Rings.numbered(writer, writer.name(texts[i % 20]), i);
                writer.collective(1, 4, 0, i, 1, 1, 1, -1, 1, 1, i, 8, 0);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes for 40,000 records").isLessThan(1000);
    }

    @Test
    void aSecondRingOfTheSameProducerIsRefused() {
        assertThatThrownBy(() -> RingWriter.create(Rings.folder(temp), Rings.header(1024)))
                .isInstanceOf(RingException.class)
                .hasMessageContaining("already has a ring");
        assertThatThrownBy(() -> RingWriter.create(Rings.folder(temp), Rings.header(1000)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theClockOfJavaIsTheMonotonicOne() throws IOException {
        String uptime = Files.readString(Path.of("/proc/uptime")).split(" ", -1)[0];
        double seconds = System.nanoTime() / 1e9;
        assertThat(seconds).isBetween(0.0, Double.parseDouble(uptime) + 60);
    }
}
