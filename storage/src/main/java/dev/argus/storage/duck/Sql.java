package dev.argus.storage.duck;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements in one line. */
final class Sql {
    private Sql() {}

    /** Makes something of a row. */
    @FunctionalInterface
    interface Mapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    static void run(Connection on, String sql, @Nullable Object... values) throws SQLException {
        if (values.length == 0) {
            try (Statement statement = on.createStatement()) {
                statement.execute(sql);
            }
            return;
        }
        try (PreparedStatement statement = on.prepareStatement(sql)) {
            set(statement, values);
            statement.execute();
        }
    }

    static <T> List<T> list(Connection on, String sql, Mapper<T> mapper, @Nullable Object... values)
            throws SQLException {
        List<T> out = new ArrayList<>();
        each(on, sql, row -> out.add(mapper.map(row)), values);
        return out;
    }

    /** Takes something of a row. */
    @FunctionalInterface
    interface Taker {
        void take(ResultSet row) throws SQLException;
    }

    /** Hands over row after row; none are held. */
    static void each(Connection on, String sql, Taker taker, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = on.prepareStatement(sql)) {
            set(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    taker.take(rows);
                }
            }
        }
    }

    /** The one number of the one row; 0 for null and for no row. */
    static long number(Connection on, String sql, @Nullable Object... values) throws SQLException {
        List<Long> rows = list(on, sql, row -> row.getLong(1), values);
        return rows.isEmpty() ? 0 : rows.getFirst();
    }

    private static void set(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /** A text as a literal. */
    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
