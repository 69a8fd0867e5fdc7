package dev.argus.storage.duck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.storage.DataFolder;
import dev.argus.storage.QueryException;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.QueryResult;
import dev.argus.storage.Rows;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.object.FolderObjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions are answered, and nothing but questions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuestionsTest {
    private static final QueryLimits SHORT = new QueryLimits(100, 1 << 20, 700);

    private Path folder;
    private DuckStore store;

    @BeforeAll
    void fill(@TempDir Path made) throws IOException {
        folder = made;
        DataFolder data = new DataFolder(folder);
        store = DuckStore.open(data, 1L << 30, new FolderObjects(data.objects()));
        for (long n = 1; n <= 20; n++) {
            store.commit(Batches.step(n, Batches.EPOCH + n * 4 * Batches.SECOND, "llama", 16));
        }
        store.commit(new StoreBatch(
                21,
                Batches.EPOCH,
                List.of(),
                List.of(new Rows.Rank("llama", 0, 3, "n1", -1, "")),
                List.of(),
                List.of(),
                List.of(new Rows.RankStep("odd", 0, 1, 0, -1, 9_000_000_000L, -1, -1, -1, 5_000_000_000L)),
                List.of(new Rows.Kernel("llama", 0, 1, "gemm", 16, 100, 5_000_000_000L, 49, 60, 3, "")),
                List.of(
                        Batches.incident("llama", "i1", "open", 5, "slow"),
                        Batches.incident("llama", "i1", "resolved", 6, "was slow")),
                List.of(new Rows.Loss("llama", Batches.EPOCH, "spool-full", 3)),
                List.of(new Rows.StoredObject("llama", "perfetto/x", "i1", "perfetto", 7, Batches.EPOCH)),
                Map.of("secret", new byte[] {1})));
    }

    @AfterAll
    void close() throws IOException {
        store.close();
    }

    private List<List<Object>> rows(String sql) throws QueryException {
        return store.query(sql, QueryLimits.DEFAULT).rows().stream()
                .map(row -> row.stream().map(v -> v == null ? "null" : v).toList())
                .toList();
    }

    @Test
    void questionsOfAllKinds() throws QueryException {
        QueryResult steps = store.query(
                "SELECT step, started, max_seconds, max_rank FROM steps WHERE job = 'llama' ORDER BY step DESC LIMIT 1",
                QueryLimits.DEFAULT);
        assertThat(steps.columns()).containsExactly("step", "started", "max_seconds", "max_rank");
        assertThat(steps.types()).containsExactly("BIGINT", "TIMESTAMP_NS", "DOUBLE", "INTEGER");
        assertThat(steps.rows().getFirst().get(0)).isEqualTo(20L);
        assertThat(steps.rows().getFirst().get(1)).asString().startsWith("2026-09-");
        assertThat(steps.cut()).isFalse();
        assertThat(
                        rows(
                                "WITH s AS (FROM steps WHERE job = 'llama') SELECT count(*), sum(step) FROM s -- a remark\n ; "))
                .containsExactly(List.of(20L, 210L));
        assertThat(rows("select duration_seconds, compute_seconds, idle_seconds, started from rank_steps"
                        + " where job = 'odd'"))
                .containsExactly(List.of(9.0, "null", 5.0, "null"));
        assertThat(rows("SELECT id, state, summary FROM incidents"))
                .containsExactly(List.of("i1", "resolved", "was slow"));
        assertThat(rows("FROM incident_changes SELECT count(*)")).containsExactly(List.of(2L));
        assertThat(rows("SELECT document->>'id' FROM incidents")).containsExactly(List.of("i1"));
        assertThat(rows("SHOW TABLES").stream().map(List::getFirst))
                .containsExactlyInAnyOrderElementsOf(UserViews.names());
        assertThat(rows("DESCRIBE rank_steps")).hasSize(10);
        assertThat(rows("SUMMARIZE steps")).hasSize(8);
        assertThat(rows("SELECT gpu_index, host FROM ranks")).containsExactly(List.of("null", "n1"));
        assertThat(rows("SELECT kernel, sum_seconds FROM kernels")).containsExactly(List.of("gemm", 5.0));
        assertThat(rows("SELECT reason, lost FROM losses")).containsExactly(List.of("spool-full", 3L));
        assertThat(rows("SELECT object_key, bytes FROM objects")).containsExactly(List.of("perfetto/x", 7L));
        assertThat(rows("SELECT phase, any_value(job) FROM phases GROUP BY ALL"))
                .hasSize(1);
        assertThat(rows("SELECT rank, avg(duration_seconds) AS a, max(a) OVER () FROM rank_steps GROUP BY rank"
                        + " QUALIFY row_number() OVER (ORDER BY a DESC) <= 3 ORDER BY a DESC"))
                .hasSize(3);
        assertThat(rows("SELECT 1, 2.5, 'x', true, null, [1, 2], {'a': 1}, 170141183460469231731687303715884105727"))
                .containsExactly(List.of(
                        1L, 2.5, "x", true, "null", "[1, 2]", "[1]", "170141183460469231731687303715884105727"));
        assertThat(rows("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT max(n)"
                        + " FROM r"))
                .containsExactly(List.of(5L));
        assertThat(rows("SELECT count(*) FROM range(10) a, generate_series(1, 3) b"))
                .containsExactly(List.of(30L));
        assertThat(rows("SELECT quantile_cont(duration_seconds, 0.99) > 3 FROM rank_steps WHERE started >"
                        + " TIMESTAMP '2026-01-01' + INTERVAL 1 DAY"))
                .containsExactly(List.of(true));
        assertThat(rows("SELECT * FROM steps s JOIN phases p USING (job, attempt, step) WHERE s.job = 'llama' AND"
                        + " s.step IN (SELECT max(step) FROM steps WHERE job = 'llama') AND p.phase LIKE 'for%'"))
                .hasSize(1);
    }

    @Test
    void bytesAreShownAsTheDatabaseShowsThem() throws QueryException {
        assertThat(store.query("SELECT '\\xAB\\x00z''\\x5C'::BLOB", QueryLimits.DEFAULT)
                        .rows())
                .isEqualTo(List.of(List.of("\\xAB\\x00z\\x27\\x5C")));
        assertThat(store.query("SELECT ['" + "a".repeat(5000) + "'::BLOB]", QueryLimits.DEFAULT)
                        .rows())
                .isEqualTo(List.of(List.of("[" + "a".repeat(4096) + "... (5000 bytes)]")));
    }

    @Test
    void limits() throws QueryException {
        QueryResult some = store.query(
                "SELECT step FROM steps WHERE job = 'llama' ORDER BY step", new QueryLimits(5, 1 << 20, 5000));
        assertThat(some.rows()).hasSize(5);
        assertThat(some.cut()).isTrue();
        assertThat(store.query("FROM steps WHERE job = 'llama'", new QueryLimits(20, 1 << 20, 5000))
                        .cut())
                .isFalse();
        QueryResult few = store.query("FROM rank_steps", new QueryLimits(1000, 2000, 5000));
        assertThat(few.cut()).isTrue();
        assertThat(few.rows().size()).isBetween(1, 20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "SELECT 1; SELECT 2",
                "SELECT 1; DROP TABLE kept.batch",
                "SELECT * FROM read_csv('/etc/passwd')",
                "SELECT * FROM read_text('/etc/passwd')",
                "SELECT * FROM read_blob('/etc/passwd')",
                "SELECT * FROM read_parquet('/etc/passwd')",
                "SELECT * FROM read_json('/etc/passwd')",
                "SELECT * FROM glob('/etc/*')",
                "SELECT * FROM sniff_csv('/etc/passwd')",
                "FROM '/etc/passwd'",
                "FROM \"/etc/passwd\"",
                "WITH \"/etc/passwd\" AS (SELECT 1) FROM \"/etc/passwd\"",
                "SELECT (SELECT count(*) FROM '/etc/passwd')",
                "COPY steps TO '/tmp/argus-copied'",
                "COPY (SELECT 1) TO '/tmp/argus-copied'",
                "COPY kept.batch FROM '/etc/passwd'",
                "EXPORT DATABASE '/tmp/argus-exported'",
                "IMPORT DATABASE '/tmp/argus-exported'",
                "ATTACH '/tmp/argus-attached.db'",
                "ATTACH ':memory:' AS m",
                "DETACH argus",
                "USE kept",
                "INSTALL httpfs",
                "LOAD httpfs",
                "LOAD '/tmp/x.duckdb_extension'",
                "SET memory_limit = '100GB'",
                "SET enable_external_access = true",
                "RESET memory_limit",
                "PRAGMA threads = 64",
                "PRAGMA database_list",
                "CALL pragma_version()",
                "CHECKPOINT",
                "VACUUM",
                "BEGIN",
                "COMMIT",
                "ROLLBACK",
                "SELECT getenv('HOME')",
                "SELECT main.getenv('HOME')",
                "SELECT 'HOME'.getenv()",
                "SELECT list_transform(['HOME'], lambda x: getenv(x))",
                "SELECT current_setting('memory_limit')",
                "SELECT getvariable('x')",
                "SET VARIABLE x = 1",
                "SELECT * FROM duckdb_secrets()",
                "SELECT * FROM duckdb_settings()",
                "SELECT * FROM duckdb_tables()",
                "FROM duckdb_tables",
                "FROM sqlite_master",
                "FROM pg_catalog.pg_class",
                "FROM information_schema.tables",
                "SELECT * FROM pragma_storage_info('kept.batch')",
                "SELECT * FROM query('SELECT 1')",
                "SELECT * FROM query_table('kept.batch')",
                "SELECT * FROM json_execute_serialized_sql('x')",
                "SELECT json_serialize_plan('SELECT 1')",
                "FROM kept.batch",
                "FROM argus.kept.batch",
                "FROM batch",
                "FROM all_steps",
                "WITH duckdb_tables AS (SELECT 1) FROM duckdb_tables",
                "WITH steps AS (FROM kept.batch) FROM steps",
                "DESCRIBE kept.batch",
                "SHOW ALL TABLES",
                "SHOW DATABASES",
                "FROM (SHOW DATABASES)",
                "SHOW kept.batch",
                "SUMMARIZE kept.batch",
                "CREATE TABLE x(a INTEGER)",
                "CREATE TEMP TABLE x AS SELECT 1",
                "CREATE VIEW x AS SELECT 1",
                "CREATE MACRO f(a) AS a + 1",
                "CREATE SECRET s (TYPE s3)",
                "CREATE SEQUENCE s",
                "SELECT nextval('s')",
                "INSERT INTO kept.batch VALUES (1, 1)",
                "UPDATE kept.batch SET number = 1",
                "DELETE FROM kept.batch",
                "DROP VIEW steps",
                "ALTER TABLE kept.batch ADD COLUMN x INTEGER",
                "TRUNCATE kept.batch",
                "WITH x AS (INSERT INTO kept.batch VALUES (1, 1) RETURNING *) FROM x",
                "WITH x AS (DELETE FROM kept.batch RETURNING *) FROM x",
                "SELECT write_log('x')",
                "SELECT setseed(0.5)",
                "SELECT sleep_ms(100000)",
                "SELECT pg_sleep(100)",
                "SELECT repeat('x', 2000000000)",
                "SELECT lpad('x', 2000000000, 'y')",
                "SELECT printf('%2000000000d', 1)",
                "SELECT replace('x', 'x', 'yy')",
                "SELECT concat('x', 'y')",
                "SELECT range(1000000000)",
                "SELECT levenshtein('a', 'b')",
                "SELECT ?",
                "SELECT $1",
                "PREPARE p AS SELECT 1",
                "EXECUTE p",
                "EXPLAIN ANALYZE SELECT 1",
                "SELECT * FROM steps WHERE (SELECT count(*) FROM read_text('/etc/passwd')) > 0",
                "SELECT 1 UNION ALL SELECT number FROM kept.batch",
                "SELECT * FROM steps, LATERAL (SELECT * FROM read_text('/etc/passwd'))",
                "SELECT * FROM steps ORDER BY (SELECT getenv('HOME'))",
                "SELECT count(*) FILTER (getenv('HOME') IS NULL) FROM steps",
                "SELECT sum(1) OVER (ORDER BY getenv('HOME')) FROM steps",
                "SELECT * FROM steps LIMIT (SELECT number FROM kept.batch)",
                "VALUES (getenv('HOME'))",
                "SELEC 1",
                "SELECT (1",
                "SELECT 1) UNION (SELECT 2"
            })
    void whatIsNoQuestionIsRefused(String sql) throws Exception {
        assertThatThrownBy(() -> store.query(sql, SHORT))
                .as(sql)
                .isInstanceOf(QueryException.class)
                .hasMessageNotContaining("root:")
                .hasMessageNotContaining("Exception");
        assertThat(rows("SELECT count(*) FROM steps WHERE job = 'llama'")).containsExactly(List.of(20L));
        assertThat(Path.of("/tmp/argus-copied")).doesNotExist();
        assertThat(Path.of("/tmp/argus-exported")).doesNotExist();
        assertThat(Path.of("/tmp/argus-attached.db")).doesNotExist();
    }

    /** Behind the check there is a second wall: the database itself does none of this, whoever asks. */
    @Test
    void theDatabaseItselfIsLocked() throws Exception {
        try (Database database = Database.open(StoreFolder.own(folder.resolve("locked")))) {
            for (String sql : List.of(
                    "SELECT * FROM read_text('/etc/passwd')",
                    "COPY (SELECT 1) TO '/tmp/argus-copied'",
                    "ATTACH '/tmp/argus-attached.db'",
                    "INSTALL httpfs",
                    "LOAD '/tmp/x.duckdb_extension'",
                    "SET enable_external_access = true",
                    "SET memory_limit = '100GB'",
                    "SET threads = 64",
                    "CREATE TABLE x(a INTEGER)")) {
                assertThatThrownBy(() -> database.read(on -> {
                            Sql.run(on, sql);
                            return 0;
                        }))
                        .as(sql)
                        .isInstanceOf(java.sql.SQLException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r",
                "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r) SELECT max(n) FROM r",
                "SELECT count(*) FROM range(100000000) a, range(100000000) b",
                "SELECT count(*) FROM rank_steps a, rank_steps b, rank_steps c, rank_steps d, rank_steps e",
                "FROM range(1000000000000) ORDER BY hash(range)",
                "SELECT list(range) FROM range(1000000000000)",
                "SELECT string_agg(range::VARCHAR, ', ') FROM range(1000000000000)",
                "SELECT range % 1000000 a, list(range) FROM range(2000000000) GROUP BY a",
                "WITH RECURSIVE r(s, n) AS (SELECT 'xxxxxxxxxxxxxxxxxxxx', 1 UNION ALL SELECT s || s, n + 1 FROM r"
                        + " WHERE n < 60) SELECT max(length(s)) FROM r",
            })
    void whatTakesTooMuchEnds(String sql) throws Exception {
        long before = store.committed();
        List<List<Object>> known = rows("SELECT count(*) FROM steps WHERE job = 'busy'");
        long number = before;
        CompletableFuture<Void> asked =
                CompletableFuture.runAsync(() -> assertThatThrownBy(() -> store.query(sql, SHORT))
                        .isInstanceOf(QueryException.class)
                        .hasMessageMatching("(?s).*(longer than 700 ms|more memory|needed the memory|opened anew).*"));
        while (!asked.isDone()) {
            number++;
            store.commit(Batches.step(number, Batches.EPOCH, "busy", 2000)); // never fails, never lost
        }
        asked.get();
        assertThat(store.committed()).isEqualTo(number);
        assertThat(rows("SELECT count(*) FROM steps WHERE job = 'busy'"))
                .containsExactly(List.of((long) known.getFirst().getFirst() + number - before));
    }

    @Test
    void deepAndLongQuestions() {
        assertThatThrownBy(() -> store.query("SELECT " + "(".repeat(5000) + "1" + ")".repeat(5000), SHORT))
                .isInstanceOf(QueryException.class);
        assertThatThrownBy(() -> store.query("SELECT 1" + "+1".repeat(8000), SHORT))
                .isInstanceOf(QueryException.class);
        assertThatThrownBy(() -> store.query("SELECT '" + "x".repeat(20_000) + "'", SHORT))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("longer than 16384 bytes");
        assertThatThrownBy(() -> store.query("SELECT '\ud800\u0000' FROM '\u202e'", SHORT))
                .isInstanceOf(QueryException.class);
    }

    @Test
    void theManualNamesEveryTableAndColumn() throws Exception {
        String manual = Files.readString(dev.argus.testkit.Shared.repository().resolve("docs/query.md"));
        for (String view : UserViews.names()) {
            for (List<Object> column : rows("DESCRIBE " + view)) {
                assertThat(manual).contains("`" + view + "`").contains("`" + column.getFirst() + "`");
            }
        }
    }
}
