package dev.argus.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.RankSet;
import dev.argus.server.Samples;
import dev.argus.server.Served;
import dev.argus.server.http.Route;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every route answers as it is declared, whatever names hold. */
@SuppressWarnings("ArrayRecordComponent")
class ApiTest {
    private static final String JOB = "/api/v1/jobs/" + encoded(Samples.JOB);
    private static final byte[] NOTHING = new byte[0];

    @TempDir
    Path data;

    private Served served;
    private Documents documents;

    @BeforeEach
    void start() throws Exception {
        served = new Served(data);
        Samples.fill(served.fleet, served.store, served.objects);
        documents = new Documents(served.get("/api/v1/openapi.json").body());
    }

    @AfterEach
    void stop() {
        served.assertNoBugs();
        served.close();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /** A request for a route: address, body, headers. */
    private record Try(String template, String method, String path, String type, byte[] body) {}

    private static Try get(String template, String path) {
        return new Try(template, "get", path, "", NOTHING);
    }

    private static Try post(String template, String path, String json) {
        return new Try(template, "post", path, "application/json", json.getBytes(UTF_8));
    }

    private static List<Try> all() {
        return List.of(
                get("/healthz", "/healthz"),
                get("/readyz", "/readyz"),
                get("/metrics", "/metrics"),
                get("/api/v1/openapi.json", "/api/v1/openapi.json"),
                get("/api/v1/jobs", "/api/v1/jobs?most=10"),
                get("/api/v1/jobs/{job}", JOB),
                get("/api/v1/jobs/{job}", "/api/v1/jobs/over"),
                get("/api/v1/jobs/{job}/ranks", JOB + "/ranks?attempt=2"),
                get("/api/v1/jobs/{job}/shape", JOB + "/shape"),
                get("/api/v1/jobs/{job}/clocks", JOB + "/clocks"),
                get("/api/v1/jobs/{job}/waits", JOB + "/waits"),
                get("/api/v1/jobs/{job}/steps", JOB + "/steps?from=22&to=25&most=3"),
                get("/api/v1/jobs/{job}/phases", JOB + "/phases"),
                get("/api/v1/jobs/{job}/ranks/{rank}/steps", JOB + "/ranks/1/steps"),
                get("/api/v1/jobs/{job}/heatmap", JOB + "/heatmap?value=own"),
                get("/api/v1/jobs/{job}/kernels", JOB + "/kernels"),
                get("/api/v1/jobs/{job}/kernels/pictures", JOB + "/kernels/pictures"),
                get("/api/v1/incidents", "/api/v1/incidents?state=ongoing&job=" + encoded(Samples.JOB)),
                get("/api/v1/incidents/{id}", "/api/v1/incidents/live-1"),
                get("/api/v1/incidents/{id}", "/api/v1/incidents/kept-1"),
                get("/api/v1/incidents/{id}/kernels", "/api/v1/incidents/live-1/kernels"),
                get("/api/v1/incidents/{id}/kernels", "/api/v1/incidents/kept-1/kernels"),
                get("/api/v1/incidents/{id}/waits", "/api/v1/incidents/live-1/waits"),
                get("/api/v1/incidents/{id}/waits", "/api/v1/incidents/kept-1/waits"),
                get("/api/v1/objects", "/api/v1/objects?incident=kept-1"),
                get("/api/v1/objects/{key}", "/api/v1/objects/timelines/a.pftrace"),
                new Try(
                        "/api/v1/jobs/{job}/objects/{name}",
                        "put",
                        JOB + "/objects/asked.pftrace",
                        "application/octet-stream",
                        new byte[] {1, 2, 3}),
                new Try("/api/v1/frames", "post", "/api/v1/frames", "application/x-argus-shipment", new byte[] {1}),
                post("/api/v1/query", "/api/v1/query", "{\"sql\":\"SELECT 1\",\"rows\":5}"),
                post(
                        "/api/v1/jobs/{job}/control",
                        JOB + "/control",
                        "{\"signals\":[\"steps\",\"phases\"],\"ranks\":\"0-1\"}"),
                post("/api/v1/jobs/{job}/tokens", JOB + "/tokens", ""));
    }

    private HttpResponse<byte[]> send(Try one) throws Exception {
        List<String> headers = new ArrayList<>(List.of("Authorization", served.bearer()));
        if (!one.type().isEmpty()) {
            headers.addAll(List.of("Content-Type", one.type()));
        }
        return served.send(
                one.method().toUpperCase(java.util.Locale.ROOT),
                one.path(),
                one.body(),
                headers.toArray(new String[0]));
    }

    @Test
    void everyRouteAnswersAsItIsDeclared() throws Exception {
        Set<String> tried = new TreeSet<>();
        for (Try one : all()) {
            HttpResponse<byte[]> answer = send(one);
            // A shipment of one byte is none: said in the form that agents read.
            if (!one.template().endsWith("/frames")) {
                assertThat(answer.statusCode())
                        .as(one.path() + " " + new String(answer.body(), UTF_8))
                        .isBetween(200, 299);
                documents.check(one.template(), one.method(), answer);
            }
            tried.add(one.method() + " " + one.template());
        }
        Set<String> declared = new TreeSet<>();
        for (Route route : served.router.routes()) {
            declared.add(route.method().toLowerCase(java.util.Locale.ROOT) + " "
                    + route.template().replace("...}", "}"));
        }
        declared.remove("get /api/v1/events");
        assertThat(tried).isEqualTo(declared);
    }

    @Test
    void whatIsNotThereIsAProblemOfEveryRoute() throws Exception {
        for (String path : List.of(
                "/api/v1/jobs/none",
                "/api/v1/jobs/none/ranks",
                "/api/v1/jobs/none/steps",
                "/api/v1/jobs/none/heatmap",
                "/api/v1/jobs/none/kernels/pictures",
                "/api/v1/jobs/none/shape",
                "/api/v1/incidents/none",
                "/api/v1/incidents/none/kernels",
                "/api/v1/incidents/none/waits",
                "/api/v1/objects/none",
                "/api/v1/objects/..%2F..%2Foperator.token",
                "/api/v1/objects/timelines//a.pftrace",
                "/api/v1/nothing")) {
            HttpResponse<byte[]> answer = served.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            documents.check("Problem", answer.body());
        }
    }

    @Test
    void kernelsOfAnIncidentAreOfNowWhileItLastsAndElseAsTheyWereKept() throws Exception {
        JsonNode now = Documents.tree(served.get("/api/v1/incidents/live-1/kernels"));
        assertThat(now.get("keptEpochNanos").isNull()).isTrue();
        assertThat(now.get("pictures")).hasSize(1);
        JsonNode kept = Documents.tree(served.get("/api/v1/incidents/kept-1/kernels"));
        assertThat(kept.get("keptEpochNanos").longValue()).isEqualTo(Samples.EPOCH + 3);
        assertThat(kept.get("pictures").get(0).get("incident").stringValue()).isEqualTo("kept-1");
    }

    @Test
    void whatWasKeptOfAJobThatIsOverIsShown() throws Exception {
        JsonNode map = Documents.tree(served.get("/api/v1/jobs/over/heatmap", "Accept", "application/json"));
        assertThat(map.get("ranks").size()).isEqualTo(2);
        assertThat(map.get("seconds").get(1).get(0).doubleValue()).isEqualTo(0.25);
        assertThat(served.get("/api/v1/jobs/over/heatmap").headers().firstValue("Content-Type"))
                .contains("application/x-argus-heatmap");
        byte[] shape = served.get("/api/v1/jobs/over/shape").body();
        documents.check("Shape", shape);
        JsonNode kept = Documents.tree(served.get("/api/v1/jobs/over/shape"));
        assertThat(kept.get("dimensions").get(1).get("size").intValue()).isEqualTo(8);
        assertThat(kept.get("hosts").get(0).get("ranks").stringValue()).isEqualTo("0-1");
        assertThat(kept.get("peers").size()).isZero();
    }

    @Test
    void namesAreExactAndNanosecondsWhole() throws Exception {
        JsonNode jobs = Documents.tree(served.get("/api/v1/jobs")).get("jobs");
        assertThat(jobs.get(0).get("job").stringValue()).isEqualTo(Samples.JOB);
        assertThat(jobs.get(0).get("firstEpochNanos").longValue()).isEqualTo(Samples.EPOCH);
        assertThat(jobs.get(0).get("incidents").intValue()).isEqualTo(1);
        assertThat(jobs.get(1).get("job").stringValue()).isEqualTo("over");
        assertThat(jobs.get(1).get("live").booleanValue()).isFalse();
        JsonNode ranks = Documents.tree(served.get(JOB + "/ranks")).get("ranks");
        assertThat(ranks.get(0).get("state").stringValue()).isEqualTo("reporting");
        assertThat(ranks.get(1).get("state").stringValue()).isEqualTo("silent");
        assertThat(ranks.get(1).get("host").stringValue()).isEqualTo(Samples.HOSTILE);
        assertThat(ranks.get(0).get("host").stringValue()).isEqualTo("host0");
    }

    @Test
    void aHugeNameIsRefusedAndAHugeNameInsideIsServed() throws Exception {
        String huge = "n".repeat(100_000);
        served.fleet.jobs.add(Samples.view(huge));
        assertThat(Documents.tree(served.get("/api/v1/jobs"))
                        .get("jobs")
                        .get(1)
                        .get("job")
                        .stringValue())
                .isEqualTo(huge);
        HttpResponse<byte[]> tooLong = served.get("/api/v1/jobs/" + "n".repeat(2_000));
        assertThat(tooLong.statusCode()).isEqualTo(400);
        assertThat(served.get("/api/v1/jobs/" + "n".repeat(10_000)).statusCode())
                .isEqualTo(414);
    }

    @Test
    void incidentsThatLastComeFirstAndTheirNewestStateCounts() throws Exception {
        JsonNode all = Documents.tree(served.get("/api/v1/incidents")).get("incidents");
        assertThat(all.get(0).get("id").stringValue()).isEqualTo("live-1");
        // The store still has it as open.
        assertThat(all.get(0).get("state").stringValue()).isEqualTo("ongoing");
        assertThat(all.get(1).get("state").stringValue()).isEqualTo("resolved");
        assertThat(Documents.tree(served.get("/api/v1/incidents?state=open"))
                        .get("incidents")
                        .size())
                .isZero();
        JsonNode kept = Documents.tree(served.get("/api/v1/incidents/kept-1"));
        assertThat(kept.get("incident").get("hosts").get(0).stringValue()).isEqualTo(Samples.HOSTILE);
        assertThat(kept.get("changes").size()).isEqualTo(2);
        assertThat(kept.get("objects").get(0).get("key").stringValue()).isEqualTo("timelines/a.pftrace");
    }

    @Test
    void answersOfQuestionsAreExact() throws Exception {
        JsonNode answer = Documents.tree(
                served.post("/api/v1/query", "{\"sql\":\"SELECT 1\"}", "Authorization", served.bearer()));
        JsonNode row = answer.get("rows").get(0);
        assertThat(row.get(0).isNull()).isTrue();
        assertThat(row.get(2).longValue()).isEqualTo(9_007_199_254_740_993L);
        assertThat(row.get(3).isNull()).isTrue();
        assertThat(row.get(4).stringValue()).isEqualTo("<script>\u202e\n");
        HttpResponse<byte[]> refused =
                served.post("/api/v1/query", "{\"sql\":\"COPY x\"}", "Authorization", served.bearer());
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(Documents.tree(refused).get("error").stringValue()).isEqualTo("found no SELECT");
    }

    /** Each refusal says what was found, not only that something was. */
    @Test
    void whatABodyHasAndWhatItMayHaveIsSaid() throws Exception {
        String[][] cases = {
            {"{}", "'sql' is missing"},
            {"{\"sql\":null}", "'sql' is null"},
            {"{\"sql\":7}", "'sql' is the number 7"},
            {"{\"sql\":[]}", "'sql' is something else"},
            {"{\"sql\":\"" + " ".repeat(16_385) + "\"}", "'sql' is a text of 16385 characters"},
            {"{\"sql\":\"SELECT 1\",\"rows\":0}", "'rows' is the number 0"},
            {"{\"sql\":\"SELECT 1\",\"cut\":1}", "a member that is not known"}
        };
        for (String[] c : cases) {
            HttpResponse<byte[]> refused = served.post("/api/v1/query", c[0], "Authorization", served.bearer());
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(Documents.tree(refused).get("error").stringValue()).isEqualTo(c[1]);
        }
        HttpResponse<byte[]> unknown =
                served.post("/api/v1/query", "{\"sql\":\"SELECT 1\",\"cut\":1}", "Authorization", served.bearer());
        assertThat(Documents.tree(unknown).get("expected").stringValue()).isEqualTo("members rows, sql");
    }

    @Test
    void controlIsTypedAndBounded() throws Exception {
        String control = JOB + "/control";
        assertThat(order(control, "{\"sampling\":4,\"stacksPerSecond\":0,\"ranks\":\"0-1\"}"))
                .isEqualTo(202);
        assertThat(order(control, "{\"signals\":[\"steps\",\"graph-nodes\"]}")).isEqualTo(202);
        assertThat(order(
                        control,
                        "{\"excerpt\":{\"fromEpochNanos\":" + Samples.EPOCH + ",\"toEpochNanos\":" + (Samples.EPOCH + 1)
                                + "}}"))
                .isEqualTo(202);
        assertThat(served.ordered)
                .containsExactly(
                        new ControlDesk.Tuning(RankSet.of(0, 1), null, 4, 0),
                        new ControlDesk.Tuning(RankSet.EMPTY, 0x81, null, null),
                        new ControlDesk.Excerpt(RankSet.EMPTY, Samples.EPOCH, Samples.EPOCH + 1));
        for (String wrong : List.of(
                "{}",
                "{\"ranks\":\"0\"}",
                "{\"sampling\":0}",
                "{\"sampling\":65536}",
                "{\"sampling\":1.5}",
                "{\"sampling\":\"1\"}",
                "{\"stacksPerSecond\":1001}",
                "{\"signals\":[\"everything\"]}",
                "{\"signals\":\"steps\"}",
                "{\"signals\":[1]}",
                "{\"sampling\":1,\"ranks\":\"a\"}",
                "{\"sampling\":1,\"ranks\":\"0-4096\"}",
                "{\"sampling\":1,\"rank\":\"0\"}",
                "{\"sampling\":1,\"sampling\":1}",
                "{\"sampling\":99999999999999999999}",
                "{\"excerpt\":{\"fromEpochNanos\":5,\"toEpochNanos\":4}}",
                "{\"excerpt\":{\"fromEpochNanos\":0,\"toEpochNanos\":3600000000001}}",
                "{\"excerpt\":{\"fromEpochNanos\":0,\"toEpochNanos\":1},\"sampling\":1}",
                "{\"excerpt\":[]}",
                "[]",
                "null",
                "{\"sampling\":1}{}",
                "{\"sampling\":1",
                "[".repeat(5000),
                "{\"x\":{\"x\":{\"x\":{\"x\":{\"x\":{\"x\":{\"x\":{\"x\":{\"x\":1}}}}}}}}}",
                "\u0000")) {
            assertThat(order(control, wrong)).as(wrong).isEqualTo(400);
        }
        assertThat(order(control, "{\"sampling\":1,\"ranks\":\"999\"}")).isEqualTo(409);
        assertThat(order("/api/v1/jobs/over/control", "{\"sampling\":1}")).isEqualTo(404);
        assertThat(served.ordered).hasSize(3);
    }

    private int order(String path, String json) throws Exception {
        HttpResponse<byte[]> answer = served.post(path, json, "Authorization", served.bearer());
        documents.check("/api/v1/jobs/{job}/control", "post", answer);
        return answer.statusCode();
    }

    @Test
    void agentsOfAJobMaySendWhatTheyWereAskedFor() throws Exception {
        HttpResponse<byte[]> issued = served.send("POST", JOB + "/tokens", NOTHING, "Authorization", served.bearer());
        assertThat(issued.statusCode()).isEqualTo(201);
        String agent = "Bearer " + Documents.tree(issued).get("token").stringValue();
        assertThat(put(JOB + "/objects/asked", 3, agent)).isEqualTo(201);
        assertThat(served.objects.all).containsKey("excerpts/asked");
        assertThat(put(JOB + "/objects/unasked", 3, agent)).isEqualTo(409);
        assertThat(put("/api/v1/jobs/over/objects/asked", 3, agent)).isEqualTo(403);
        assertThat(put(JOB + "/objects/a%2Fb", 3, agent)).isEqualTo(400);
        assertThat(put(JOB + "/objects/asked", 3, "Bearer " + served.reader)).isEqualTo(403);
        assertThat(put(JOB + "/objects/asked", 3, "Bearer nobody")).isEqualTo(401);
        // The token of an agent asks nothing and changes nothing.
        assertThat(served.post("/api/v1/query", "{\"sql\":\"SELECT 1\"}", "Authorization", agent)
                        .statusCode())
                .isEqualTo(403);
    }

    private int put(String path, int bytes, String authorization) throws Exception {
        return served.send(
                        "PUT",
                        path,
                        new byte[bytes],
                        "Authorization",
                        authorization,
                        "Content-Type",
                        "application/octet-stream")
                .statusCode();
    }

    @Test
    void anObjectThatIsTooLargeIsRefused() throws Exception {
        served.close();
        served = new Served(data, "excerpt=1MiB");
        assertThat(put(JOB + "/objects/asked", 1 << 20, served.bearer())).isEqualTo(201);
        assertThat(put(JOB + "/objects/asked", (1 << 20) + 1, served.bearer())).isEqualTo(413);
    }

    @Test
    void aStoreThatFailsIsSaidAndConcernsNobodyElse() throws Exception {
        served.store.failing = new IOException("disk gone");
        HttpResponse<byte[]> answer = served.get("/api/v1/jobs");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(new String(answer.body(), UTF_8)).doesNotContain("disk gone");
        assertThat(served.log).singleElement().asString().contains("disk gone");
        served.store.failing = null;
        assertThat(served.get("/api/v1/jobs").statusCode()).isEqualTo(200);
        served.log.clear();
        served.close();
        served = new Served(data);
    }

    @Test
    void beforeItIsReadyItSaysSo() throws Exception {
        served.held = "no room <b>";
        HttpResponse<byte[]> held = served.get("/readyz");
        assertThat(held.statusCode()).as("what is known can still be seen").isEqualTo(200);
        assertThat(new String(held.body(), UTF_8)).contains("\"status\":\"ready\"", "\"problem\":\"no room <b>\"");
        served.held = "";
        served.ready = false;
        assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(served.get("/metrics").statusCode()).isEqualTo(200);
        assertThat(served.get("/readyz").statusCode()).isEqualTo(503);
        HttpResponse<byte[]> answer = served.get("/api/v1/jobs");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        served.ready = true;
        served.keeps = false;
        assertThat(served.get("/readyz").statusCode()).isEqualTo(503);
        assertThat(served.get("/api/v1/jobs").statusCode()).isEqualTo(200);
        served.close();
        served = new Served(data);
    }
}
