package dev.argus.storage.duck;

import dev.argus.storage.StoreFullException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.duckdb.DuckDBConnection;

/**
 * The one instance of DuckDB in this process: its configuration, locked; one connection that writes, and connections for readers.
 *
 * <p>DuckDB gives itself up after some failures (a checkpoint on a full disk); what was committed is in its log, and {@link #reopen} begins anew with it.
 *
 * <p>Readers are thread-safe; the writer belongs to whoever holds the lock of the store.
 */
final class Database implements AutoCloseable {
    /** Memory of DuckDB itself. Beside it are the Java heap and what malloc keeps. */
    static final int MEMORY_MIB = 512;

    private static final int THREADS = 2;
    private static final int SPILL_MIB = 512;

    private final StoreFolder folder;
    private final boolean readOnly;
    private final ReentrantReadWriteLock instance = new ReentrantReadWriteLock();
    private DuckDBConnection writer;

    private Database(StoreFolder folder, boolean readOnly) throws IOException {
        this.folder = folder;
        this.readOnly = readOnly;
        this.writer = connect();
    }

    static Database open(StoreFolder folder) throws IOException {
        return new Database(folder, false);
    }

    static Database openReadOnly(StoreFolder folder) throws IOException {
        return new Database(folder, true);
    }

    private DuckDBConnection connect() throws IOException {
        Properties p = new Properties();
        p.put("access_mode", readOnly ? "READ_ONLY" : "READ_WRITE");
        p.put("memory_limit", MEMORY_MIB + "MiB");
        p.put("threads", Integer.toString(THREADS));
        p.put("temp_directory", folder.temporary().toString());
        p.put("max_temp_directory_size", readOnly ? "0MiB" : SPILL_MIB + "MiB");
        // We checkpoint ourselves: where that fails, the commit before it is not to blame.
        p.put("checkpoint_threshold", "1TiB");
        p.put("allow_community_extensions", "false");
        p.put("autoinstall_known_extensions", "false");
        p.put("autoload_known_extensions", "false");
        // Files other than the database's own and temporary ones: only those that are written to be archived.
        p.put("allowed_directories", "[" + Sql.quoted(folder.export().toString()) + "]");
        p.put("enable_external_access", "false");
        p.put("lock_configuration", "true");
        try {
            DuckDBConnection made =
                    (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + folder.database(), p);
            NativeFile.remove();
            return made;
        } catch (SQLException failed) {
            IOException said = StoreErrors.of("cannot open " + folder.database(), failed);
            throw said instanceof StoreFullException
                    ? said
                    : new IOException(
                            said.getMessage() + "; where it is damaged, put the folder " + folder.folder()
                                    + " back from a copy, or move it away to begin anew",
                            failed);
        }
    }

    DuckDBConnection writer() {
        return writer;
    }

    /** Does something on a connection of its own, in a transaction that only reads. */
    <T> T read(Reading<T> reading) throws SQLException {
        instance.readLock().lock();
        try (Connection connection = writer.duplicate()) {
            Sql.run(connection, "BEGIN TRANSACTION READ ONLY");
            try {
                return reading.on(connection);
            } finally {
                rollBack(connection);
            }
        } finally {
            instance.readLock().unlock();
        }
    }

    /** The same outside of any transaction, for what manages its own. */
    <T> T with(Reading<T> reading) throws SQLException {
        instance.readLock().lock();
        try (Connection connection = writer.duplicate()) {
            return reading.on(connection);
        } finally {
            instance.readLock().unlock();
        }
    }

    /** What a reader does. */
    @FunctionalInterface
    interface Reading<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Ends a transaction, whatever became of it. */
    static void rollBack(Connection connection) {
        try {
            Sql.run(connection, "ROLLBACK");
        } catch (SQLException none) {
            // there was none any more: what failed has ended it
        }
    }

    /** Closes the instance and opens it again; waits for readers. */
    void reopen() throws IOException {
        instance.writeLock().lock();
        try {
            closeWriter();
            writer = connect();
        } finally {
            instance.writeLock().unlock();
        }
    }

    private void closeWriter() {
        try {
            writer.close();
        } catch (SQLException broken) {
            // given up already; the log has what was committed
        }
    }

    @Override
    public void close() {
        instance.writeLock().lock();
        try {
            closeWriter();
        } finally {
            instance.writeLock().unlock();
        }
    }
}
