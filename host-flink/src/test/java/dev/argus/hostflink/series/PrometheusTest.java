package dev.argus.hostflink.series;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostflink.JobSeries;
import dev.argus.hostflink.SeriesBytes;
import dev.argus.hostlocal.metrics.Metric;
import dev.argus.testkit.Eventually;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.ServerProcess;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus takes what we write, and refuses what it knows. */
@Requires(Need.PROMETHEUS)
class PrometheusTest {
    @TempDir
    Path folder;

    private static JobSeries moment(String job, long atMillis, double value, boolean accused) {
        SeriesBytes to = new SeriesBytes();
        to.gauge(Metric.RANKS_EXPECTED, value, job);
        to.spread(Metric.LAST_STEP, 1.5, 2.5, 64, job);
        if (accused) {
            to.gauge(Metric.SCORE, 1.3, job, "37", "host4");
        }
        return new JobSeries(job, atMillis, 0, to.toByteArray());
    }

    private static String query(ServerProcess prometheus, String expression, long atMillis)
            throws IOException, InterruptedException {
        return prometheus.get(
                "/api/v1/query?time=" + atMillis / 1000.0 + "&query=" + URLEncoder.encode(expression, UTF_8));
    }

    @Test
    void itHasWhatWasWritten() throws Exception {
        int port = ServerProcess.freePort();
        Path settings = Files.writeString(folder.resolve("prometheus.yml"), "scrape_configs: []\n");
        Counter sent = new SimpleCounter();
        Counter refused = new SimpleCounter();
        SeriesQueue queue = new SeriesQueue(1 << 20);
        long now = System.currentTimeMillis() - 60_000;
        try (ServerProcess prometheus = new ServerProcess(
                        port,
                        "/-/ready",
                        folder,
                        List.of(
                                "prometheus",
                                "--config.file=" + settings,
                                "--storage.tsdb.path=" + folder.resolve("series"),
                                "--web.enable-remote-write-receiver",
                                "--web.listen-address=127.0.0.1:" + port));
                SeriesSender sender = new SeriesSender(
                        new RemoteWrite(prometheus.base().resolve("/api/v1/write"), null),
                        queue,
                        new SeriesSender.Counts(sent, refused, new SimpleCounter()))) {
            assertThat(sender).isNotNull();
            queue.add(moment("a", now, 64, true));
            queue.add(moment("b", now, 8, false));
            queue.add(moment("a", now + 10_000, 63, false));
            Eventually.holds("it is taken", () -> queue.samples() == 0);
            assertThat(refused.getCount()).isZero();
            assertThat(query(prometheus, "argus_ranks_expected", now + 10_000))
                    .contains("\"job\":\"a\"", "\"63\"", "\"job\":\"b\"", "\"8\"");
            assertThat(query(prometheus, "argus_last_step_duration_seconds{quantile=\"1.0\",job=\"a\"}", now))
                    .contains("\"2.5\"");
            assertThat(query(prometheus, "argus_straggler_score", now)).contains("\"rank\":\"37\"", "\"1.3\"");
            assertThat(query(prometheus, "argus_straggler_score", now + 10_000))
                    .as("it has ended")
                    .doesNotContain("\"rank\"");

            // Said again after a failure, beside something new.
            queue.add(moment("a", now, 99, true));
            queue.add(moment("b", now + 10_000, 7, false));
            Eventually.holds("it is settled", () -> queue.samples() == 0);
            assertThat(query(prometheus, "argus_ranks_expected", now + 10_000)).contains("\"63\"", "\"7\"");
            assertThat(refused.getCount()).isPositive();
        }
    }
}
