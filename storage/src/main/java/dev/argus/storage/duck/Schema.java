package dev.argus.storage.duck;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of the database and how it came about. {@code kept.version} says how many of the migrations a file has been through; each runs once, in a transaction with the number. A file without that table has been through none.
 *
 * <p>A migration never changes once it is released. One that changes a table of slots must change the form and the table of each slot in {@code kept.slots}.
 */
final class Schema {
    /** One change of the layout. */
    @FunctionalInterface
    interface Migration {
        void apply(Connection on) throws SQLException;
    }

    /** All, in order. */
    static final List<Migration> MIGRATIONS = List.of(Schema::first, Schema::pictures, Schema::during, Schema::peers);

    private Schema() {}

    private static void first(Connection on) throws SQLException {
        for (String sql : List.of(
                "CREATE TABLE kept.batch(number BIGINT, at_nanos BIGINT)",
                "CREATE TABLE kept.slots(id BIGINT, slot_group VARCHAR, opened_nanos BIGINT)",
                "CREATE TABLE kept.removed(tier VARCHAR, lost BIGINT)",
                "CREATE TABLE kept.jobs(job VARCHAR, attempt INTEGER, first_nanos BIGINT, last_nanos BIGINT,"
                        + " world_size INTEGER, hosts INTEGER, topology VARCHAR)",
                "CREATE TABLE kept.ranks(job VARCHAR, attempt INTEGER, rank INTEGER, host VARCHAR,"
                        + " gpu_index INTEGER, gpu_uuid VARCHAR)",
                "CREATE TABLE kept.ranks_coming AS SELECT * FROM kept.ranks",
                "CREATE TABLE kept.objects(job VARCHAR, object_key VARCHAR, incident VARCHAR, kind VARCHAR,"
                        + " bytes BIGINT, created_nanos BIGINT)")) {
            Sql.run(on, sql);
        }
        for (SlotTable table : SlotTable.values()) {
            if (table != SlotTable.PICTURES) {
                Sql.run(on, table.createForm());
            }
        }
    }

    /** Pictures of incidents, in the slots of these. */
    private static void pictures(Connection on) throws SQLException {
        Sql.run(on, SlotTable.PICTURES.createForm());
        for (long slot : Sql.list(
                on,
                "SELECT id FROM kept.slots WHERE slot_group = ?",
                row -> row.getLong(1),
                SlotGroup.INCIDENTS.name())) {
            Sql.run(
                    on,
                    "CREATE TABLE kept." + SlotTable.PICTURES.of(slot) + " AS SELECT * FROM kept."
                            + SlotTable.PICTURES.text() + " LIMIT 0");
        }
    }

    /** What incidents cost while they last; unknown of those that were kept before. */
    private static void during(Connection on) throws SQLException {
        addColumn(on, SlotTable.INCIDENTS, "during_ratio DOUBLE");
    }

    /** Among whom a kernel was held against others; of those that were kept before, all. */
    private static void peers(Connection on) throws SQLException {
        addColumn(on, SlotTable.KERNELS, "peers VARCHAR");
    }

    /** To the form and to the table of each slot; null in rows that are there. */
    private static void addColumn(Connection on, SlotTable to, String column) throws SQLException {
        List<String> tables = new ArrayList<>();
        tables.add(to.text());
        for (long slot : Sql.list(
                on,
                "SELECT id FROM kept.slots WHERE slot_group = ?",
                row -> row.getLong(1),
                to.group().name())) {
            tables.add(to.of(slot));
        }
        for (String table : tables) {
            Sql.run(on, "ALTER TABLE kept." + table + " ADD COLUMN " + column);
        }
    }

    /** How many migrations a file has been through. */
    static long version(Connection on) throws SQLException {
        long known = Sql.number(
                on,
                "SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'kept' AND table_name = 'version'"
                        + " AND database_name = current_database()");
        return known == 0 ? 0 : Sql.number(on, "SELECT max(number) FROM kept.version");
    }

    /**
     * Brings a file up to date.
     *
     * @throws IOException if it is newer than this program
     */
    static void migrate(Connection on, List<Migration> migrations) throws IOException, SQLException {
        long version = version(on);
        check(version, migrations);
        for (int i = (int) version; i < migrations.size(); i++) {
            Sql.run(on, "BEGIN TRANSACTION");
            try {
                Sql.run(on, "CREATE SCHEMA IF NOT EXISTS kept");
                Sql.run(on, "CREATE TABLE IF NOT EXISTS kept.version(number INTEGER)");
                migrations.get(i).apply(on);
                Sql.run(on, "INSERT INTO kept.version VALUES (?)", i + 1);
                Sql.run(on, "COMMIT");
            } catch (SQLException failed) {
                Database.rollBack(on);
                throw failed;
            }
        }
    }

    static void check(long version, List<Migration> migrations) throws IOException {
        if (version > migrations.size()) {
            throw new IOException("the store has layout " + version + ", and this Argus knows those up to "
                    + migrations.size() + "; use the newer Argus that wrote it, or another folder");
        }
    }
}
