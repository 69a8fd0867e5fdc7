package dev.argus.storage.duck;

import dev.argus.storage.RankMap;
import dev.argus.storage.RankValue;
import dev.argus.storage.Rows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads rows back. */
final class RowReader {
    /** Idle time of a rank-step from what is stored. */
    static final String IDLE = "(duration_nanos - compute_nanos - copy_nanos - exposed_comm_nanos - rest_nanos)";

    /** The newest change of each incident. */
    static final String NEWEST =
            " QUALIFY row_number() OVER (PARTITION BY job, id ORDER BY batch DESC, place DESC) = 1";

    /** Those of an attempt in a range of steps. */
    static final String SOME = " WHERE job = ? AND attempt = ? AND step BETWEEN ? AND ?";

    private final Connection on;

    RowReader(Connection on) {
        this.on = on;
    }

    List<Rows.Job> jobs(int most) throws SQLException {
        return Sql.list(
                on,
                "SELECT * FROM kept.jobs ORDER BY last_nanos DESC, job, attempt DESC LIMIT ?",
                r -> new Rows.Job(
                        r.getString(1),
                        r.getInt(2),
                        r.getLong(3),
                        r.getLong(4),
                        r.getInt(5),
                        r.getInt(6),
                        r.getString(7)),
                most);
    }

    List<Rows.Rank> ranks(String job, int attempt) throws SQLException {
        return Sql.list(
                on,
                "SELECT * FROM kept.ranks WHERE job = ? AND attempt = ? ORDER BY rank",
                r -> new Rows.Rank(
                        r.getString(1), r.getInt(2), r.getInt(3), r.getString(4), r.getInt(5), r.getString(6)),
                job,
                attempt);
    }

    List<Rows.Step> steps(String job, int attempt, long from, long to, int most) throws SQLException {
        long each = stride(Sql.number(on, "SELECT count(*) FROM kept.all_steps" + SOME, job, attempt, from, to), most);
        return Sql.list(
                on,
                "SELECT * FROM kept.all_steps" + SOME
                        + " QUALIFY (row_number() OVER (ORDER BY step) - 1) % ? = 0 ORDER BY step LIMIT ?",
                r -> new Rows.Step(
                        r.getString(1),
                        r.getInt(2),
                        r.getLong(3),
                        r.getLong(4),
                        r.getLong(5),
                        r.getLong(6),
                        r.getInt(7),
                        r.getInt(8)),
                job,
                attempt,
                from,
                to,
                each,
                most);
    }

    List<Rows.Phase> phases(String job, int attempt, long from, long to, int most) throws SQLException {
        long each = stride(Sql.number(on, "SELECT count(*) FROM kept.all_phases" + SOME, job, attempt, from, to), most);
        return Sql.list(
                on,
                "SELECT * FROM kept.all_phases" + SOME
                        + " QUALIFY (dense_rank() OVER (ORDER BY step) - 1) % ? = 0 ORDER BY step, phase LIMIT ?",
                r -> new Rows.Phase(
                        r.getString(1),
                        r.getInt(2),
                        r.getLong(3),
                        r.getString(4),
                        r.getLong(5),
                        r.getLong(6),
                        r.getInt(7),
                        r.getInt(8)),
                job,
                attempt,
                from,
                to,
                each,
                most);
    }

    List<Rows.RankStep> rankSteps(String job, int attempt, int rank, long from, long to, int most) throws SQLException {
        String which = SOME + " AND rank = ?";
        long each = stride(
                Sql.number(on, "SELECT count(*) FROM kept.all_rank_steps" + which, job, attempt, from, to, rank), most);
        return Sql.list(
                on,
                "SELECT job, attempt, step, rank, start_nanos, duration_nanos, compute_nanos, copy_nanos,"
                        + " exposed_comm_nanos, " + IDLE + " FROM kept.all_rank_steps" + which
                        + " QUALIFY (row_number() OVER (ORDER BY step) - 1) % ? = 0 ORDER BY step LIMIT ?",
                r -> new Rows.RankStep(
                        r.getString(1),
                        r.getInt(2),
                        r.getLong(3),
                        r.getInt(4),
                        r.getLong(5),
                        r.getLong(6),
                        r.getLong(7),
                        r.getLong(8),
                        r.getLong(9),
                        r.getLong(10)),
                job,
                attempt,
                from,
                to,
                rank,
                each,
                most);
    }

    RankMap rankMap(String job, int attempt, RankValue value, long from, long to, int most, int mostCells)
            throws SQLException {
        return RankMaps.read(on, job, attempt, value, from, to, most, mostCells);
    }

    List<Rows.Kernel> kernels(String job, int attempt, long from, long to, int most) throws SQLException {
        return Sql.list(
                on,
                "SELECT * FROM kept.all_kernels WHERE job = ? AND attempt = ? AND window_step BETWEEN ? AND ?"
                        + " ORDER BY sum_nanos DESC, window_step, kernel, peers LIMIT ?",
                r -> new Rows.Kernel(
                        r.getString(1),
                        r.getInt(2),
                        r.getLong(3),
                        r.getString(4),
                        r.getInt(5),
                        r.getLong(6),
                        r.getLong(7),
                        r.getLong(8),
                        r.getLong(9),
                        r.getInt(10),
                        Objects.requireNonNullElse(r.getString(11), "")),
                job,
                attempt,
                from,
                to,
                most);
    }

    List<Rows.Incident> incidents(@Nullable String job, @Nullable String state, int most) throws SQLException {
        return Sql.list(
                on,
                "SELECT * REPLACE ('' AS document) FROM (SELECT * FROM kept.all_incidents WHERE ?::VARCHAR IS NULL OR job = ?"
                        + NEWEST
                        + ") WHERE ?::VARCHAR IS NULL OR state = ?"
                        + " ORDER BY state = 'resolved', gpu_seconds DESC, at_nanos DESC, id LIMIT ?",
                RowReader::incident,
                job,
                job,
                state,
                state,
                most);
    }

    List<Rows.Incident> changes(String id) throws SQLException {
        return Sql.list(
                on, "SELECT * FROM kept.all_incidents WHERE id = ? ORDER BY batch, place", RowReader::incident, id);
    }

    Optional<Rows.Picture> picture(String incident, String kind) throws SQLException {
        return Sql.list(
                        on,
                        "SELECT job, incident, kind, at_nanos, document FROM kept.all_pictures WHERE incident = ? AND"
                                + " kind = ? ORDER BY batch DESC, place DESC LIMIT 1",
                        r -> new Rows.Picture(
                                r.getString(1), r.getString(2), r.getString(3), r.getLong(4), r.getString(5)),
                        incident,
                        kind)
                .stream()
                .findFirst();
    }

    List<Rows.StoredObject> objects(@Nullable String job, @Nullable String incident, int most) throws SQLException {
        return Sql.list(
                on,
                "SELECT * FROM kept.objects WHERE (?::VARCHAR IS NULL OR job = ?) AND (?::VARCHAR IS NULL OR incident"
                        + " = ?) ORDER BY created_nanos DESC, object_key LIMIT ?",
                RowReader::object,
                job,
                job,
                incident,
                incident,
                most);
    }

    static Rows.StoredObject object(ResultSet r) throws SQLException {
        return new Rows.StoredObject(
                r.getString(1), r.getString(2), r.getString(3), r.getString(4), r.getLong(5), r.getLong(6));
    }

    private static Rows.Incident incident(ResultSet r) throws SQLException {
        double during = r.getDouble("during_ratio");
        if (r.wasNull()) {
            during = Double.NaN;
        }
        return new Rows.Incident(
                r.getString("job"),
                r.getString("id"),
                r.getInt("attempt"),
                r.getString("change"),
                r.getLong("at_nanos"),
                r.getString("kind"),
                r.getString("scope"),
                r.getString("severity"),
                r.getDouble("confidence"),
                r.getString("state"),
                r.getLong("since_nanos"),
                r.getLong("until_nanos"),
                r.getLong("first_step"),
                r.getLong("last_step"),
                r.getDouble("step_ratio"),
                r.getDouble("gpu_seconds"),
                r.getString("ranks"),
                r.getString("hosts"),
                r.getString("summary"),
                r.getString("document"),
                during);
    }

    private static long stride(long rows, int most) {
        return Math.max(1, Math.ceilDiv(rows, Math.max(1, most)));
    }
}
