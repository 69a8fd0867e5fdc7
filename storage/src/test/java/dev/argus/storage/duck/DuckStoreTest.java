package dev.argus.storage.duck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.storage.DataFolder;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.RankMap;
import dev.argus.storage.RankValue;
import dev.argus.storage.Rows;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.object.FolderObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is committed is there, as it was, and also after the store was opened again. */
class DuckStoreTest {
    private static final long BUDGET = 1L << 30;
    private static final String HOSTILE = "job \u0000'\"; DROP TABLE \u202e\ud83d\ude00 \u00e4";

    @TempDir
    Path folder;

    private DuckStore open() throws IOException {
        DataFolder data = new DataFolder(folder.resolve("data"));
        return DuckStore.open(data, BUDGET, new FolderObjects(data.objects()));
    }

    private static StoreBatch everything(long number) {
        Rows.Incident opened = Batches.incident(HOSTILE, "i1", "open", 5, "one");
        Rows.Incident closed = Batches.incident(HOSTILE, "i1", "resolved", 9, "two");
        return new StoreBatch(
                number,
                Batches.EPOCH,
                List.of(
                        new Rows.Job(HOSTILE, 0, 1, 2, 64, 8, ""),
                        new Rows.Job(HOSTILE, 0, 1, 3, 64, 8, "tp=8"),
                        new Rows.Job("b", 1, 1, 9, -1, 0, "")),
                List.of(new Rows.Rank(HOSTILE, 0, 3, "n1", 0, "u"), new Rows.Rank(HOSTILE, 0, 3, "n2", -1, "")),
                List.of(new Rows.Step(HOSTILE, 0, 7, Batches.EPOCH, 11, 12, 3, 64)),
                List.of(new Rows.Phase(HOSTILE, 0, 7, "forward", 5, 6, 3, 64)),
                List.of(
                        new Rows.RankStep(HOSTILE, 0, 7, 3, Batches.EPOCH, 100, 50, 10, 30, 10),
                        new Rows.RankStep(HOSTILE, 0, 8, 3, -1, -1, -1, -1, -1, -1),
                        new Rows.RankStep(HOSTILE, 0, 9, 3, 0, Long.MAX_VALUE, Long.MIN_VALUE, 0, 0, 0)),
                List.of(new Rows.Kernel(HOSTILE, 0, 7, HOSTILE, 64, 1000, Long.MAX_VALUE, 5, 9, 3, HOSTILE)),
                List.of(opened, closed, Batches.incident("b", "i2", "ongoing", 1, HOSTILE)),
                List.of(new Rows.Loss(HOSTILE, Batches.EPOCH, "spool-full", 5)),
                List.of(
                        new Rows.StoredObject(HOSTILE, "perfetto/a", "i1", "perfetto", 10, 5),
                        new Rows.StoredObject(HOSTILE, "perfetto/a", "i1", "perfetto", 11, 6)),
                List.of(
                        new Rows.Picture(HOSTILE, "i1", "kernels", 5, "[1]"),
                        new Rows.Picture(HOSTILE, "i1", "kernels", 4, "[\"" + HOSTILE + "\"]"),
                        new Rows.Picture(HOSTILE, "i1", "other", 6, "[2]"),
                        new Rows.Picture("b", "i2", "kernels", 7, "[3]")),
                Map.of("cursors", new byte[] {1, 2, 3}, HOSTILE, new byte[0]));
    }

    /** What goes into a file without a name is lost with the process, so it must not be called kept. */
    @Test
    void nothingIsKeptInFilesThatWereDeletedOrReplaced() throws IOException {
        Path files = folder.resolve("data/store");
        for (String what : List.of("argus.duckdb", "argus.duckdb.wal", "")) {
            try (DuckStore store = open()) {
                long next = store.committed() + 1;
                store.commit(Batches.step(next, Batches.EPOCH, "j", 8));
                if (what.isEmpty()) {
                    Files.move(files, folder.resolve("moved"));
                } else {
                    Files.delete(files.resolve(what));
                }
                for (int again = 0; again < 2; again++) {
                    assertThatThrownBy(() -> store.commit(Batches.step(next + 1, Batches.EPOCH, "j", 8)))
                            .as("without '%s'", what)
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("was deleted or replaced while it was in use; stop this process");
                }
                assertThat(store.committed()).isEqualTo(next);
            }
            begin(files);
        }
        try (DuckStore store = open()) {
            store.commit(Batches.step(1, Batches.EPOCH, "j", 8));
            Files.copy(files.resolve("argus.duckdb"), files.resolve("other"));
            Files.move(files.resolve("other"), files.resolve("argus.duckdb"), StandardCopyOption.REPLACE_EXISTING);
            assertThatThrownBy(() -> store.commit(Batches.step(2, Batches.EPOCH, "j", 8)))
                    .hasMessageContaining("was deleted or replaced");
        }
    }

    /** What is done behind a commit may fail, as in a folder that has become read-only; the batch is kept all the same, and once. */
    @Test
    void whatFailsBehindACommitDoesNotUndoIt() throws Exception {
        Path stubborn = folder.resolve("data/store/state-7.bin");
        try (DuckStore store = open()) {
            Files.createDirectories(stubborn.resolve("inside")); // cannot be removed as a file is
            for (int n = 1; n <= 3; n++) {
                store.commit(Batches.step(n, Batches.EPOCH, "j", 8));
                assertThat(store.committed()).isEqualTo(n);
                assertThat(store.status().problem())
                        .contains("cannot tidy up behind batch " + n, "state-7.bin (DirectoryNotEmptyException)");
            }
        }
        begin(stubborn);
        try (DuckStore store = open()) {
            assertThat(store.committed()).isEqualTo(3);
            assertThat(store.query("SELECT count(*) FROM rank_steps", QueryLimits.DEFAULT)
                            .rows()
                            .getFirst())
                    .containsExactly(24L);
        }
    }

    @Test
    void failuresOfFilesSayWhatFailed() {
        assertThat(StoreErrors.of("cannot keep it", new java.nio.file.AccessDeniedException("/s/state-1.bin")))
                .hasMessage("cannot keep it: /s/state-1.bin: permission denied");
        assertThat(StoreErrors.of("cannot keep it", new NoSuchFileException("/s")))
                .hasMessage("cannot keep it: /s: it is not there");
    }

    /** A store that lost its database or its log is no new one: what it had is missing, and somebody has to say so. */
    @Test
    void aDatabaseOlderThanItsStateIsRefused() throws IOException {
        Path files = folder.resolve("data/store");
        for (String what : List.of("argus.duckdb", "argus.duckdb.wal")) {
            begin(files);
            Path log = folder.resolve("log");
            try (DuckStore store = open()) {
                for (int n = 1; n <= 3; n++) {
                    store.commit(Batches.step(n, Batches.EPOCH, "j", 8));
                }
                Files.copy(files.resolve("argus.duckdb.wal"), log, StandardCopyOption.REPLACE_EXISTING);
            }
            // As a process leaves it that was killed: everything is in the log.
            Files.move(log, files.resolve("argus.duckdb.wal"));
            Files.delete(files.resolve("argus.duckdb"));
            if (what.endsWith("wal")) {
                Files.delete(files.resolve("argus.duckdb.wal"));
            }
            assertThatThrownBy(this::open)
                    .as(what)
                    .isInstanceOf(IOException.class)
                    .satisfiesAnyOf(
                            e -> assertThat(e).hasMessageContaining("state-3.bin is there, but the database has"),
                            e -> assertThat(e).hasMessageContaining("put the folder " + files.toRealPath() + " back"));
            assertThat(files.resolve("state-3.bin")).exists();
        }
    }

    /** As somebody who moves the folder away to begin anew. */
    private static void begin(Path files) throws IOException {
        if (Files.exists(files)) {
            try (var all = Files.walk(files)) {
                for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void allRanksOfTheNewestStepsThatThereIsRoomFor() throws IOException {
        try (DuckStore store = open()) {
            List<Rows.Step> steps = new ArrayList<>();
            List<Rows.RankStep> ranks = new ArrayList<>();
            for (long step = 1; step <= 20; step++) {
                steps.add(new Rows.Step("j", 2, step, step, 10, 12, 3, 4));
                for (int rank = 0; rank < 4; rank++) {
                    if (step != 19 || rank != 2) {
                        ranks.add(new Rows.RankStep("j", 2, step, 10 * rank, step, 100 * step + rank, 50, 7, 30, 10));
                    }
                }
            }
            store.commit(Batches.of(1, Batches.EPOCH, steps, ranks, List.of(), Map.of()));
            RankMap all = store.rankMap("j", 2, RankValue.DURATION, 0, Long.MAX_VALUE, 100, 1000);
            assertThat(all.ranks()).containsExactly(0, 10, 20, 30);
            assertThat(all.steps()).hasSize(20).startsWith(1).endsWith(20);
            assertThat(all.nanos()[20 + 4]).isEqualTo(501);
            assertThat(all.nanos()[2 * 20 + 18])
                    .as("it did not report this one")
                    .isEqualTo(-1);
            RankMap few = store.rankMap("j", 2, RankValue.WAIT, 3, 19, 100, 13);
            assertThat(few.steps()).as("the newest that fit").containsExactly(17, 18, 19);
            assertThat(few.nanos()).hasSize(12).contains(30);
            RankMap own = store.rankMap("j", 2, RankValue.OWN, 5, 5, 1, 1000);
            assertThat(own.nanos()).as("compute, copies and idling").containsOnly(67);
            assertThat(store.rankMap("j", 1, RankValue.OWN, 0, 99, 10, 100).ranks())
                    .as("another attempt")
                    .isEmpty();
            assertThat(store.rankMap("j", 2, RankValue.OWN, 0, 99, 10, 3).ranks())
                    .as("no room for a step")
                    .isEmpty();
        }
    }

    @Test
    void everythingComesBack() throws IOException {
        try (DuckStore store = open()) {
            assertThat(store.committed()).isZero();
            assertThat(store.state()).isEmpty();
            store.commit(everything(41));
        }
        try (DuckStore store = open()) {
            assertThat(store.committed()).isEqualTo(41);
            assertThat(store.state().get("cursors")).containsExactly(1, 2, 3);
            assertThat(store.state()).containsOnlyKeys("cursors", HOSTILE);
            assertThat(store.jobs(10))
                    .containsExactly(
                            new Rows.Job("b", 1, 1, 9, -1, 0, ""), new Rows.Job(HOSTILE, 0, 1, 3, 64, 8, "tp=8"));
            assertThat(store.ranks(HOSTILE, 0)).containsExactly(new Rows.Rank(HOSTILE, 0, 3, "n2", -1, ""));
            StoreBatch batch = everything(41);
            assertThat(store.steps(HOSTILE, 0, 0, 100, 10)).isEqualTo(batch.steps());
            assertThat(store.phases(HOSTILE, 0, 7, 7, 10)).isEqualTo(batch.phases());
            List<Rows.RankStep> back = store.rankSteps(HOSTILE, 0, 3, 7, 9, 10);
            assertThat(back.subList(0, 2)).isEqualTo(batch.rankSteps().subList(0, 2));
            assertThat(back.getLast().durationNanos()).isEqualTo(1L << 60); // held within 36 years
            assertThat(store.kernels(HOSTILE, 0, 0, 100, 10)).isEqualTo(batch.kernels());
            assertThat(store.picture("i1", "kernels"))
                    .as("the newest")
                    .contains(batch.pictures().get(1));
            assertThat(store.picture("i2", "kernels")).contains(batch.pictures().get(3));
            assertThat(store.picture("i2", "other")).isEmpty();
            assertThat(store.incidents(null, null, 10))
                    .as("the newest change of each, without what is large")
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("document")
                    .containsExactly(batch.incidents().get(2), batch.incidents().get(1))
                    .allSatisfy(i -> assertThat(i.document()).isEmpty());
            assertThat(store.incidents(HOSTILE, "open", 10)).isEmpty();
            assertThat(store.incidents(HOSTILE, "resolved", 10)).hasSize(1);
            assertThat(store.changes("i1")).isEqualTo(batch.incidents().subList(0, 2));
            assertThat(store.changes("none")).isEmpty();
            assertThat(store.objects(HOSTILE, "i1", 5))
                    .containsExactly(batch.objects().getLast());
            assertThat(store.objects("b", null, 5)).isEmpty();
            assertThat(store.status().rows()).containsEntry("rank_steps", 3L).containsEntry("losses", 1L);
        }
    }

    @Test
    void batchesAscend() throws IOException {
        try (DuckStore store = open()) {
            store.commit(Batches.empty(2, Batches.EPOCH));
            assertThatThrownBy(() -> store.commit(Batches.empty(2, Batches.EPOCH)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("batch 2: expected one above 2");
            store.commit(Batches.empty(3, Batches.EPOCH));
            assertThat(store.committed()).isEqualTo(3);
        }
    }

    @Test
    void manyStepsComeThinnedOut() throws IOException {
        try (DuckStore store = open()) {
            for (long n = 1; n <= 40; n++) {
                store.commit(Batches.step(n, Batches.EPOCH + n * Batches.SECOND, "j", 4));
            }
            assertThat(store.steps("j", 0, 1, 40, 10).stream().map(Rows.Step::step))
                    .containsExactly(1L, 5L, 9L, 13L, 17L, 21L, 25L, 29L, 33L, 37L);
            assertThat(store.rankSteps("j", 0, 2, 1, 40, 4).stream().map(Rows.RankStep::step))
                    .containsExactly(1L, 11L, 21L, 31L);
            assertThat(store.phases("j", 0, 1, 40, 20)).hasSize(20);
            assertThat(store.rankSteps("j", 0, 9, 1, 40, 4)).isEmpty();
        }
    }

    @Test
    void oneServerAtATime() throws IOException {
        DataFolder data = new DataFolder(folder.resolve("data"));
        assertThatThrownBy(() -> DuckStore.openReadOnly(data)).isInstanceOf(NoSuchFileException.class);
        try (DuckStore store = open()) {
            store.commit(everything(1));
            assertThatThrownBy(this::open)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is used by another process");
            assertThatThrownBy(() -> DuckStore.openReadOnly(data))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("used by a server that runs");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.store())))
                .isEqualTo("rwx------");
        try (DuckStore one = DuckStore.openReadOnly(data)) {
            assertThat(one.jobs(5)).hasSize(2);
            assertThat(one.state()).isNotEmpty();
            assertThatThrownBy(() -> one.commit(everything(2))).hasMessageContaining("read only");
            assertThatThrownBy(() -> one.maintain(5)).hasMessageContaining("read only");
            assertThatThrownBy(this::open).hasMessageContaining("is used by another process");
        }
    }

    @Test
    void whatIsMissingOrDamagedIsNamedWithWhatToDo() throws IOException {
        DataFolder data = new DataFolder(folder.resolve("data"));
        try (DuckStore store = open()) {
            store.commit(everything(1));
        }
        Path file = data.store().resolve("state-1.bin");
        Files.delete(file);
        try (DuckStore store = open()) {
            assertThatThrownBy(store::state)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("state-1.bin is not there")
                    .hasMessageContaining("put it back from a copy");
        }
        Path database = data.store().resolve("argus.duckdb");
        byte[] bytes = Files.readAllBytes(database);
        Arrays.fill(bytes, 0, 3 * 4096, (byte) 7);
        Files.write(database, bytes);
        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("argus.duckdb")
                .hasMessageEndingWith("move it away to begin anew");
    }

    @Test
    void damagedStateIsSaid() throws IOException {
        DataFolder data = new DataFolder(folder.resolve("data"));
        try (DuckStore store = open()) {
            store.commit(everything(1));
            store.commit(everything(2));
        }
        Path file = data.store().resolve("state-2.bin");
        assertThat(data.store().resolve("state-1.bin")).doesNotExist();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        Files.writeString(data.store().resolve("state-3.bin"), "a batch that was never committed");
        try (DuckStore store = open()) {
            assertThat(data.store().resolve("state-3.bin")).doesNotExist();
            assertThatThrownBy(store::state).isInstanceOf(IOException.class).hasMessageContaining("damaged");
            store.commit(Batches.of(
                    3,
                    Batches.EPOCH,
                    List.of(),
                    List.of(),
                    List.of(),
                    Map.of("a", "b".getBytes(StandardCharsets.UTF_8))));
            assertThat(store.state()).containsOnlyKeys("a");
        }
        for (int cut = 0; cut < bytes.length; cut += 7) {
            byte[] part = java.util.Arrays.copyOf(bytes, cut);
            Files.write(data.store().resolve("state-9.bin"), part);
            assertThatThrownBy(() -> new StateFiles(data.store()).read(9)).isInstanceOf(IOException.class);
        }
    }
}
