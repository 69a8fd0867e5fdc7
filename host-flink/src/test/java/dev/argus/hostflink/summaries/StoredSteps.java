package dev.argus.hostflink.summaries;

import dev.argus.storage.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;

/** What Parquet files in the folder of an S3 server hold. */
public final class StoredSteps {
    private final Path bucket;

    /** Of the folder that a prefix of keys is. */
    public StoredSteps(Path bucket) {
        this.bucket = bucket;
    }

    /** Keys behind the prefix. */
    public List<String> files() throws IOException {
        if (!Files.isDirectory(bucket)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(bucket)) {
            return all.filter(Files::isRegularFile)
                    .map(f -> bucket.relativize(f).toString())
                    .filter(f -> f.endsWith(".parquet"))
                    .sorted()
                    .toList();
        }
    }

    private interface Mapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    private <T> List<T> read(String table, String columns, Mapper<T> mapper) throws Exception {
        List<T> all = new ArrayList<>();
        try (Connection on = new DuckDBDriver().connect("jdbc:duckdb:", new Properties())) {
            for (String file : files()) {
                if (file.contains("/" + table + "-")) {
                    try (ResultSet rows = on.createStatement()
                            .executeQuery("SELECT " + columns + " FROM read_parquet('" + bucket.resolve(file) + "')")) {
                        while (rows.next()) {
                            all.add(mapper.map(rows));
                        }
                    }
                }
            }
        }
        return all;
    }

    /** All steps. */
    public List<Rows.Step> steps() throws Exception {
        return read(
                "steps",
                "job, attempt, step, start_nanos, median_nanos, max_nanos, max_rank, ranks",
                r -> new Rows.Step(
                        r.getString(1),
                        r.getInt(2),
                        r.getLong(3),
                        r.getLong(4),
                        r.getLong(5),
                        r.getLong(6),
                        r.getInt(7),
                        r.getInt(8)));
    }

    /** All phases. */
    public List<Rows.Phase> phases() throws Exception {
        return read(
                "phases",
                "job, attempt, step, phase, median_nanos, max_nanos, max_rank, ranks",
                r -> new Rows.Phase(
                        r.getString(1),
                        r.getInt(2),
                        r.getLong(3),
                        r.getString(4),
                        r.getLong(5),
                        r.getLong(6),
                        r.getInt(7),
                        r.getInt(8)));
    }
}
