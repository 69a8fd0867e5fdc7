package dev.argus.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.metrics.LabelText;
import dev.argus.hostlocal.metrics.VerdictSamples;
import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Severity;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.JobView;
import dev.argus.server.job.SampleJobs;
import dev.argus.server.job.ScriptedFleet;
import dev.argus.storage.Rows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {
    private static final Incident SLOW =
            SampleJobs.incident("i1", IncidentKind.COMPUTE_STRAGGLER, Severity.CRITICAL, 3);

    private final ScriptedFleet fleet = new ScriptedFleet();
    private final MetricsFixture fixture = new MetricsFixture(fleet);

    private String page() {
        return fixture.page();
    }

    @Test
    void verdictThresholdAndCoverageStandSideBySide() {
        fleet.set(SampleJobs.view("train", List.of(SLOW)));

        assertThat(page())
                .contains("argus_incident_active{job=\"train\",kind=\"compute-straggler\",severity=\"critical\"} 1.0")
                .contains(
                        "argus_incident_confidence_ratio{host=\"n0\",job=\"train\",kind=\"compute-straggler\",rank=\"3\"} 0.93")
                // 400 ms above the peers, of a usual step of 4 s; the threshold is 100 ms.
                .contains("argus_straggler_score{host=\"n0\",job=\"train\",rank=\"3\"} 1.1")
                .contains("argus_straggler_threshold{host=\"n0\",job=\"train\",rank=\"3\"} 1.025")
                .contains("argus_ranks_expected{job=\"train\"} 8.0")
                .contains("argus_ranks_reporting{job=\"train\"} 8.0")
                .contains("argus_lost_gpu_seconds_total{job=\"train\"} 81.4")
                .contains("argus_records_dropped_total{job=\"train\",reason=\"ring-full\"} 12.0");
    }

    @Test
    void anIncidentThatIsOverIsZeroAndAccusesNobody() {
        fleet.set(SampleJobs.view("train", List.of(SLOW.resolved(SampleJobs.NOW_MILLIS * 1_000_000))));

        assertThat(page())
                .contains("argus_incident_active{job=\"train\",kind=\"compute-straggler\",severity=\"critical\"} 0.0")
                .doesNotContain("argus_straggler_score{")
                .doesNotContain("argus_incident_confidence_ratio{");
    }

    @Test
    void aRatioIsAScoreAsItIsAndOtherProofIsNone() {
        Evidence ratio = new Evidence("transfer", 1.4, "x", "groups of the kind", 1.25);
        Evidence share = new Evidence("waits", 80, "%", "all", 10);

        assertThat(VerdictSamples.score(proof(List.of(share, ratio)), 0))
                .isEqualTo(new VerdictSamples.Score(1.4, 1.25));
        assertThat(VerdictSamples.score(proof(List.of(share)), 4_000_000_000L)).isNull();
        assertThat(VerdictSamples.score(SLOW, 0)).isNull();
    }

    private static Incident proof(List<Evidence> rows) {
        return SLOW.explained("", rows, List.of());
    }

    @Test
    void ranksWithoutAccusationHaveNoSeries() {
        fleet.set(SampleJobs.healthy("train"));
        fleet.own("train", new HeatMapData(0, new int[] {0, 1, 2, 3, 4}, new long[] {119, 120}, new float[] {
            9, 1, 9, 2, 9, 3, 9, Float.NaN, 9, 7
        }));

        assertThat(page())
                .doesNotContain("rank=\"")
                .contains("argus_own_time_seconds{job=\"train\",peers=\"stage 1 of 2\",quantile=\"0.5\"} 2.0")
                .contains("argus_own_time_seconds{job=\"train\",peers=\"stage 1 of 2\",quantile=\"1.0\"} 3.0")
                .contains("argus_own_time_seconds_count{job=\"train\",peers=\"stage 1 of 2\"} 3")
                .contains("argus_own_time_seconds_count{job=\"train\",peers=\"stage 2 of 2\"} 1")
                .contains("argus_phase_duration_seconds{job=\"train\",phase=\"forward\",quantile=\"1.0\"} 1.5");
    }

    /** Killed processes are missing ranks; a job that has said that it ends misses nobody. Neither has a step time now. */
    @Test
    void aJobThatHasEndedReportsNothingOfNow() {
        fleet.set(SampleJobs.ended(SampleJobs.healthy("killed"), false));
        fleet.set(SampleJobs.ended(SampleJobs.healthy("over"), true));

        assertThat(page())
                .contains("argus_ranks_reporting{job=\"killed\"} 0.0", "argus_ranks_expected{job=\"killed\"} 8.0")
                .contains("argus_ranks_reporting{job=\"over\"} 0.0", "argus_ranks_silent{job=\"over\"} 0.0")
                .doesNotContain("argus_ranks_expected{job=\"over\"}")
                .doesNotContain("argus_last_step_duration_seconds{")
                .doesNotContain("argus_usual_step_duration_seconds{")
                .doesNotContain("argus_phase_duration_seconds{");
    }

    @Test
    void whatIsUnknownIsNeverHealthy() {
        fleet.set(SampleJobs.healthy("train"));
        fleet.set(SampleJobs.unknown("new"));

        assertThat(page())
                .contains("argus_clock_offset_error_seconds{job=\"train\"} 8.0E-6")
                .contains("argus_clock_offset_error_seconds{job=\"new\"} NaN")
                .contains("argus_agent_overhead_ratio{job=\"train\",quantile=\"1.0\"} 0.004")
                .contains("argus_agent_overhead_ratio_count{job=\"train\"} 1")
                .contains("argus_agent_overhead_ratio{job=\"new\",quantile=\"1.0\"} NaN")
                .contains("argus_agent_overhead_ratio_count{job=\"new\"} 0")
                .contains("argus_ranks_reporting{job=\"new\"} 0.0")
                .doesNotContain("argus_ranks_expected{job=\"new\"}")
                .doesNotContain("argus_last_step_duration_seconds{job=\"new\"")
                .doesNotContain("argus_usual_step_duration_seconds{job=\"new\"");
    }

    @Test
    void stepsFillAHistogramAndAJobThatIsGoneDisappears() {
        JobView job = SampleJobs.healthy("train");
        fleet.set(job);
        for (long millis : new long[] {10, 250, 4_000, 900_000}) {
            Rows.Step step = new Rows.Step("train", 0, 1, 0, millis * 1_000_000, millis * 2_000_000, 0, 8);
            fleet.listeners().forEach(l -> l.step(job, step, List.of()));
        }

        assertThat(page())
                .contains("argus_step_duration_seconds_bucket{job=\"train\",le=\"0.01\"} 1\n")
                .contains("argus_step_duration_seconds_bucket{job=\"train\",le=\"0.3\"} 2\n")
                .contains("argus_step_duration_seconds_bucket{job=\"train\",le=\"300.0\"} 3\n")
                .contains("argus_step_duration_seconds_bucket{job=\"train\",le=\"+Inf\"} 4\n")
                .contains("argus_step_duration_seconds_count{job=\"train\"} 4\n")
                .contains("argus_step_duration_seconds_sum{job=\"train\"} 904.26");

        fleet.forget("train");
        assertThat(page()).doesNotContain("train").contains("argus_jobs 0.0");

        fleet.set(job);
        assertThat(page()).contains("argus_step_duration_seconds_count{job=\"train\"} 0\n");
    }

    @Test
    void lostTimeNeverFallsAndGoesOnBehindARestart() {
        JobView job = SampleJobs.healthy("train");
        double[][] attemptLostShown = {{0, 10, 10}, {0, 25, 25}, {0, 20, 25}, {1, 4, 29}, {1, 6, 31}, {2, 8, 33}};
        for (double[] row : attemptLostShown) {
            fleet.set(SampleJobs.with(job, (int) row[0], row[1], Map.of()));
            assertThat(page()).contains("argus_lost_gpu_seconds_total{job=\"train\"} " + row[2]);
        }
    }

    @Test
    void hostileNamesAreEscapedCutAndKeptApart() {
        String stem = "evil\"\n\\{}\u202e" + "x".repeat(300);
        fleet.set(SampleJobs.healthy(stem + "1"));
        fleet.set(SampleJobs.healthy(stem + "2"));

        String text = page();

        for (String end : List.of("1", "2")) {
            String label = LabelText.of(stem + end).replace("\\", "\\\\").replace("\"", "\\\"");
            assertThat(text).contains("argus_ranks_reporting{job=\"" + label + "\"} 8.0\n");
        }
        assertThat(text.lines()).allMatch(l -> l.startsWith("#") || l.matches("[a-z_]+(\\{.*})? [-+0-9.eEINafn]+"));
    }

    @Test
    void suspectsReasonsAndPhasesAreBoundedAndCounted() {
        Incident many =
                SampleJobs.incident("i", IncidentKind.LINK_DEGRADED, Severity.WARNING, RankSet.range(0, 99), "n0");
        Map<String, Long> losses = new HashMap<>();
        IntStream.range(0, 40).forEach(i -> losses.put("reason-" + i, 100L + i));
        losses.put("other", 5L);
        fleet.set(SampleJobs.with(SampleJobs.view("train", List.of(many)), 0, 0, losses));

        assertThat(page())
                .contains("argus_series_left_out{metric=\"argus_incident_confidence_ratio\"} 36.0")
                .contains("reason=\"reason-39\"} 139.0")
                .doesNotContain("reason=\"reason-7\"")
                // 0 to 7 and the one of that name.
                .contains("argus_records_dropped_total{job=\"train\",reason=\"other\"} 833.0");
    }

    @Test
    void theBoundOfSeriesHoldsAndVerdictsComeBeforeDetails() {
        for (int i = 0; i < 50; i++) {
            fleet.set(SampleJobs.view("job" + i, List.of(SLOW)));
        }
        MetricsFixture bounded = new MetricsFixture(fleet, 2_500);
        String text = bounded.page();
        long series = text.lines().filter(l -> !l.startsWith("#")).count();
        long leftOut = text.lines()
                .filter(l -> l.startsWith("argus_series_left_out{"))
                .mapToLong(l -> (long) Double.parseDouble(l.substring(l.lastIndexOf(' '))))
                .sum();

        // Beyond the bound: what is left out, by metric, and the parts that could not be read.
        assertThat(series).isBetween(2_400L, 2_500L + 20);
        assertThat(leftOut).isPositive();
        for (int i = 0; i < 50; i++) {
            assertThat(text).contains("argus_incident_active{job=\"job" + i + "\"");
        }
        long all = page().lines().filter(l -> !l.startsWith("#")).count();
        assertThat(series + leftOut).isBetween(all, all + 60);
    }

    @Test
    void whatCannotBeAskedIsMissingAndCounted() {
        fleet.set(SampleJobs.healthy("train"));
        fleet.breakHeatMaps();
        fixture.breakStore();

        assertThat(page())
                .contains("argus_metrics_unreadable 2.0")
                .contains("argus_ranks_reporting{job=\"train\"} 8.0")
                .contains("argus_jobs 1.0")
                .doesNotContain("argus_store_bytes{");
    }

    @Test
    void theServerTellsHowItDoes() {
        assertThat(page())
                .contains("argus_frames_total{result=\"taken\"} 100.0")
                .contains("argus_frames_total{result=\"duplicate\"} 7.0")
                .contains("argus_queue_bytes 4096.0")
                .contains("argus_checkpoint_age_seconds 3.0")
                .contains("argus_checkpoint_duration_seconds 0.05")
                .contains("argus_store_bytes{tier=\"rows\"} 1000.0")
                .contains("argus_store_problem 1.0")
                .contains("argus_webhook_failing{webhook=\"1\"} 1.0")
                .contains("argus_alerts_dropped_total 2.0")
                .contains("process_resident_memory_bytes ")
                .contains("jvm_memory_used_bytes{area=\"heap\"} ");

        fixture.health(new ServerHealth(0, 1, 0, 0, false, Map.of(), 0));
        assertThat(page()).contains("argus_checkpoint_age_seconds NaN");
    }

    @Test
    void openMetricsIsSpokenWhereItIsUnderstood() {
        ServerMetrics.Page page =
                fixture.metrics().page("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5");

        assertThat(page.contentType()).startsWith("application/openmetrics-text");
        assertThat(new String(page.body(), UTF_8)).endsWith("# EOF\n");
        assertThat(fixture.metrics().page(null).contentType()).startsWith("text/plain; version=0.0.4");
    }
}
