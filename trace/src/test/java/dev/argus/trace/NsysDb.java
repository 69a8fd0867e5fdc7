package dev.argus.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Writes small exports as Nsight Systems does: tables and columns as a test wants them. */
final class NsysDb {
    static final long SESSION = 1_700_000_000_000_000_000L;
    private final List<String> statements = new ArrayList<>();

    /** A global id of a process, or of a thread of it. */
    static long global(int process, int thread) {
        return (1L << 48) | ((long) process << 24) | thread;
    }

    /** Only what must be there, in the fewest columns. */
    static NsysDb bare() {
        return new NsysDb()
                .sql("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
                .sql("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,"
                        + " deviceId INTEGER NOT NULL, streamId INTEGER NOT NULL, shortName INTEGER NOT NULL)");
    }

    /** All tables that are read, with their columns. */
    static NsysDb full() {
        return new NsysDb()
                .sql("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
                .sql(
                        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
                                + " correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, gridX INTEGER,"
                                + " gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER)")
                .sql(
                        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
                                + " correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER)")
                .sql(
                        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
                                + " correlationId INTEGER, globalPid INTEGER, bytes INTEGER)")
                .sql("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,"
                        + " correlationId INTEGER, nameId INTEGER)")
                .sql(
                        "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER,"
                                + " textId INTEGER)")
                .sql("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, systemClockNs INTEGER)")
                .sql("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (" + SESSION + ", 1000)")
                .sql("CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT)")
                .sql("INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('Hostname', 'node7')")
                .sql("CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT)")
                .sql("INSERT INTO TARGET_INFO_GPU VALUES (0, 'H100')")
                .string(1, "gemm<float>(int)")
                .string(2, "gemm")
                .string(3, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)")
                .string(4, "cudaLaunchKernel_v7000");
    }

    NsysDb sql(String statement) {
        statements.add(statement);
        return this;
    }

    NsysDb string(int id, String value) {
        return sql("INSERT INTO StringIds VALUES (" + id + ", '" + value.replace("'", "''") + "')");
    }

    NsysDb kernel(int process, int device, long start, long end, int name, int correlation) {
        return sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + start + "," + end + "," + device + ",7,"
                + correlation + "," + global(process, 0) + "," + name + ",2,10,2,1,32,1,1)");
    }

    NsysDb call(int process, long start, long end, int correlation) {
        return sql("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + start + "," + end + "," + global(process, 5)
                + "," + correlation + ",4)");
    }

    NsysDb range(int process, long start, long end, String text) {
        return sql("INSERT INTO NVTX_EVENTS VALUES (" + start + "," + end + ",59,'" + text.replace("'", "''") + "',"
                + global(process, 5) + ",NULL)");
    }

    byte[] bytes() {
        try {
            Path file = Files.createTempFile("argus-test", ".sqlite");
            try {
                try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    for (String one : statements) {
                        statement.execute(one);
                    }
                    connection.commit();
                }
                return Files.readAllBytes(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
