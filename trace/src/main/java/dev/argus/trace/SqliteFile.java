package dev.argus.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;

/**
 * A foreign SQLite file, opened to be read and nothing else: read-only and immutable (no journal is looked at, nothing is written beside
 * it), without extensions, its schema not trusted. Only plain tables are used: a view or a virtual table of an expected name is not there.
 *
 * <p>Work is bounded by instructions of SQLite's machine in proportion to the size of the file, values by {@value #MAX_VALUE} bytes, memory by
 * a small cache. A compressed file is unpacked into a temporary file first, which goes with {@link #close}. One thread.
 */
final class SqliteFile implements AutoCloseable {
    static final int MAX_VALUE = 16 << 20;

    private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final long MAX_UNPACKED = 64L << 30;

    /** Exports shrink to a tenth or so; what shrinks to less than a hundredth was made to fill the disk. */
    private static final long MOST_UNPACKED = 100;

    private static final long UNPACKED_ANYWAY = 64L << 20;
    private static final int STEPS_PER_CALL = 1 << 20;

    /** A row of 20 bytes is read in some 40 instructions. */
    private static final long STEPS_PER_BYTE = 64;

    private static final long STEPS_ANYWAY = 256L << 20;
    private static final int MAX_NAMES = 4096;

    private final Connection connection;
    private final @Nullable Path unpacked;
    private final Set<String> tables = new TreeSet<>();

    private SqliteFile(Connection connection, @Nullable Path unpacked) {
        this.connection = connection;
        this.unpacked = unpacked;
    }

    /** True if uncompressed bytes begin an SQLite file. */
    static boolean begins(byte[] head) {
        return head.length >= MAGIC.length && Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /**
     * Opens a file.
     *
     * @param bytesRead told how many bytes of a compressed file were taken
     * @throws IOException if it cannot be unpacked
     * @throws SQLException if it is no SQLite file, or broken from the start
     */
    static SqliteFile open(Path path, LongConsumer bytesRead) throws IOException, SQLException {
        Path unpacked = isPlain(path) ? null : unpack(path, bytesRead);
        try {
            Path plain = unpacked == null ? path : unpacked;
            SqliteFile file = new SqliteFile(connect(plain), unpacked);
            try {
                file.limit(STEPS_ANYWAY + STEPS_PER_BYTE * Files.size(plain));
                file.findTables();
                return file;
            } catch (SQLException | IOException broken) {
                file.connection.close();
                throw broken;
            }
        } catch (SQLException | IOException | LinkageError broken) {
            if (unpacked != null) {
                Files.deleteIfExists(unpacked);
            }
            throw broken;
        }
    }

    private static boolean isPlain(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return begins(in.readNBytes(MAGIC.length));
        }
    }

    private static Path unpack(Path path, LongConsumer bytesRead) throws IOException {
        Path to = Files.createTempFile("argus-", ".sqlite");
        long room = Files.getFileStore(to).getUsableSpace() / 2; // of several files at a time, and of others
        long most = Math.min(MAX_UNPACKED, Math.max(UNPACKED_ANYWAY, MOST_UNPACKED * Files.size(path)));
        try (InputStream in = ByteSource.open(path, bytesRead);
                OutputStream out = Files.newOutputStream(to)) {
            byte[] buffer = new byte[256 << 10];
            long total = 0;
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                total += n;
                if (total > most) {
                    throw new IOException("unpacks to more than " + (most >> 20) + " MiB from " + Files.size(path)
                            + " bytes: no export does; unpack it yourself if it is one");
                }
                if (total > room) {
                    throw new IOException("unpacks to more than half of the " + (room >> 19)
                            + " MiB that the temporary folder has left; unpack it elsewhere, and give that file");
                }
                out.write(buffer, 0, n);
            }
            return to;
        } catch (IOException broken) {
            Files.deleteIfExists(to);
            throw broken;
        }
    }

    private static Connection connect(Path plain) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.enableLoadExtension(false);
        config.setPragma(SQLiteConfig.Pragma.LIMIT_LENGTH, String.valueOf(MAX_VALUE));
        config.setPragma(SQLiteConfig.Pragma.LIMIT_ATTACHED, "0");
        config.setCacheSize(-8192);
        String uri = "jdbc:sqlite:file:" + plain.toAbsolutePath().toUri().getRawPath() + "?mode=ro&immutable=1";
        Connection connection = DriverManager.getConnection(uri, config.toProperties());
        try (Statement statement = connection.createStatement()) {
            for (String pragma :
                    new String[] {"trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "query_only=ON"}) {
                statement.execute("PRAGMA " + pragma);
            }
        } catch (SQLException broken) {
            connection.close();
            throw broken;
        }
        return connection;
    }

    private void limit(long most) throws SQLException {
        ProgressHandler.setHandler(connection, STEPS_PER_CALL, new ProgressHandler() {
            private long steps;

            @Override
            protected int progress() {
                steps += STEPS_PER_CALL;
                return steps > most ? 1 : 0;
            }
        });
    }

    private void findTables() throws SQLException {
        String plain = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0";
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(plain)) {
            while (rows.next() && tables.size() < MAX_NAMES) {
                String name = rows.getString(1);
                String sql = rows.getString(2);
                boolean ordinary = sql != null
                        && !sql.stripLeading().toUpperCase(Locale.ROOT).startsWith("CREATE VIRTUAL");
                if (name != null && name.length() < 200 && ordinary) {
                    tables.add(name);
                }
            }
        }
    }

    /** Names of its plain tables. */
    Set<String> tables() {
        return tables;
    }

    /** Columns of a table of this file. */
    Set<String> columns(String table) throws SQLException {
        Set<String> names = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA table_info(\"" + table.replace("\"", "\"\"") + "\")")) {
            while (rows.next() && names.size() < MAX_NAMES) {
                names.add(rows.getString("name"));
            }
        }
        return names;
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException, IOException {
        try {
            connection.close();
        } finally {
            if (unpacked != null) {
                Files.deleteIfExists(unpacked);
            }
        }
    }
}
