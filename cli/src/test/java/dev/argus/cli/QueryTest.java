package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.argus.storage.DataFolder;
import dev.argus.storage.Rows;
import dev.argus.storage.StoreBatch;
import dev.argus.storage.duck.DuckStore;
import dev.argus.storage.object.FolderObjects;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is asked, what is printed, and what is said when nobody answers. */
class QueryTest {
    private static final String HOSTILE = "job\u001b[31m,\"\n\u202e";
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    @TempDir
    Path folder;

    private Run run(String... args) {
        return Run.with(
                (paths, options, threads, progress) -> {
                    throw new AssertionError("nothing is diagnosed");
                },
                Map.of("ARGUS_SERVER_DATA", folder.toString()),
                args);
    }

    private DuckStore store() throws Exception {
        DataFolder data = new DataFolder(folder);
        return DuckStore.open(data, 1L << 30, new FolderObjects(data.objects()));
    }

    private void fill(DuckStore store) throws Exception {
        store.commit(new StoreBatch(
                1,
                5,
                List.of(new Rows.Job(HOSTILE, 0, 1_790_000_000_000_000_000L, -1, 64, 8, "tp=8")),
                List.of(),
                List.of(new Rows.Step("j", 0, 7, 5, 2_500_000_000L, 3, 1, 2)),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of()));
    }

    @Test
    void aStoreWithoutAServer() throws Exception {
        Run nothing = run("query", "SHOW TABLES");
        assertThat(nothing.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
        assertThat(nothing.err())
                .contains("no server has kept anything in")
                .contains("--data")
                .hasLineCount(1);
        try (DuckStore store = store()) {
            fill(store);
            Run used = run("query", "SHOW TABLES");
            assertThat(used.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
            assertThat(used.err()).contains("used by a server that runs");
        }
        Run table = run("query", "SELECT job, attempt, first_seen, last_seen FROM jobs");
        assertThat(table.err()).isEmpty();
        assertThat(table.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(table.out().lines())
                .containsExactly(
                        "job                      attempt  first_seen             last_seen",
                        "-----------------------  -------  ---------------------  ---------",
                        "job\\x1b[31m,\"\\x0a\\u202e        0  2026-09-21 14:13:20.0  -",
                        "1 row");
        Run json = run(
                "query",
                "--format",
                "json",
                "SELECT job, step, median_seconds, NULL::BIGINT AS n FROM steps",
                "--data",
                folder.toString());
        assertThat(json.out().replaceAll("\\s", ""))
                .isEqualTo("{\"columns\":[\"job\",\"step\",\"median_seconds\",\"n\"],\"types\":[\"VARCHAR\",\"BIGINT\","
                        + "\"DOUBLE\",\"BIGINT\"],\"rows\":[[\"j\",7,2.5,null]],\"cut\":false}");
        Run csv = run("query", "--format", "csv", "SELECT job, NULL AS n FROM jobs");
        assertThat(csv.out()).isEqualTo("job,n\n\"job\u001b[31m,\"\"\n\u202e\",\n");
        Run some = run("query", "--limit", "2", "FROM range(5)");
        assertThat(some.out()).contains("2 rows, and more: --limit says how many");
        Run refused = run("query", "SELECT * FROM read_text('/etc/passwd')");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
        assertThat(refused.err())
                .startsWith("argus: not answered: the function 'read_text'")
                .hasLineCount(1);
    }

    @Test
    void wrongUsageIsOneLine() {
        String[][] wrong = {
            {"query"},
            {"query", " "},
            {"query", "SELECT", "1"},
            {"query", "SELECT 1", "--limit", "0"},
            {"query", "SELECT 1", "--limit", "100001"},
            {"query", "SELECT 1", "--format", "html"},
            {"query", "SELECT 1", "--server", "a b"},
            {"query", "SELECT 1", "--colour", "red"}
        };
        for (String[] args : wrong) {
            Run run = run(args);
            assertThat(run.exitCode()).as(String.join(" ", args)).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).as(String.join(" ", args)).hasLineCount(1);
        }
        assertThat(run("query", "--help").out()).contains("SHOW TABLES", "--token-file", "Exit codes");
    }

    @Test
    void theServerOnTheFolderIsAsked() throws Exception {
        try (DuckStore store = store()) {
            fill(store);
        }
        Path token = Files.createFile(
                folder.resolve("operator.token"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(token, TOKEN + "\n");
        AtomicReference<String> asked = new AtomicReference<>("");
        AtomicReference<String> answer = new AtomicReference<>(
                "{\"columns\":[\"a\"],\"types\":[\"VARCHAR\"],\"rows\":[[\"of the server\"]],\"cut\":false}");
        AtomicReference<Integer> status = new AtomicReference<>(200);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", call -> {
            asked.set(call.getRequestMethod() + " " + call.getRequestURI() + " "
                    + call.getRequestHeaders().getFirst("Authorization") + " "
                    + new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] bytes = answer.get().getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(status.get(), bytes.length);
            try (OutputStream out = call.getResponseBody()) {
                out.write(bytes);
            }
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        Files.writeString(folder.resolve("server.json"), "{\"url\":\"" + url + "\",\"tokenFile\":\"" + token + "\"}\n");
        try {
            assertThat(run("query", "SELECT 'a'", "--limit", "7").out()).contains("of the server");
            assertThat(asked.get())
                    .isEqualTo("POST /api/v1/query Bearer " + TOKEN + " {\"sql\":\"SELECT 'a'\",\"rows\":7}");
            assertThat(run("query", "X", "--server", url + "/", "--token-file", token.toString())
                            .out())
                    .contains("of the server");
            run("query", "X", "--server", url + "/");
            assertThat(asked.get()).as("it runs on this folder").contains("Bearer " + TOKEN);
            status.set(400);
            answer.set("{\"error\":\"found no table\\u001b\",\"expected\":\"one\"}");
            Run refused = run("query", "FROM x");
            assertThat(refused.err()).isEqualTo("argus: not answered: found no table\\x1b\n");
            assertThat(refused.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
            status.set(403);
            assertThat(run("query", "FROM x").err())
                    .contains("status 403", "need the operator's token", "--token-file");
            status.set(200);
            for (String odd : List.of(
                    "",
                    "[]",
                    "{",
                    "{\"columns\":5}",
                    "{\"columns\":[\"a\"],\"rows\":[5]}",
                    "{\"columns\":[\"a\"],\"rows\":[[1,2]]}",
                    "[".repeat(100_000))) {
                answer.set(odd);
                Run run = run("query", "FROM x");
                assertThat(run.exitCode()).as(odd).isEqualTo(ExitCode.NOTHING_ANALYSED);
                assertThat(run.err()).hasLineCount(1).contains("cannot ask: ");
            }
        } finally {
            server.stop(0);
        }
        // It is gone, what it wrote is left: the file answers.
        assertThat(run("query", "SELECT count(*) AS n FROM jobs").out()).contains("1 row");
        Run gone = run("query", "SELECT 1", "--server", url);
        assertThat(gone.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
        assertThat(gone.err()).contains("nobody listens at " + url);
        assertThat(run("query", "SELECT 1 AS n, '" + "x".repeat(300) + "' AS summary")
                        .out())
                .as("behind the last column nothing stands in line")
                .contains("x".repeat(300));
        Files.writeString(folder.resolve("server.json"), "{\"url\":5}");
        assertThat(run("query", "SELECT 1").err()).contains("has no tokenFile");
        assertThat(run("query", "SELECT 1", "--server", "http://argus.example:1/", "--token-file", token.toString())
                        .err())
                .containsAnyOf("does not go to another host", "argus.example");
    }
}
