package dev.argus.storage.duck;

import dev.argus.storage.QueryException;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.QueryResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions of users, one at a time, so that they never have more than a part of the machine. A commit that lacks memory or cannot checkpoint ends the question ({@link #stop}).
 *
 * <p>Thread-safe. Each runs on a thread of its own: native calls would hold the carrier of a virtual one.
 */
final class Questions {
    private static final int VALUE_BYTES = 16;

    private final Database database;
    private final Semaphore turn = new Semaphore(1, true);
    private final AtomicReference<@Nullable Running> running = new AtomicReference<>();

    Questions(Database database) {
        this.database = database;
    }

    /** A statement that runs, and why it was ended. */
    private static final class Running {
        private final Statement statement;
        private volatile String ended = "";

        Running(Statement statement) {
            this.statement = statement;
        }

        void end(String why) {
            if (ended.isEmpty()) {
                ended = why;
            }
            try {
                statement.cancel();
            } catch (SQLException over) {
                // it is over already
            }
        }
    }

    QueryResult ask(String sql, QueryLimits limits) throws QueryException {
        boolean mine = false;
        try {
            mine = turn.tryAcquire(limits.millis(), TimeUnit.MILLISECONDS);
            if (!mine) {
                throw new QueryException("other questions are being answered; ask again");
            }
            CompletableFuture<QueryResult> answer = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("argus-question").start(() -> {
                try {
                    answer.complete(database.read(on -> answer(on, sql, limits)));
                } catch (Throwable failed) {
                    answer.completeExceptionally(failed);
                }
            });
            return answer.get();
        } catch (InterruptedException e) {
            stop("the question was withdrawn");
            Thread.currentThread().interrupt();
            throw new QueryException("the question was withdrawn");
        } catch (ExecutionException failed) {
            throw words(failed.getCause());
        } finally {
            if (mine) {
                turn.release();
            }
        }
    }

    private static QueryException words(@Nullable Throwable failed) {
        return switch (failed) {
            case Refused refused -> new QueryException(String.valueOf(refused.getMessage()));
            case SQLException sql -> new QueryException(StoreErrors.words(sql));
            case null, default -> new QueryException("the question failed: " + failed);
        };
    }

    /** Ends the question that runs, if one does. */
    void stop(String why) {
        Running now = running.get();
        if (now != null) {
            now.end(why);
        }
    }

    /** A question that is refused, on its way through code that knows only failures of the database. */
    private static final class Refused extends SQLException {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    private QueryResult answer(Connection on, String sql, QueryLimits limits) throws SQLException {
        String checked;
        try {
            checked = QuestionCheck.check(on, sql);
        } catch (QueryException refused) {
            throw new Refused(String.valueOf(refused.getMessage()));
        }
        try (Statement statement = on.createStatement()) {
            Running mine = new Running(statement);
            running.set(mine);
            CompletableFuture<Void> alarm = CompletableFuture.runAsync(
                    () -> mine.end("it took longer than " + limits.millis()
                            + " ms: ask for less, such as fewer steps or one job"),
                    CompletableFuture.delayedExecutor(limits.millis(), TimeUnit.MILLISECONDS));
            try (ResultSet rows =
                    statement.executeQuery("SELECT * FROM (" + checked + "\n) LIMIT " + (limits.rows() + 1L))) {
                return taken(rows, limits, mine);
            } catch (SQLException failed) {
                if (!mine.ended.isEmpty()) {
                    throw new Refused(mine.ended);
                }
                if (StoreErrors.isMemory(failed)) {
                    throw new Refused("it takes more memory than a question may: ask for less, or aggregate");
                }
                throw failed;
            } finally {
                alarm.cancel(false);
                running.set(null);
            }
        }
    }

    private static QueryResult taken(ResultSet rows, QueryLimits limits, Running mine) throws SQLException {
        ResultSetMetaData about = rows.getMetaData();
        int n = about.getColumnCount();
        List<String> columns = new ArrayList<>(n);
        List<String> types = new ArrayList<>(n);
        for (int i = 1; i <= n; i++) {
            columns.add(about.getColumnLabel(i));
            types.add(about.getColumnTypeName(i));
        }
        List<List<@Nullable Object>> taken = new ArrayList<>();
        long bytes = 0;
        boolean cut = false;
        while (!cut && mine.ended.isEmpty() && rows.next()) {
            List<@Nullable Object> row = new ArrayList<>(n);
            for (int i = 1; i <= n; i++) {
                @Nullable Object value = AnswerValue.of(rows.getObject(i));
                bytes += VALUE_BYTES + (value instanceof String text ? text.length() : 0);
                row.add(value);
            }
            if (taken.size() == limits.rows() || bytes > limits.bytes()) {
                cut = true;
            } else {
                taken.add(row);
            }
        }
        if (!mine.ended.isEmpty()) {
            throw new Refused(mine.ended);
        }
        return new QueryResult(List.copyOf(columns), List.copyOf(types), taken, cut);
    }
}
