package dev.argus.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.IncidentKind;
import dev.argus.model.Severity;
import dev.argus.server.job.SampleJobs;
import dev.argus.server.job.ScriptedFleet;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus' own tools say of the page of metrics, and of what lies in {@code deploy}. */
@Requires({Need.PROMETHEUS, Need.ALERTMANAGER})
class PromtoolTest {
    private static final Path PROMETHEUS = MonitoringFiles.DEPLOY.resolve("prometheus");

    @TempDir
    Path folder;

    private void succeeds(Path input, String... command) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(command)
                .directory(PROMETHEUS.toFile())
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(String.join(" ", command) + " says:\n" + Files.readString(said, UTF_8))
                .isZero();
    }

    private void checksMetrics(String page) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("page"), page, UTF_8);
        succeeds(file, "promtool", "check", "metrics");
    }

    @Test
    void thePageIsWellFormedAndFollowsTheConventions() throws Exception {
        checksMetrics(MonitoringFilesTest.fullPage());
    }

    @Test
    void aPageOfHostileNamesIsWellFormed() throws Exception {
        ScriptedFleet fleet = new ScriptedFleet();
        for (String name :
                List.of("a\"} 1\nevil 2", "\\", "\u202e\ud800", "{x=\"y\"}", "#", "\u0000", "", "x".repeat(5_000))) {
            fleet.set(
                    SampleJobs.view(name, List.of(SampleJobs.incident(name, IncidentKind.HANG, Severity.CRITICAL, 1))));
        }
        checksMetrics(new MetricsFixture(fleet).page());
    }

    @Test
    void configurationAndRulesAreValidAndTheRulesDoWhatTheyShould() throws Exception {
        Path nothing = Files.createFile(folder.resolve("nothing"));
        succeeds(nothing, "promtool", "check", "config", "prometheus.yml");
        succeeds(nothing, "promtool", "check", "rules", "argus.rules.yml");
        succeeds(nothing, "promtool", "test", "rules", "argus.rules.test.yml");
        succeeds(nothing, "amtool", "check-config", "../alertmanager/alertmanager.yml");
    }

    @Test
    void expressionsOfDashboardsAreValid() throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboards\n    rules:\n");
        int n = 0;
        for (Path file : MonitoringFiles.dashboards()) {
            for (String expression : MonitoringFiles.members(file, "expr")) {
                String plain = expression
                        .replace("$__rate_interval", "5m")
                        .replace("$__interval", "1m")
                        .replace("$job", "train");
                rules.append("      - record: panel:")
                        .append(n++)
                        .append("\n        expr: '")
                        .append(plain.replace("'", "''"))
                        .append("'\n");
            }
        }
        Path written = Files.writeString(folder.resolve("panels.yml"), rules, UTF_8);
        succeeds(Files.createFile(folder.resolve("nothing")), "promtool", "check", "rules", written.toString());
    }
}
