package dev.argus.storage.duck;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What users see: views in the schema {@code main} with times as timestamps and seconds. {@code docs/query.md} describes them; a test holds both together. */
final class UserViews {
    private static final Map<String, String> VIEWS = new LinkedHashMap<>();

    static {
        VIEWS.put(
                "jobs",
                "SELECT job, attempt, " + moment("first_nanos") + " AS first_seen, " + moment("last_nanos")
                        + " AS last_seen, " + known("world_size") + ", " + known("hosts") + ", topology"
                        + " FROM kept.jobs");
        VIEWS.put("ranks", "SELECT job, attempt, rank, host, " + known("gpu_index") + ", gpu_uuid FROM kept.ranks");
        VIEWS.put(
                "steps",
                "SELECT job, attempt, step, " + moment("start_nanos") + " AS started, " + seconds("median") + ", "
                        + seconds("max") + ", max_rank, ranks FROM kept.all_steps");
        VIEWS.put(
                "phases",
                "SELECT job, attempt, step, phase, " + seconds("median") + ", " + seconds("max")
                        + ", max_rank, ranks FROM kept.all_phases");
        VIEWS.put(
                "rank_steps",
                "SELECT job, attempt, step, rank, " + moment("start_nanos") + " AS started, " + seconds("duration")
                        + ", " + seconds("compute") + ", " + seconds("copy") + ", " + seconds("exposed_comm") + ", "
                        + RowReader.IDLE + " / 1e9 AS idle_seconds FROM kept.all_rank_steps");
        VIEWS.put(
                "kernels",
                "SELECT job, attempt, window_step, kernel, ranks, events, " + seconds("sum") + ", "
                        + seconds("median_mean") + ", " + seconds("max_mean")
                        + ", max_rank, peers FROM kept.all_kernels");
        String incident = "SELECT job, id, attempt, change, " + moment("at_nanos")
                + " AS noticed, kind, scope, severity, confidence, state, " + moment("since_nanos") + " AS since, "
                + moment("until_nanos")
                + " AS until, first_step, last_step, step_ratio, gpu_seconds, during_ratio, ranks, hosts,"
                + " summary, document FROM kept.all_incidents";
        VIEWS.put("incidents", incident + RowReader.NEWEST);
        VIEWS.put("incident_changes", incident);
        VIEWS.put("losses", "SELECT job, " + moment("at_nanos") + " AS noticed, reason, lost FROM kept.all_losses");
        VIEWS.put(
                "objects",
                "SELECT job, object_key, incident, kind, bytes, " + moment("created_nanos")
                        + " AS created FROM kept.objects");
    }

    private UserViews() {}

    /** Their names. */
    static Set<String> names() {
        return VIEWS.keySet();
    }

    static void make(Connection on) throws SQLException {
        for (var view : VIEWS.entrySet()) {
            Sql.run(on, "CREATE OR REPLACE VIEW main." + view.getKey() + " AS " + view.getValue());
        }
    }

    private static String moment(String column) {
        return "make_timestamp_ns(CASE WHEN " + column + " > 0 THEN " + column + " END)";
    }

    private static String seconds(String what) {
        return "nullif(" + what + "_nanos, -1) / 1e9 AS " + what + "_seconds";
    }

    private static String known(String column) {
        return "nullif(" + column + ", -1) AS " + column;
    }
}
