package dev.argus.server.alerts;

import static dev.argus.server.alerts.AlertsFixture.slow;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Severity;
import dev.argus.server.config.ServerSettings.Webhook;
import dev.argus.server.job.SampleJobs;
import dev.argus.server.job.ScriptedFleet;
import dev.argus.server.metrics.MetricsFixture;
import dev.argus.server.metrics.ServerMetrics;
import dev.argus.testkit.Eventually;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.ServerProcess;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes, its rules fire to a real Alertmanager, and incidents are posted there; all on loopback, started and ended here. */
@Requires({Need.PROMETHEUS, Need.ALERTMANAGER})
class MonitoringServersTest {
    private static final Path DEPLOY = Shared.repository().resolve("deploy");
    private static final AlertTiming TIMING = new AlertTiming(
            Duration.ofMillis(300),
            Duration.ofSeconds(1),
            Duration.ofMinutes(4),
            Duration.ofMinutes(10),
            Duration.ofSeconds(10),
            Duration.ofMillis(100),
            Duration.ofSeconds(1));

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private HookServer pager;
    private ServerProcess alertmanager;

    @BeforeEach
    void startAlertmanager() throws Exception {
        pager = opened(new HookServer());
        String settings = Files.readString(DEPLOY.resolve("alertmanager/alertmanager.yml"), UTF_8)
                .replace("http://localhost:9095", pager.address("").toString())
                .replace("group_wait: 10s", "group_wait: 1s")
                .replace("group_interval: 1m", "group_interval: 1s");
        Path file = Files.writeString(folder.resolve("alertmanager.yml"), settings, UTF_8);
        int port = ServerProcess.freePort();
        alertmanager = opened(new ServerProcess(
                port,
                "/-/ready",
                folder,
                List.of(
                        "prometheus-alertmanager",
                        "--config.file=" + file,
                        "--storage.path=" + folder.resolve("alerts"),
                        "--cluster.listen-address=",
                        "--web.listen-address=127.0.0.1:" + port)));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable c : open.reversed()) {
            c.close();
        }
    }

    private <T extends AutoCloseable> T opened(T what) {
        open.add(what);
        return what;
    }

    private String alerts(String filter) throws IOException, InterruptedException {
        return alertmanager.get("/api/v2/alerts?filter=" + URLEncoder.encode(filter, UTF_8));
    }

    private void paged(String... words) throws InterruptedException {
        Eventually.holds(
                "a message with " + List.of(words),
                () -> pager.bodies().stream()
                        .anyMatch(b -> List.of(words).stream().allMatch(b::contains)));
    }

    @Test
    void prometheusScrapesAndItsRulesFireAndResolve() throws Exception {
        ScriptedFleet fleet = new ScriptedFleet();
        String job = "llama \"70b\"\n" + "x".repeat(100);
        Incident slow = SampleJobs.incident("i1", IncidentKind.COMPUTE_STRAGGLER, Severity.CRITICAL, 3);
        fleet.set(SampleJobs.view(job, List.of(slow)));
        int exposed = expose(new MetricsFixture(fleet).metrics());
        ServerProcess prometheus = prometheus(exposed);

        Eventually.holds(
                "the target is up",
                () -> query(prometheus, "up{job=\"argus\"} == 1").contains("\"metric\""));
        Eventually.holds(
                "the series are there",
                () -> query(prometheus, "argus_straggler_score > on (job, rank, host) argus_straggler_threshold")
                        .contains("\"rank\":\"3\""));
        assertThat(query(prometheus, "argus_step_duration_seconds_bucket{le=\"+Inf\"}"))
                .contains("\"metric\"");
        // The label is the training job, not the name of the scrape.
        assertThat(query(prometheus, "count by (job) (argus_ranks_reporting)"))
                .contains("llama")
                .doesNotContain("exported_job");
        assertThat(query(prometheus, "argus_clock_offset_error_seconds > 0 or argus_clock_offset_error_seconds <= 0"))
                .contains("llama");
        Eventually.holds(
                "Alertmanager has it",
                () -> alerts("alertname=\"ArgusIncidentActive\"").contains("llama"));
        assertThat(alerts("alertname=\"ArgusIncidentActive\""))
                .contains(
                        "\"kind\":\"compute-straggler\"", "\"severity\":\"critical\"", "compute-straggler (critical)");
        paged("ArgusIncidentActive", "\"status\":\"firing\"", "compute-straggler (critical)");

        fleet.set(SampleJobs.view(job, List.of(slow.resolved(SampleJobs.NOW_MILLIS * 1_000_000))));
        paged("ArgusIncidentActive", "\"status\":\"resolved\"");
    }

    /** Serves metrics as a server would. */
    private int expose(ServerMetrics metrics) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/metrics", exchange -> {
            try (exchange) {
                ServerMetrics.Page page =
                        metrics.page(exchange.getRequestHeaders().getFirst("Accept"));
                exchange.getResponseHeaders().set("Content-Type", page.contentType());
                exchange.sendResponseHeaders(200, page.body().length);
                exchange.getResponseBody().write(page.body());
            }
        });
        http.start();
        opened(() -> http.stop(0));
        return http.getAddress().getPort();
    }

    /** With the settings and rules of {@code deploy}, but for addresses and patience. */
    private ServerProcess prometheus(int target) throws Exception {
        String settings = Files.readString(DEPLOY.resolve("prometheus/prometheus.yml"), UTF_8)
                .replace("localhost:8642", "127.0.0.1:" + target)
                .replace("localhost:9093", alertmanager.base().getAuthority())
                .replace("interval: 15s", "interval: 1s");
        Path file = Files.writeString(folder.resolve("prometheus.yml"), settings, UTF_8);
        Files.copy(DEPLOY.resolve("prometheus/argus.rules.yml"), folder.resolve("argus.rules.yml"));
        int port = ServerProcess.freePort();
        return opened(new ServerProcess(
                port,
                "/-/ready",
                folder,
                List.of(
                        "prometheus",
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + folder.resolve("series"),
                        "--web.listen-address=127.0.0.1:" + port)));
    }

    private static String query(ServerProcess prometheus, String expression) throws IOException, InterruptedException {
        return prometheus.get("/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8));
    }

    @Test
    void incidentsArePostedGroupedAndResolved() throws Exception {
        ScriptedFleet fleet = new ScriptedFleet();
        AlertService service = opened(new AlertService(
                fleet,
                List.of(new Webhook("alertmanager", alertmanager.base())),
                TIMING,
                null,
                InstantSource.system(),
                line -> {},
                1));
        Incident one = slow("one").severe(Severity.CRITICAL);
        Incident two = slow("two").severe(Severity.CRITICAL);
        say(service, Kind.OPENED, one);
        say(service, Kind.OPENED, two);
        service.start();
        Eventually.holds(
                "both are there",
                () -> alerts("alertname=\"ArgusIncident\"").contains("\"one\"")
                        && alerts("alertname=\"ArgusIncident\"").contains("\"two\""));
        assertThat(alerts("incident=\"one\""))
                .contains("\"job\":\"train\"", "\"scope\":\"rank\"", "\"host\":\"n0\"", "\"severity\":\"critical\"")
                .contains("rank 3 on n0 computes 31 % slower", "drain n0", "30.0 % of the step time while it lasts")
                .contains("\"state\":\"active\"");
        // One message about the job tells of both.
        paged("\"one\"", "\"two\"", "\"status\":\"firing\"");
        Eventually.holds(
                "it is told again", () -> service.status().webhooks().getFirst().delivered() >= 6);
        assertThat(service.status().webhooks().getFirst().failures()).isZero();
        assertThat(service.status().webhooks().getFirst().refused()).isZero();

        // Other labels: the alert that is known ends, another begins.
        say(service, Kind.CHANGED, two.severe(Severity.WARNING));
        Eventually.holds(
                "it has moved",
                () -> alerts("incident=\"two\"").contains("\"severity\":\"warning\"")
                        && !alerts("incident=\"two\"").contains("\"severity\":\"critical\""));

        say(service, Kind.RESOLVED, one.resolved(System.currentTimeMillis() * 1_000_000));
        Eventually.holds(
                "it is gone", () -> !alerts("alertname=\"ArgusIncident\"").contains("\"one\""));
        assertThat(alerts("alertname=\"ArgusIncident\"")).contains("\"two\"");
        paged("\"one\"", "\"status\":\"resolved\"");

        say(service, Kind.WITHDRAWN, two.severe(Severity.WARNING));
        paged("withdrawn: what was learnt since speaks against it");
    }

    private static void say(AlertService service, Kind kind, Incident incident) {
        service.incident(SampleJobs.healthy("train"), new IncidentChange(kind, incident, 0));
    }
}
