package dev.argus.hostflink.summaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.hostflink.KeptStep;
import dev.argus.storage.ObjectStore;
import dev.argus.storage.Rows;
import dev.argus.storage.object.FolderObjects;
import dev.argus.testkit.Eventually;
import dev.argus.wire.WireException;
import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of steps, without Flink. */
class StepFilesTest {
    private static final long EVERY = 10_000;
    private static final long BEGIN = 1_700_000_000_000L;

    @TempDir
    Path folder;

    private final StepFiles files = new StepFiles(EVERY, 1 << 20);

    private static KeptStep step(String job, long step) {
        WireWriter rows = new WireWriter();
        rows.writeSigned(0).writeSigned(step).writeSigned(BEGIN * 1_000_000 + step);
        rows.writeSigned(1000).writeSigned(2000).writeSigned(3).writeVarint(8);
        rows.writeVarint(1).writeText("forward");
        rows.writeSigned(400).writeSigned(500).writeSigned(2).writeVarint(8);
        return new KeptStep(job, 77, BEGIN + 1000 * step, rows.toByteArray());
    }

    private static StepFile next(StepFiles of) throws InterruptedException {
        StepFile file = of.next();
        if (file == null) {
            throw new AssertionError("none is due");
        }
        return file;
    }

    private static List<Long> steps(StepFile file) {
        List<Rows.Step> steps = new ArrayList<>();
        file.read(steps, new ArrayList<>());
        return steps.stream().map(Rows.Step::step).toList();
    }

    @Test
    void aFileIsStoredWhenACheckpointThatHasItIsComplete() throws Exception {
        for (int i = 0; i < 25; i++) {
            files.add(step("a", i));
        }
        files.finish(BEGIN + 19_999, 5); // the second ten seconds are not over
        assertThat(files.waiting()).isEqualTo(2); // the second file is full: a step of the third has come
        files.finish(BEGIN + 20_000, 6);
        files.complete(4);
        files.close();
        assertThat(files.next()).isNull();
        StepFiles again = new StepFiles(EVERY, 1 << 20);
        files.snapshot().forEach(s -> again.restore(StepFile.decode(s)));
        assertThat(again.bytes()).isEqualTo(files.bytes());
        StepFile first = next(again); // what was read from a checkpoint is complete
        assertThat(steps(first)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(first.key("steps")).isEqualTo("parquet/a/steps-20231114T221320Z-4d-0.parquet");
        again.settled(first);
        assertThat(steps(next(again))).hasSize(10);
        assertThat(again.waiting()).isEqualTo(1);
        again.add(step("a", 25));
        again.finish(BEGIN + 30_000, 7);
        assertThat(again.waiting()).isEqualTo(2);
    }

    @Test
    void aCheckpointThatFailedIsNone() throws Exception {
        files.add(step("a", 0));
        files.finish(BEGIN + 10_000, 8);
        files.finish(BEGIN + 10_250, 9);
        files.complete(9); // 8 never was; 9 has all of it
        assertThat(files.next()).isNotNull();
    }

    @Test
    void longFilesGoOnInAnother() throws Exception {
        StepFiles wide = new StepFiles(86_400_000, 64 << 20);
        long n = 0;
        while (wide.waiting() < 2) {
            KeptStep quick = step("a", n);
            wide.add(new KeptStep("a", quick.sinceNanos(), BEGIN + n, quick.rows()));
            n++;
        }
        wide.finish(0, 1);
        wide.complete(1);
        StepFile first = next(wide);
        assertThat(first.bytes()).isBetween((long) StepFiles.MOST_FILE_BYTES, StepFiles.MOST_FILE_BYTES + 200L);
        wide.settled(first);
        StepFile second = next(wide);
        assertThat(second.key("phases")).endsWith("-4d-1.parquet");
        assertThat(steps(second).getFirst()).isEqualTo(steps(first).getLast() + 1);
    }

    @Test
    void whatIsHeldIsBounded() {
        StepFiles small = new StepFiles(EVERY, 2000);
        long dropped = 0;
        int added = 0;
        for (int i = 0; i < 300; i++) {
            for (String job : List.of("a", "b", "c")) {
                dropped += small.add(step(job, i));
                added++;
                assertThat(small.bytes()).isLessThanOrEqualTo(2000);
            }
        }
        small.finish(Long.MAX_VALUE, 1);
        long held = small.snapshot().stream()
                .mapToLong(s -> StepFile.decode(s).count())
                .sum();
        assertThat(held + dropped).isEqualTo(added);
        assertThat(held).isPositive();
        assertThat(small.snapshot().stream().map(s -> StepFile.decode(s).key("steps")))
                .doesNotHaveDuplicates();
    }

    @Test
    void damageIsSaid() {
        files.add(step("a", 0));
        byte[] state = files.snapshot().getFirst();
        state[4] ^= 1;
        assertThatThrownBy(() -> StepFile.decode(state)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> KeptStep.read("a", new byte[] {1}, new ArrayList<>(), new ArrayList<>()))
                .isInstanceOf(WireException.class);
    }

    /** Is away for its first puts. */
    private static final class Flaky implements ObjectStore {
        private final FolderObjects store;
        private int left;

        Flaky(Path folder, int failures) throws IOException {
            store = new FolderObjects(folder);
            left = failures;
        }

        @Override
        public void put(String key, Path file) throws IOException {
            if (left-- > 0) {
                throw new IOException("the store is away");
            }
            store.put(key, file);
        }

        @Override
        public Optional<InputStream> get(String key) throws IOException {
            return store.get(key);
        }

        @Override
        public Optional<Head> head(String key) throws IOException {
            return store.head(key);
        }

        @Override
        public List<Head> list(String prefix, String after, int most) throws IOException {
            return store.list(prefix, after, most);
        }

        @Override
        public void delete(String key) throws IOException {
            store.delete(key);
        }

        @Override
        public void close() throws IOException {
            store.close();
        }
    }

    @Test
    void whatCouldNotBeStoredIsTriedAgain() throws Exception {
        for (int i = 0; i < 12; i++) {
            files.add(step("a", i));
        }
        files.finish(BEGIN + 10_000, 1);
        files.complete(1);
        Counter stored = new SimpleCounter();
        Counter failures = new SimpleCounter();
        Path making = Files.createDirectory(folder.resolve("making"));
        Path objects = folder.resolve("objects");
        try (SummaryUploader uploader = new SummaryUploader(
                files,
                new Flaky(objects, 1),
                making.toRealPath(),
                new SummaryUploader.Counts(stored, failures, new SimpleCounter()))) {
            assertThat(uploader).isNotNull();
            Eventually.holds("it is stored", () -> files.waiting() == 0);
        }
        assertThat(failures.getCount()).isPositive();
        assertThat(stored.getCount()).isEqualTo(2);
        StoredSteps there = new StoredSteps(objects);
        assertThat(there.files()).hasSize(2);
        assertThat(there.steps())
                .hasSize(10)
                .contains(new Rows.Step("a", 0, 4, BEGIN * 1_000_000 + 4, 1000, 2000, 3, 8));
        assertThat(there.phases()).hasSize(10).contains(new Rows.Phase("a", 0, 4, "forward", 400, 500, 2, 8));
        assertThat(making).doesNotExist();
    }
}
