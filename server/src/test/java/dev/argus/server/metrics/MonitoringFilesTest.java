package dev.argus.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.metrics.Metric;
import dev.argus.hostlocal.metrics.Metric.Type;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Severity;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.SampleJobs;
import dev.argus.server.job.ScriptedFleet;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Dashboards, rules and the page about metrics speak of metrics and labels that exist, and of no others. */
@NullUnmarked // what is null there fails where it is used
@SuppressWarnings("BadImport")
class MonitoringFilesTest {
    /** What Prometheus adds to every series. */
    private static final Set<String> ADDED = Set.of("job", "instance");

    /** Names of series by metric, with their labels. */
    private static Map<String, Set<String>> offered() {
        Map<String, Set<String>> all = new HashMap<>();
        all.put("up", ADDED);
        for (Metric m : Metric.values()) {
            Set<String> labels = new HashSet<>(m.labels());
            labels.addAll(ADDED);
            if (m.type() == Type.HISTOGRAM) {
                all.put(m.text() + "_sum", labels);
                all.put(m.text() + "_count", labels);
                Set<String> bins = new HashSet<>(labels);
                bins.add("le");
                all.put(m.text() + "_bucket", bins);
            } else if (m.type() == Type.SUMMARY) {
                all.put(m.text() + "_count", labels);
                Set<String> quantiles = new HashSet<>(labels);
                quantiles.add("quantile");
                all.put(m.text(), quantiles);
            } else {
                all.put(m.text(), labels);
            }
        }
        return all;
    }

    private static void check(String expression, Map<String, Set<String>> offered, String where) {
        PromQl names = new PromQl(expression);
        assertThat(names.metrics())
                .as("%s: metrics of %s", where, expression)
                .isNotEmpty()
                .isSubsetOf(offered.keySet());
        Set<String> labels =
                names.metrics().stream().flatMap(m -> offered.get(m).stream()).collect(Collectors.toSet());
        assertThat(labels).as("%s: labels of %s", where, expression).containsAll(names.labels());
    }

    @Test
    void findsEveryNameOfAnExpression() {
        PromQl names = new PromQl(
                "sum by (job, le) (rate(a_total{x=\"b{c}\",y=~'d'}[5m] offset 1h)) / on (z) 2e3 * c:d unless max_over_time(e[$__interval:]) > 0x1F");
        assertThat(names.metrics()).containsExactly("a_total", "c:d", "e");
        assertThat(names.labels()).containsExactly("job", "le", "x", "y", "z");
    }

    @Test
    void dashboardsShowWhatThereIs() throws IOException {
        Map<String, Set<String>> offered = offered();
        assertThat(MonitoringFiles.dashboards()).hasSize(2);
        for (Path file : MonitoringFiles.dashboards()) {
            List<String> expressions = MonitoringFiles.members(file, "expr");
            assertThat(expressions).hasSizeGreaterThan(20);
            expressions.forEach(e -> check(e, offered, file.getFileName().toString()));
            // What is short must stay visible: maxima and sums, never means.
            assertThat(expressions).noneMatch(e -> e.contains("avg"));
        }
    }

    @Test
    void rulesAskForWhatThereIs() throws IOException {
        Map<String, Set<String>> offered = offered();
        List<String> expressions = MonitoringFiles.rules("expr");
        List<String> recorded = MonitoringFiles.rules("record");
        recorded.forEach(name -> offered.put(name, Set.of("job", "instance", "peers")));
        assertThat(expressions)
                .hasSize(recorded.size() + MonitoringFiles.rules("alert").size());
        assertThat(expressions).noneMatch(e -> e.startsWith("|") || e.startsWith(">"));
        expressions.forEach(e -> check(e, offered, "rules"));
    }

    @Test
    void everyAlertHasATest() throws IOException {
        String tests = Files.readString(MonitoringFiles.DEPLOY.resolve("prometheus/argus.rules.test.yml"), UTF_8);
        assertThat(MonitoringFiles.rules("alert"))
                .allSatisfy(alert -> assertThat(tests).contains("alertname: " + alert + "\n"));
    }

    /** A page with everything there can be. */
    static String fullPage() {
        ScriptedFleet fleet = new ScriptedFleet();
        fleet.set(SampleJobs.observed(
                SampleJobs.view(
                        "train",
                        List.of(
                                SampleJobs.incident("a", IncidentKind.COMPUTE_STRAGGLER, Severity.CRITICAL, 3),
                                SampleJobs.incident(
                                        "b",
                                        IncidentKind.LINK_DEGRADED,
                                        Severity.WARNING,
                                        RankSet.range(0, 99),
                                        "n0"))),
                List.of(SampleJobs.incident("o", IncidentKind.CHECKPOINT, Severity.INFO, 0))));
        fleet.own("train", new HeatMapData(0, new int[] {0, 1}, new long[] {120}, new float[] {1, 2}));
        return new MetricsFixture(fleet).page();
    }

    @Test
    void theServerOffersEveryMetricItHasAndNoOther() {
        Set<String> seen = fullPage()
                .lines()
                .filter(l -> !l.startsWith("#"))
                .map(l -> l.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
        Set<String> expected = new HashSet<>(offered().keySet());
        expected.remove("up");

        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void thePageAboutMetricsIsThatOfTheCode() throws IOException {
        List<String> rows = new ArrayList<>(List.of("| metric | type | labels | meaning |", "|---|---|---|---|"));
        for (Metric m : Metric.values()) {
            List<String> labels = new ArrayList<>(m.labels());
            if (m.type() == Type.SUMMARY) {
                labels.add("quantile");
            }
            rows.add("| `" + m.text() + "` | " + m.type().name().toLowerCase(java.util.Locale.ROOT) + " | "
                    + String.join(", ", labels) + " | " + m.help() + " |");
        }
        String page = Files.readString(Shared.repository().resolve("docs/monitoring.md"), UTF_8);

        assertThat(page.lines()
                        .filter(l ->
                                l.startsWith("| `argus_") || l.startsWith("| `process_") || l.startsWith("| `jvm_"))
                        .toList())
                .as("the table of docs/monitoring.md; it has to be:\n" + String.join("\n", rows))
                .isEqualTo(rows.subList(2, rows.size()));
    }
}
