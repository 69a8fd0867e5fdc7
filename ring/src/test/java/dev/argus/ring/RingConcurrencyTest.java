package dev.argus.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.NameTable;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer and a reader at once, both pausing at random: nothing is lost but counted, order is kept, no record is torn. */
class RingConcurrencyTest {
    private static final long RECORDS = 200_000;

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void nothingIsLostButCounted(long seed) throws Exception {
        RingWriter writer = RingWriter.create(Rings.folder(temp), Rings.header(1024));
        NameTable names = new NameTable();
        Numbered read = new Numbered(names);
        SplittableRandom random = new SplittableRandom(seed);
        SplittableRandom writing = random.split();
        try (RingReader reader = RingReader.open(writer.path(), names, 1)) {
            CompletableFuture<Long> written = CompletableFuture.supplyAsync(() -> write(writer, writing));
            while (!written.isDone()) {
                reader.drain(read, 1 + random.nextInt(2000));
                pause(random);
            }
            while (reader.drain(read, 1000) > 0) {
                // the rest
            }
            long last = written.get(1, TimeUnit.MINUTES);
            while (reader.drain(read, 1000) > 0) {
                // what was written between
            }
            assertThat(read.wrong).as(read.toString()).isZero();
            assertThat(read.wrongNames).isZero();
            assertThat(read.kernels + read.lost).as(read.toString()).isEqualTo(last);
            assertThat(read.losses[LossReason.RING_FULL.ordinal()]).isEqualTo(read.lost);
            assertThat(reader.status().dropped().getOrDefault(LossReason.RING_FULL, 0L))
                    .isEqualTo(read.lost);
            assertThat(reader.counts().torn()).isZero();
            assertThat(reader.counts().undefinedNames()).isZero();
            assertThat(reader.counts().jumps()).isZero();
        }
        writer.close();
    }

    /** Writes the numbered kernels, then one more until it fits, so that the last gap is told. */
    private static long write(RingWriter writer, SplittableRandom random) {
        long number = 0;
        while (number < RECORDS) {
            Rings.numbered(writer, writer.name(Numbered.nameOf(number)), number);
            number++;
            if (random.nextInt(400) == 0) {
                pause(random);
                writer.obey();
            }
        }
        boolean told = false;
        while (!told) {
            told = Rings.numbered(writer, writer.name(Numbered.nameOf(number)), number);
            number++;
            for (int i = 0; i < 10_000; i++) {
                Thread.onSpinWait();
            }
        }
        return number;
    }

    private static void pause(SplittableRandom random) {
        int kind = random.nextInt(10);
        int spins = kind == 0 ? random.nextInt(200_000) : kind < 5 ? random.nextInt(2_000) : 0;
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }
}
