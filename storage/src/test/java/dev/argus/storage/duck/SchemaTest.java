package dev.argus.storage.duck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.storage.DataFolder;
import dev.argus.storage.Rows;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.object.FolderObjects;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of other versions. */
class SchemaTest {
    @TempDir
    Path folder;

    private DuckStore open(List<Schema.Migration> migrations) throws IOException {
        DataFolder data = new DataFolder(folder);
        return DuckStore.open(data, DuckStore.LEAST_BUDGET_BYTES, new FolderObjects(data.objects()), migrations);
    }

    private static List<Schema.Migration> and(Schema.Migration one) {
        List<Schema.Migration> all = new ArrayList<>(Schema.MIGRATIONS);
        all.add(one);
        return all;
    }

    @Test
    void versionZeroBecomesTheNewest() throws Exception {
        try (StoreFolder own = StoreFolder.own(new DataFolder(folder).store());
                Connection old = DriverManager.getConnection("jdbc:duckdb:" + own.database())) {
            Sql.run(old, "CREATE TABLE notes(text VARCHAR)"); // a file of the time before versions
            Sql.run(old, "INSERT INTO notes VALUES ('kept')");
            assertThat(Schema.version(old)).isZero();
        }
        assertThatThrownBy(() -> DuckStore.openReadOnly(new DataFolder(folder)))
                .hasMessageContaining("layout 0, expected " + Schema.MIGRATIONS.size() + "; start the server once");
        try (DuckStore store = open(Schema.MIGRATIONS)) {
            store.commit(Batches.step(1, Batches.EPOCH, "j", 4));
            assertThat(store.steps("j", 0, 0, 9, 9)).hasSize(1);
        }
    }

    @Test
    void olderIsMigratedAndNewerRefused() throws Exception {
        try (DuckStore store = open(Schema.MIGRATIONS)) {
            store.commit(Batches.step(1, Batches.EPOCH, "j", 4));
        }
        List<Schema.Migration> newer = and(on -> {
            Sql.run(on, "ALTER TABLE kept.jobs ADD COLUMN owner VARCHAR DEFAULT 'nobody'");
            Sql.run(on, "UPDATE kept.jobs SET topology = 'moved'");
        });
        try (DuckStore store = open(newer)) {
            assertThat(store.committed()).isEqualTo(1);
            assertThat(store.jobs(9).getFirst().topology()).isEqualTo("moved");
        }
        assertThatThrownBy(() -> open(Schema.MIGRATIONS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "layout " + newer.size() + ", and this Argus knows those up to " + Schema.MIGRATIONS.size());
        assertThatThrownBy(() -> DuckStore.openReadOnly(new DataFolder(folder)))
                .hasMessageContaining("use the newer Argus");
        try (DuckStore store = open(newer)) {
            assertThat(store.steps("j", 0, 0, 9, 9)).hasSize(1);
        }
    }

    /** The first layout had no pictures of incidents; those in the slots that are there already find room. */
    @Test
    void aStoreOfTheFirstLayoutTakesPictures() throws Exception {
        try (StoreFolder own = StoreFolder.own(new DataFolder(folder).store());
                Connection old = DriverManager.getConnection("jdbc:duckdb:" + own.database())) {
            Schema.migrate(old, Schema.MIGRATIONS.subList(0, 1));
            Sql.run(old, "INSERT INTO kept.slots VALUES (7, 'INCIDENTS', ?)", Batches.EPOCH);
            Sql.run(old, "CREATE TABLE kept.incidents_7 AS SELECT * FROM kept.incidents LIMIT 0");
            Sql.run(old, "INSERT INTO kept.slots VALUES (8, 'STEPS', ?)", Batches.EPOCH);
            for (SlotTable table : SlotTable.values()) {
                if (table.group() == SlotGroup.STEPS) {
                    Sql.run(
                            old,
                            "CREATE TABLE kept." + table.of(8) + " AS SELECT * FROM kept." + table.text() + " LIMIT 0");
                }
            }
            Sql.run(old, "INSERT INTO kept.kernels_8 VALUES ('j', 0, 7, 'gemm', 4, 8, 80, 9, 12, 3)");
            Sql.run(
                    old,
                    "INSERT INTO kept.incidents_7 VALUES (0, 0, 'j', 'i0', 0, 'opened', 1, 'hang', 'rank', 'critical',"
                            + " 0.9, 'open', 1, 0, 3, 4, 0.1, 7, '1', 'h', 'before', '{}')");
        }
        Rows.Picture picture = new Rows.Picture("j", "i1", "kernels", Batches.EPOCH, "[]");
        StoreBatch empty = Batches.empty(1, Batches.EPOCH + 1);
        try (DuckStore store = open(Schema.MIGRATIONS)) {
            assertThat(store.picture("i1", "kernels")).isEmpty();
            store.commit(new StoreBatch(
                    1,
                    Batches.EPOCH + 1,
                    empty.jobs(),
                    empty.ranks(),
                    empty.steps(),
                    empty.phases(),
                    empty.rankSteps(),
                    empty.kernels(),
                    List.of(Batches.incident("j", "i1", "open", 5, "one")),
                    empty.losses(),
                    empty.objects(),
                    List.of(picture),
                    empty.state()));
        }
        try (DuckStore store = open(Schema.MIGRATIONS)) {
            assertThat(store.picture("i1", "kernels")).contains(picture);
            assertThat(store.changes("i1")).singleElement().returns(0.3, Rows.Incident::duringRatio);
            assertThat(store.kernels("j", 0, 0, 9, 9))
                    .as("all ranks, as it was")
                    .containsExactly(new Rows.Kernel("j", 0, 7, "gemm", 4, 8, 80, 9, 12, 3, ""));
            assertThat(store.changes("i0"))
                    .as("what it cost while it lasted was not kept")
                    .singleElement()
                    .returns(true, i -> Double.isNaN(i.duringRatio()))
                    .returns(7.0, Rows.Incident::gpuSeconds);
        }
    }

    @Test
    void aMigrationThatFailsChangesNothing() throws Exception {
        try (DuckStore store = open(Schema.MIGRATIONS)) {
            store.commit(Batches.step(1, Batches.EPOCH, "j", 4));
        }
        assertThatThrownBy(() -> open(and(on -> {
                    Sql.run(on, "DELETE FROM kept.jobs");
                    throw new SQLException("the power went");
                })))
                .isInstanceOf(IOException.class);
        try (DuckStore store = open(Schema.MIGRATIONS)) {
            assertThat(store.jobs(9)).hasSize(1);
        }
    }

    @Test
    void whatIsNoDatabaseIsSaid() throws Exception {
        try (StoreFolder own = StoreFolder.own(new DataFolder(folder).store())) {
            java.nio.file.Files.writeString(own.database(), "no database at all".repeat(1000));
        }
        assertThatThrownBy(() -> open(Schema.MIGRATIONS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot open");
    }
}
