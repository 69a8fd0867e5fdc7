package dev.argus.storage.duck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.storage.DataFolder;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.StoreFullException;
import dev.argus.storage.object.FolderObjects;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system of 96 MiB that fills up, by the store and by others. */
@Requires(Need.MOUNT)
class FullDiskTest {
    private static final int RANKS = 8000;

    @TempDir
    Path folder;

    private Path disk;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        run("mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", disk.toString());
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private DuckStore open() throws Exception {
        DataFolder data = new DataFolder(disk.resolve("data"));
        return DuckStore.open(data, 1L << 30, new FolderObjects(data.objects()));
    }

    /** Fills the disk until so many bytes are left. */
    private void fill(long left) throws Exception {
        long bytes = disk.toFile().getUsableSpace() - left;
        try (FileChannel out =
                FileChannel.open(disk.resolve("others"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            ByteBuffer block = ByteBuffer.allocate(4096);
            for (long at = 0; at < bytes; at += block.capacity()) {
                block.clear();
                while (block.hasRemaining()) {
                    out.write(block);
                }
            }
        }
    }

    private static StoreBatch batch(long number) {
        return Batches.step(number, Batches.EPOCH + number * 4 * Batches.SECOND, "j", RANKS);
    }

    private static void isWhole(DuckStore store, long number) throws Exception {
        assertThat(store.committed()).isEqualTo(number);
        assertThat(store.query("SELECT count(*) FROM steps", QueryLimits.DEFAULT)
                        .rows())
                .isEqualTo(List.of(List.of(number)));
        assertThat(store.query("SELECT count(*) FROM rank_steps", QueryLimits.DEFAULT)
                        .rows())
                .isEqualTo(List.of(
                        List.of(number * RANKS - store.status().removed().getOrDefault("rank-steps", 0L))));
        assertThat(store.state()).containsKey("cursor");
    }

    /** Whatever amount of room is left, down to none: a batch is kept, or refused as a whole and kept later. */
    @Test
    void fillsUpWhileItCommits() throws Exception {
        long number = 0;
        try (DuckStore store = open()) {
            for (; number < 20; number++) {
                store.commit(batch(number + 1));
            }
            for (long left : new long[] {12 << 20, 6 << 20, 3 << 20, 2 << 20, 1 << 20, 300_000, 4096, 0}) {
                fill(left);
                boolean refused = false;
                for (int i = 0; i < 600 && !refused; i++) {
                    try {
                        store.commit(batch(number + 1));
                        number++;
                    } catch (StoreFullException full) {
                        assertThat(full).hasMessageContaining("room");
                        refused = true;
                    }
                }
                isWhole(store, number);
                assertThat(refused).as("%d bytes left", left).isTrue();
                assertThat(store.status().problem()).isNotEmpty();
                Files.delete(disk.resolve("others"));
                store.commit(batch(++number)); // the same that was refused
                store.maintain(Batches.EPOCH + number * 4 * Batches.SECOND);
                assertThat(store.status().problem()).isEmpty();
                isWhole(store, number);
            }
        }
        try (DuckStore store = open()) {
            isWhole(store, number);
        }
    }

    /** The room vanishes where the store has looked already: within the transaction, and within the checkpoint. */
    @Test
    void fillsUpBehindItsBack() throws Exception {
        DataFolder data = new DataFolder(disk.resolve("data"));
        try (StoreFolder own = StoreFolder.own(data.store());
                Database database = Database.open(own)) {
            StoreCore core = new StoreCore(own, database, 1L << 30);
            core.begin(Schema.MIGRATIONS);
            for (long n = 1; n <= 10; n++) {
                StoreBatch batch = batch(n);
                core.transact("batch", on -> new BatchWriter(on, core.slots(), batch).write());
            }
            fill(100_000);
            StoreBatch next = batch(11);
            assertThatThrownBy(() -> core.transact("batch", on -> new BatchWriter(on, core.slots(), next).write()))
                    .isInstanceOf(StoreFullException.class);
            assertThatThrownBy(() -> core.transact("checkpoint", on -> Sql.run(on, "COMMIT; CHECKPOINT")))
                    .isInstanceOf(StoreFullException.class);
            assertThat(Sql.number(database.writer(), "SELECT count(*) FROM kept.all_rank_steps"))
                    .isEqualTo(10L * RANKS);
            Files.delete(disk.resolve("others"));
            core.transact("batch", on -> new BatchWriter(on, core.slots(), next).write());
            assertThat(core.checkpoint()).isTrue();
            assertThat(Sql.number(database.writer(), "SELECT count(*) FROM kept.all_rank_steps"))
                    .isEqualTo(11L * RANKS);
        }
        try (DuckStore store = open()) {
            assertThat(store.committed()).isEqualTo(11);
        }
    }

    /** Others fill the disk for good: the oldest archived steps of ranks go, then the oldest in the database, and batches go on. */
    @Test
    void oldestRawGoesFirst() throws Exception {
        long number = 0;
        try (DuckStore store = open()) {
            for (int hour = 0; hour < 8; hour++) {
                for (int i = 0; i < 8; i++) {
                    number++;
                    store.commit(Batches.step(number, Batches.EPOCH + hour * Batches.HOUR, "j", RANKS));
                }
            }
            store.maintain(Batches.EPOCH + 8 * Batches.HOUR);
            assertThat(store.objects("j", null, 10)).hasSize(1);
            for (int i = 0; i < 12; i++) {
                fill(300_000);
                try {
                    store.commit(Batches.step(number + 1, Batches.EPOCH + 8 * Batches.HOUR, "j", RANKS));
                    number++;
                } catch (StoreFullException full) {
                    // nothing was left that may go
                }
            }
            assertThat(store.objects("j", null, 10)).isEmpty();
            assertThat(store.status().removed()).containsEntry("parquet", 1L);
            assertThat(store.status().removed().get("rank-steps")).isGreaterThanOrEqualTo(8L * RANKS);
            assertThat(store.query("SELECT count(*) FROM steps", QueryLimits.DEFAULT)
                            .rows())
                    .isEqualTo(List.of(List.of(store.committed())));
        }
    }
}
