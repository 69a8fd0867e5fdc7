package dev.argus.storage.duck;

import dev.argus.storage.Rows;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * Rows as Parquet files, the same columns as the store has, for who keeps no store: DuckDB in memory, that can reach nothing but one folder. Takes up to {@value #MEMORY_MIB} MiB outside of the Java heap, and some tens of
 * milliseconds a file.
 *
 * <p>Belongs to one thread.
 */
public final class ParquetFiles implements AutoCloseable {
    private static final int MEMORY_MIB = 64;

    private final DuckDBConnection on;

    private ParquetFiles(DuckDBConnection on) {
        this.on = on;
    }

    /**
     * Begins.
     *
     * @param folder where files are written, and nowhere else
     * @throws IOException if DuckDB cannot be started here
     */
    public static ParquetFiles into(Path folder) throws IOException {
        Properties p = new Properties();
        p.put("memory_limit", MEMORY_MIB + "MiB");
        p.put("threads", "1");
        p.put("allow_community_extensions", "false");
        p.put("autoinstall_known_extensions", "false");
        p.put("autoload_known_extensions", "false");
        p.put("allowed_directories", "[" + Sql.quoted(folder.toString()) + "]");
        p.put("enable_external_access", "false");
        p.put("lock_configuration", "true");
        try {
            // Not by DriverManager: it knows drivers of the first class loader only.
            Connection made = new DuckDBDriver().connect("jdbc:duckdb:", p);
            NativeFile.remove();
            if (!(made instanceof DuckDBConnection on)) {
                throw new IOException("DuckDB takes no address of its own");
            }
            Sql.run(on, "CREATE SCHEMA kept");
            Sql.run(on, SlotTable.STEPS.createForm());
            Sql.run(on, SlotTable.PHASES.createForm());
            return new ParquetFiles(on);
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot start DuckDB to write Parquet", failed);
        }
    }

    /** Writes steps; replaces the file. */
    public void steps(List<Rows.Step> rows, Path file) throws IOException {
        write(SlotTable.STEPS, rows, BatchWriter::step, file);
    }

    /** Writes phases; replaces the file. */
    public void phases(List<Rows.Phase> rows, Path file) throws IOException {
        write(SlotTable.PHASES, rows, BatchWriter::phase, file);
    }

    private <T> void write(SlotTable table, List<T> rows, BatchWriter.Row<T> row, Path file) throws IOException {
        try {
            try (DuckDBAppender to = on.createAppender("kept", table.text())) {
                for (T each : rows) {
                    to.beginRow();
                    row.append(to, each);
                    to.endRow();
                }
            }
            copy(on, "SELECT * FROM kept." + table.text(), file);
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot write " + table.text() + " as Parquet", failed);
        } finally {
            empty(table);
        }
    }

    private void empty(SlotTable table) throws IOException {
        try {
            Sql.run(on, "DELETE FROM kept." + table.text());
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot go on writing Parquet", failed);
        }
    }

    /** Writes what is selected as one file; the one place that says how our Parquet is made. */
    static void copy(Connection on, String select, Path file) throws SQLException {
        Sql.run(
                on,
                "COPY (" + select + ") TO " + Sql.quoted(file.toString())
                        + " (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2)");
    }

    @Override
    public void close() throws IOException {
        try {
            on.close();
        } catch (SQLException failed) {
            throw StoreErrors.of("cannot end DuckDB", failed);
        }
    }
}
