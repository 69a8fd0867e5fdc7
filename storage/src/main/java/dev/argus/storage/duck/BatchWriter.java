package dev.argus.storage.duck;

import dev.argus.storage.Rows;
import dev.argus.storage.StoreBatch;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Writes the rows of a batch, within a transaction that somebody else begins and ends. Texts are stored as they are; durations are held within 36 years, so that no sum of a few of them overflows. */
final class BatchWriter {
    private static final long MOST_NANOS = 1L << 60;

    private final DuckDBConnection on;
    private final Slots slots;
    private final StoreBatch batch;

    BatchWriter(DuckDBConnection on, Slots slots, StoreBatch batch) {
        this.on = on;
        this.slots = slots;
        this.batch = batch;
    }

    void write() throws SQLException {
        jobs();
        ranks();
        append(SlotTable.RANK_STEPS, batch.rankSteps(), BatchWriter::rankStep);
        append(SlotTable.STEPS, batch.steps(), BatchWriter::step);
        append(SlotTable.PHASES, batch.phases(), BatchWriter::phase);
        append(SlotTable.KERNELS, batch.kernels(), BatchWriter::kernel);
        append(SlotTable.LOSSES, batch.losses(), BatchWriter::loss);
        int[] place = {0};
        append(SlotTable.INCIDENTS, batch.incidents(), (to, row) -> {
            to.append(batch.number()).append(place[0]++);
            return incident(to, row);
        });
        int[] picture = {0};
        append(SlotTable.PICTURES, batch.pictures(), (to, row) -> {
            to.append(batch.number()).append(picture[0]++);
            to.append(row.job()).append(row.incident()).append(row.kind()).append(row.atNanos());
            to.append(row.document());
            return row.document().length();
        });
        objects();
        Sql.run(on, "DELETE FROM kept.batch");
        Sql.run(on, "INSERT INTO kept.batch VALUES (?, ?)", batch.number(), batch.atNanos());
    }

    /** Appends one row; returns the bytes of its texts of free length. */
    @FunctionalInterface
    interface Row<T> {
        long append(DuckDBAppender to, T row) throws SQLException;
    }

    private <T> void append(SlotTable table, List<T> rows, Row<T> row) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        Slots.Slot slot = slots.current(table.group(), batch.atNanos(), on);
        long texts = 0;
        try (DuckDBAppender to = on.createAppender("kept", table.of(slot.id()))) {
            for (T each : rows) {
                to.beginRow();
                texts += row.append(to, each);
                to.endRow();
            }
        }
        slots.wrote(table, rows.size(), texts);
    }

    private void jobs() throws SQLException {
        Map<List<Object>, Rows.Job> last = new LinkedHashMap<>();
        batch.jobs().forEach(job -> last.put(List.of(job.job(), job.attempt()), job));
        for (Rows.Job job : last.values()) {
            Sql.run(on, "DELETE FROM kept.jobs WHERE job = ? AND attempt = ?", job.job(), job.attempt());
            Sql.run(
                    on,
                    "INSERT INTO kept.jobs VALUES (?, ?, ?, ?, ?, ?, ?)",
                    job.job(),
                    job.attempt(),
                    job.firstNanos(),
                    job.lastNanos(),
                    job.worldSize(),
                    job.hosts(),
                    job.topology());
        }
    }

    private void ranks() throws SQLException {
        if (batch.ranks().isEmpty()) {
            return;
        }
        Map<List<Object>, Rows.Rank> last = new LinkedHashMap<>();
        batch.ranks().forEach(rank -> last.put(List.of(rank.job(), rank.attempt(), rank.rank()), rank));
        try (DuckDBAppender to = on.createAppender("kept", "ranks_coming")) {
            for (Rows.Rank rank : last.values()) {
                to.beginRow();
                to.append(rank.job()).append(rank.attempt()).append(rank.rank());
                to.append(rank.host()).append(rank.gpuIndex()).append(rank.gpuUuid());
                to.endRow();
            }
        }
        Sql.run(
                on,
                "DELETE FROM kept.ranks WHERE (job, attempt, rank) IN (SELECT (job, attempt, rank) FROM"
                        + " kept.ranks_coming)");
        Sql.run(on, "INSERT INTO kept.ranks SELECT * FROM kept.ranks_coming");
        Sql.run(on, "DELETE FROM kept.ranks_coming");
    }

    private void objects() throws SQLException {
        for (Rows.StoredObject object : batch.objects()) {
            writeObject(on, object);
        }
    }

    /** One object; replaces the one of its key. */
    static void writeObject(DuckDBConnection on, Rows.StoredObject object) throws SQLException {
        Sql.run(on, "DELETE FROM kept.objects WHERE object_key = ?", object.key());
        Sql.run(
                on,
                "INSERT INTO kept.objects VALUES (?, ?, ?, ?, ?, ?)",
                object.job(),
                object.key(),
                object.incident(),
                object.kind(),
                object.bytes(),
                object.createdNanos());
    }

    private static long rankStep(DuckDBAppender to, Rows.RankStep r) throws SQLException {
        long duration = held(r.durationNanos());
        long compute = held(r.computeNanos());
        long copy = held(r.copyNanos());
        long comm = held(r.exposedCommNanos());
        to.append(r.job()).append(r.attempt()).append(r.step()).append(r.rank());
        to.append(r.startNanos()).append(duration).append(compute).append(copy).append(comm);
        to.append(duration - compute - copy - comm - held(r.idleNanos()));
        return 0;
    }

    private static long held(long nanos) {
        return Math.clamp(nanos, -MOST_NANOS, MOST_NANOS);
    }

    /** Appends a row of {@link SlotTable#STEPS}. */
    static long step(DuckDBAppender to, Rows.Step s) throws SQLException {
        to.append(s.job()).append(s.attempt()).append(s.step()).append(s.startNanos());
        to.append(s.medianNanos()).append(s.maxNanos()).append(s.maxRank()).append(s.ranks());
        return 0;
    }

    /** Appends a row of {@link SlotTable#PHASES}. */
    static long phase(DuckDBAppender to, Rows.Phase p) throws SQLException {
        to.append(p.job()).append(p.attempt()).append(p.step()).append(p.phase());
        to.append(p.medianNanos()).append(p.maxNanos()).append(p.maxRank()).append(p.ranks());
        return 0;
    }

    private static long kernel(DuckDBAppender to, Rows.Kernel k) throws SQLException {
        to.append(k.job()).append(k.attempt()).append(k.window()).append(k.kernel());
        to.append(k.ranks()).append(k.count()).append(k.sumNanos());
        to.append(k.medianMeanNanos())
                .append(k.maxMeanNanos())
                .append(k.maxRank())
                .append(k.peers());
        return 0;
    }

    private static long loss(DuckDBAppender to, Rows.Loss l) throws SQLException {
        to.append(l.job()).append(l.atNanos()).append(l.reason()).append(l.count());
        return 0;
    }

    private static long incident(DuckDBAppender to, Rows.Incident i) throws SQLException {
        to.append(i.job()).append(i.id()).append(i.attempt()).append(i.change()).append(i.atNanos());
        to.append(i.kind())
                .append(i.scope())
                .append(i.severity())
                .append(i.confidence())
                .append(i.state());
        to.append(i.sinceNanos()).append(i.untilNanos()).append(i.firstStep()).append(i.lastStep());
        to.append(i.stepRatio()).append(i.gpuSeconds()).append(i.ranks()).append(i.hosts());
        to.append(i.summary()).append(i.document()).append(i.duringRatio());
        return (long) i.summary().length() + i.document().length();
    }
}
