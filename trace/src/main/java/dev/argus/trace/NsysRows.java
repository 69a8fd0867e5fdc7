package dev.argus.trace;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tables of an Nsight Systems export as rows of numbers, whatever columns this version has, and its strings by id. */
final class NsysRows implements AutoCloseable {
    private static final int MAX_STRINGS = 1 << 20;

    /** Characters of the strings that are remembered; others are looked up again. */
    private static final int MAX_TEXT = 16 << 20;

    /** Takes one row: a value for each column asked for, {@link #NONE} for a column that is not there or null. */
    interface Visitor {
        void row(long[] values, ResultSet row) throws SQLException;
    }

    static final long NONE = Long.MIN_VALUE;

    private final SqliteFile file;
    private final PreparedStatement string;
    private final boolean stored;
    private final Map<Long, String> strings = new HashMap<>();
    private long held;

    NsysRows(SqliteFile file) throws SQLException {
        this.file = file;
        this.string = file.connection().prepareStatement("SELECT value FROM StringIds WHERE id = ?");
        // columns that the file computes are not listed: their expressions would run here
        this.stored = file.columns("StringIds").containsAll(Set.of("id", "value"));
    }

    boolean has(String table) {
        return file.tables().contains(table);
    }

    /** Hands out all rows of a table in the order in which they lie; nothing if there is no such table. */
    void each(String table, List<String> columns, Visitor visitor) throws SQLException {
        if (!has(table)) {
            return;
        }
        Set<String> there = file.columns(table);
        StringBuilder sql = new StringBuilder("SELECT ");
        for (int i = 0; i < columns.size(); i++) {
            sql.append(i == 0 ? "" : ", ")
                    .append(there.contains(columns.get(i)) ? "\"" + columns.get(i) + "\"" : "NULL");
        }
        sql.append(" FROM \"").append(table).append('"');
        try (Statement statement = file.connection().createStatement();
                ResultSet rows = statement.executeQuery(sql.toString())) {
            long[] values = new long[columns.size()];
            while (rows.next()) {
                for (int i = 0; i < values.length; i++) {
                    long value = rows.getLong(i + 1);
                    values[i] = value == 0 && rows.wasNull() ? NONE : value;
                }
                visitor.row(values, rows);
            }
        }
    }

    /** The string of an id; null if there is none. */
    @Nullable
    String string(long id) throws SQLException {
        if (id == NONE || !stored) {
            return null;
        }
        String known = strings.get(id);
        if (known == null) {
            string.setLong(1, id);
            try (ResultSet rows = string.executeQuery()) {
                known = rows.next() ? rows.getString(1) : null;
            }
            if (known != null && strings.size() < MAX_STRINGS && held + known.length() <= MAX_TEXT) {
                held += known.length();
                strings.put(id, known);
            }
        }
        return known;
    }

    @Override
    public void close() throws SQLException {
        string.close();
    }
}
