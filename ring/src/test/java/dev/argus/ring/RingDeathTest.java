package dev.argus.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.NameTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed without warning, on both sides. */
class RingDeathTest {
    private static final int KILLS = 20;

    @TempDir
    Path temp;

    @Test
    void whatAKilledWriterHadPublishedIsReadAndNothingElse() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        for (int kill = 0; kill < KILLS; kill++) {
            Path folder = Rings.folder(temp);
            Process child = WritingChild.command(folder, 1 << 14).start();
            try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
                Path path = Path.of(out.readLine());
                NameTable names = new NameTable();
                Numbered read = new Numbered(names);
                try (RingReader reader = RingReader.open(path, names, 1)) {
                    long until = 1L + random.nextInt(1 << 15);
                    while (read.kernels < until && child.isAlive()) {
                        reader.drain(read, 4096);
                    }
                    child.destroyForcibly().waitFor();
                    while (reader.drain(read, 4096) > 0) {
                        // what it left
                    }
                    assertThat(read.wrong).as(read.toString()).isZero();
                    assertThat(read.wrongNames).isZero();
                    assertThat(reader.counts().torn() + reader.counts().jumps()).isZero();
                    assertThat(reader.status().backlog()).isZero();
                    // what it dropped last is counted, though no record behind it shows the gap
                    assertThat(read.next).isLessThanOrEqualTo(read.kernels + read.lost);
                    assertThat(reader.status().state()).isEqualTo(RingState.RUNNING);
                }
                RingDirectory directory = RingDirectory.of(folder);
                List<RingDirectory.Entry> left = directory.list(1).rings();
                assertThat(left).hasSize(1);
                assertThat(left.getFirst().life()).isEqualTo(ProcessLife.DEAD);
                assertThat(directory.removeDrained(left.getFirst(), 1)).isTrue();
                assertThat(path).doesNotExist();
            }
        }
    }

    /** Readers that vanish anywhere: what their successors read joins without gap, and names are defined again. */
    @Test
    void aSuccessorGoesOnWhereTheReaderStopped() throws Exception {
        SplittableRandom random = new SplittableRandom(12);
        try (RingWriter writer = RingWriter.create(Rings.folder(temp), Rings.header(4096))) {
            long number = 0;
            Numbered all = new Numbered(new NameTable());
            List<Long> unknown = new ArrayList<>();
            for (int life = 0; life < 300; life++) {
                NameTable names = new NameTable();
                Numbered read = new Numbered(names);
                read.next = all.next;
                try (RingReader reader = RingReader.open(writer.path(), names, life)) {
                    long defined = writer.published();
                    for (int i = random.nextInt(600); i > 0; i--) {
                        writer.obey();
                        Rings.numbered(writer, writer.name(Numbered.nameOf(number)), number);
                        number++;
                    }
                    reader.drain(read, 1 + random.nextInt(3000));
                    assertThat(reader.status().published()).isGreaterThanOrEqualTo(defined);
                    assertThat(reader.counts().torn()).isZero();
                    assertThat(read.wrong).as(read.toString()).isZero();
                    assertThat(read.wrongNames).isEqualTo(reader.counts().undefinedNames());
                    unknown.add(read.wrongNames);
                }
                all.next = read.next;
                all.kernels += read.kernels;
                all.lost += read.lost;
            }
            try (RingReader last = RingReader.open(writer.path(), new NameTable(), 1000)) {
                while (last.drain(new Counting(all), 4096) > 0) {
                    // the rest
                }
            }
            assertThat(all.kernels + writer.dropped(LossReason.RING_FULL)).isEqualTo(number);
            assertThat(unknown).as("some readers knew all names").contains(0L);
        }
    }

    private record Counting(Numbered into) implements RingConsumer {
        @Override
        public void kernel(
                int device, int name, long start, long duration, int stream, long correlation, long work, int flags) {
            into.kernels++;
        }
    }

    /** A limit on the size of files stands for a full /dev/shm: the space cannot be reserved. */
    @Test
    void withoutRoomTheWriterStaysOffAndLeavesNothing() throws Exception {
        Path folder = Rings.folder(temp);
        List<String> java = WritingChild.command(folder, 1 << 20).command();
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -f 4096; exec \"$@\"", "sh"));
        command.addAll(java);
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = output(child);

        assertThat(said)
                .startsWith("refused: no room for a ring of 33558528 bytes")
                .contains("recording stays off");
        assertThat(child.waitFor()).isZero();
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    private static String output(Process child) throws IOException {
        return new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
