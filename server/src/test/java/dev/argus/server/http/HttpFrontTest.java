package dev.argus.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.server.Samples;
import dev.argus.server.Served;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP itself: methods, headers, compression, tags, pages. */
class HttpFrontTest {
    @TempDir
    Path data;

    private Served served;

    @BeforeEach
    void start() throws IOException {
        served = new Served(data);
        Samples.fill(served.fleet, served.store, served.objects);
    }

    @AfterEach
    void stop() {
        served.assertNoBugs();
        served.close();
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @Test
    void everyAnswerKeepsBrowsersStrict() throws Exception {
        for (String path :
                List.of("/", "/plain", "/healthz", "/api/v1/jobs", "/api/v1/nothing", "/argus.css", "/metrics")) {
            HttpResponse<byte[]> answer = served.get(path);
            assertThat(header(answer, "Content-Security-Policy"))
                    .as(path)
                    .startsWith("default-src 'none'")
                    .doesNotContain("unsafe");
            assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(header(answer, "X-Frame-Options")).isEqualTo("DENY");
            assertThat(header(answer, "Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
            assertThat(answer.headers().map().keySet())
                    .as("no other origin is ever let in")
                    .noneMatch(name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("access-control"));
        }
        HttpResponse<byte[]> preflight = served.send(
                "OPTIONS",
                "/api/v1/query",
                new byte[0],
                "Origin",
                "http://evil.example",
                "Access-Control-Request-Method",
                "POST");
        assertThat(preflight.statusCode()).isEqualTo(403);
        assertThat(preflight.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }

    @Test
    void methodsThatAreNotDeclaredAreToldWhichAre() throws Exception {
        HttpResponse<byte[]> answer = served.post("/api/v1/jobs", "{}");
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(header(answer, "Allow")).isEqualTo("GET, HEAD");
        assertThat(served.get("/api/v1/query").statusCode()).isEqualTo(405);
        assertThat(served.send("DELETE", "/api/v1/incidents/x", new byte[0]).statusCode())
                .isEqualTo(405);
        assertThat(served.send("TRACE", "/api/v1/jobs", new byte[0]).statusCode())
                .isEqualTo(405);
        assertThat(served.send("POST", "/api/v1/nothing", new byte[0]).statusCode())
                .isEqualTo(404);
    }

    @Test
    void headIsGetWithoutTheBody() throws Exception {
        HttpResponse<byte[]> get = served.get("/api/v1/jobs");
        HttpResponse<byte[]> head = served.send("HEAD", "/api/v1/jobs", new byte[0]);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(header(head, "Content-Length")).isEqualTo(Integer.toString(get.body().length));
        assertThat(header(head, "ETag")).isEqualTo(header(get, "ETag"));
        assertThat(served.send("HEAD", "/api/v1/objects/timelines/a.pftrace", new byte[0])
                        .statusCode())
                .isEqualTo(200);
        assertThat(served.send("HEAD", "/api/v1/nothing", new byte[0]).statusCode())
                .isEqualTo(404);
    }

    @Test
    void anAnswerThatIsKnownIsNotSentAgain() throws Exception {
        String tag = header(served.get("/api/v1/openapi.json"), "ETag");
        assertThat(tag).startsWith("W/\"");
        HttpResponse<byte[]> again = served.get("/api/v1/openapi.json", "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(served.get("/api/v1/openapi.json", "If-None-Match", "W/\"x\"")
                        .statusCode())
                .isEqualTo(200);
        assertThat(header(served.get("/metrics"), "ETag")).isEmpty();
    }

    @Test
    void longAnswersAreCompressedForWhoWantsIt() throws Exception {
        HttpResponse<byte[]> plain = served.get("/api/v1/openapi.json");
        HttpResponse<byte[]> packed = served.get("/api/v1/openapi.json", "Accept-Encoding", "br, gzip;q=0.5");
        assertThat(header(packed, "Content-Encoding")).isEqualTo("gzip");
        assertThat(packed.body().length).isLessThan(plain.body().length / 3);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
            assertThat(in.readAllBytes()).isEqualTo(plain.body());
        }
        assertThat(header(served.get("/api/v1/openapi.json", "Accept-Encoding", "gzip;q=0"), "Content-Encoding"))
                .isEmpty();
        assertThat(header(served.get("/healthz", "Accept-Encoding", "gzip"), "Content-Encoding"))
                .isEmpty();
    }

    @Test
    void mediaTypesAreNegotiatedAndChecked() throws Exception {
        assertThat(served.get("/api/v1/jobs", "Accept", "text/html, */*;q=0.1").statusCode())
                .isEqualTo(200);
        String heat =
                "/api/v1/jobs/" + java.net.URLEncoder.encode(Samples.JOB, UTF_8).replace("+", "%20") + "/heatmap";
        assertThat(header(served.get(heat), "Content-Type")).isEqualTo("application/x-argus-heatmap");
        assertThat(header(served.get(heat, "Accept", "application/json"), "Content-Type"))
                .isEqualTo("application/json");
        assertThat(header(served.get(heat, "Accept", "application/*;q=0.2, application/json"), "Content-Type"))
                .isEqualTo("application/json");
        assertThat(served.get(heat, "Accept", "text/html").statusCode()).isEqualTo(406);
        assertThat(served.get(heat, "Accept", "application/json;q=0").statusCode())
                .isEqualTo(406);
        byte[] query = "{\"sql\":\"SELECT 1\"}".getBytes(UTF_8);
        String[] auth = {"Authorization", served.bearer()};
        assertThat(served.send("POST", "/api/v1/query", query, auth).statusCode())
                .isEqualTo(415);
        assertThat(served.send("POST", "/api/v1/query", query, auth[0], auth[1], "Content-Type", "text/plain")
                        .statusCode())
                .isEqualTo(415);
        assertThat(served.post("/api/v1/query", "{\"sql\":\"SELECT 1\"}", auth[0], auth[1], "Content-Encoding", "gzip")
                        .statusCode())
                .isEqualTo(415);
        assertThat(served.post("/api/v1/query", " ".repeat(300_000), auth).statusCode())
                .isEqualTo(413);
    }

    @Test
    void parametersAreCheckedAndUnknownOnesRefused() throws Exception {
        for (String query : List.of(
                "most=0",
                "most=x",
                "most=",
                "most=1&most=2",
                "most=99999999999999999999",
                "mots=1",
                "most",
                "=1",
                "&",
                "most=%",
                "most=%zz",
                "most=%ff",
                "most=1&" + "a".repeat(3000) + "=1")) {
            HttpResponse<byte[]> answer =
                    served.get("/api/v1/jobs?" + query.replace("%", "%25").replace("%25ff", "%ff"));
            assertThat(answer.statusCode()).as(query).isEqualTo(400);
            assertThat(new String(answer.body(), UTF_8)).contains("\"error\":", "\"expected\":");
        }
        assertThat(new String(served.get("/api/v1/jobs?mots=1").body(), UTF_8)).contains("'most' was meant?");
        assertThat(served.get("/api/v1/incidents?state=gone").statusCode()).isEqualTo(400);
        assertThat(served.get("/api/v1/jobs?most=1").statusCode()).isEqualTo(200);
    }

    @Test
    void thePageIsTextWhateverNamesHold() throws Exception {
        HttpResponse<byte[]> page = served.get("/plain");
        assertThat(header(page, "Content-Type")).startsWith("text/html");
        String html = new String(page.body(), UTF_8);
        assertThat(html)
                .contains("compute-straggler", "1 of 2 ranks report", "1 are silent (1)", "&lt;script&gt;")
                .doesNotContain("<script", "\u202e", "\u0000", "style=", "onerror");
        served.fleet.jobs.clear();
        assertThat(new String(served.get("/plain").body(), UTF_8)).contains("No job is watched yet");
        assertThat(served.get("/../operator.token").statusCode()).isEqualTo(404);
        assertThat(served.get("/%2e%2e/operator.token").statusCode()).isEqualTo(404);
    }

    @Test
    void aPortThatIsTakenIsSaidWithWhatToDo() throws Exception {
        assertThatThrownBy(() -> new Served(data, "port=" + served.port()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("stop what listens there");
    }

    @Test
    void metricsAreThoseOfWhoeverMakesThem() throws Exception {
        HttpResponse<byte[]> answer = served.get("/metrics");
        assertThat(header(answer, "Content-Type")).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        assertThat(new String(answer.body(), UTF_8)).endsWith("argus_up 1\n");
    }
}
