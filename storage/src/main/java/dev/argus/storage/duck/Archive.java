package dev.argus.storage.duck;

import dev.argus.storage.ObjectStore;
import dev.argus.storage.Rows;
import dev.argus.storage.object.ObjectKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves a slot of rank-steps out of the database: one Parquet file a job, {@code parquet/JOB/rank_steps-TIME-SLOT.parquet}, with all columns in nanoseconds. Only when all files are in the object store, the slot is dropped and the
 * files become rows of objects, in one transaction: after a death in between they are written again, under the same keys.
 */
final class Archive {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final long SECOND = 1_000_000_000L;

    private final StoreCore core;
    private final ObjectStore objects;

    Archive(StoreCore core, ObjectStore objects) {
        this.core = core;
        this.objects = objects;
    }

    /** The prefix of all keys. */
    static final String PREFIX = "parquet/";

    /** The kind of the objects. */
    static final String KIND = "parquet";

    /** Moves one; holds up nobody but at the end. */
    void move(Slots.Slot slot, long nowNanos) throws IOException {
        String table = "kept." + SlotTable.RANK_STEPS.of(slot.id());
        List<Rows.StoredObject> made = new ArrayList<>();
        try {
            for (String job : jobs(table)) {
                made.add(file(table, job, slot, nowNanos));
            }
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot write steps of ranks as Parquet", failed);
        }
        core.transact("cannot list archived steps of ranks", on -> {
            for (Rows.StoredObject object : made) {
                BatchWriter.writeObject(on, object);
            }
            core.slots().drop(SlotGroup.RANK_STEPS, slot, on);
        });
    }

    private List<String> jobs(String table) throws SQLException {
        return core.database()
                .read(on -> Sql.list(on, "SELECT DISTINCT job FROM " + table + " ORDER BY job", r -> r.getString(1)));
    }

    private Rows.StoredObject file(String table, String job, Slots.Slot slot, long nowNanos)
            throws SQLException, IOException {
        String key = PREFIX + ObjectKeys.part(job) + "/rank_steps-"
                + TIME.format(Instant.ofEpochSecond(Math.floorDiv(slot.openedNanos(), SECOND))) + "-" + slot.id()
                + ".parquet";
        Path file = core.folder().export().resolve(slot.id() + ".parquet");
        try {
            core.database().with(on -> {
                String select = "SELECT job, attempt, step, rank, start_nanos, duration_nanos, compute_nanos,"
                        + " copy_nanos, exposed_comm_nanos, " + RowReader.IDLE + " AS idle_nanos FROM " + table
                        + " WHERE job = " + Sql.quoted(job);
                ParquetFiles.copy(on, select, file);
                return 0;
            });
            objects.put(key, file);
            return new Rows.StoredObject(job, key, "", KIND, Files.size(file), nowNanos);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
