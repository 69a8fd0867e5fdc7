package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.DataProblem;
import dev.argus.model.GpuReading;
import dev.argus.model.GpuReading.Metric;
import dev.argus.model.Incident;
import dev.argus.model.NameTable;
import dev.argus.model.TraceFacts;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Telemetry of GPUs, alone and beside a suspect. */
class TelemetryDiagnosisTest {
    /** A slow rank whose GPU is throttled: the incident says so. */
    @Test
    void aThrottledSuspect(@TempDir Path folder) throws IOException {
        KinetoTraceWriter.write(
                folder,
                KinetoJob.of(8).withHosts(2).withSteps(21, 8).withLayers(3, 6).withSlowRank(3, 1.4, 23));
        Incident before = Diagnosing.of(folder).verdict().incidents().getFirst();
        String host = String.valueOf(before.gpus().getFirst().host());
        int index = before.gpus().getFirst().index();
        StringBuilder text = new StringBuilder();
        for (int gpu = 0; gpu < 4; gpu++) {
            text.append("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS{gpu=\"" + gpu + "\",UUID=\"GPU-" + gpu + "\",Hostname=\""
                    + host + "\"} " + (gpu == index ? 72 : 0) + "\n");
        }
        Files.writeString(folder.resolve("metrics.prom"), text);
        Incident after = Diagnosing.of(folder).verdict().incidents().getFirst();
        assertThat(after.kind()).isEqualTo(before.kind());
        assertThat(after.explanation())
                .contains("Its GPU is throttled: hardware slowdown, thermal slowdown by hardware.");
        assertThat(after.gpus().getFirst().uuid()).isEqualTo("GPU-" + index);
        assertThat(after.evidence()).hasSize(before.evidence().size() + 1);
    }

    @Requires(Need.SHARED)
    @Test
    void realMetricsAgainstTheTruth() throws IOException {
        Path folder = Shared.path("data/dcgm_aicr");
        JsonTree truth = JsonTree.of(folder.resolve("truth.json"));
        NameTable names = new NameTable();
        Map<String, Map<String, Double>> values = new HashMap<>();
        List<GpuReading> gpus = read(folder.resolve("dcgm_exporter_8xH100.prom"), names);
        assertThat(gpus.stream().mapToLong(g -> g.metrics().size()).sum())
                .isEqualTo(truth.at("prom_samples").integer());
        gpus.forEach(g -> g.metrics()
                .forEach(m -> values.computeIfAbsent(names.name(m.name()), n -> new HashMap<>())
                        .put(String.valueOf(g.index()), m.last())));
        values.forEach((metric, byGpu) -> byGpu.forEach((gpu, value) -> assertThat(value)
                .isEqualTo(truth.at("prom_values").at(metric).at(gpu).number())));
        assertThat(values.keySet()).hasSize(4);
    }

    @Requires(Need.SHARED)
    @Test
    void realAnswersAgainstTheTruth() throws IOException {
        Path folder = Shared.path("data/dcgm_aicr");
        JsonTree truth = JsonTree.of(folder.resolve("truth.json"));
        for (String metric : List.of("FB_USED", "GPU_TEMP", "GPU_UTIL", "POWER_USAGE")) {
            String name = "DCGM_FI_DEV_" + metric;
            NameTable names = new NameTable();
            List<GpuReading> gpus = read(folder.resolve("prometheus_query_" + name + ".json"), names);
            assertThat(gpus)
                    .hasSize((int) truth.at("queries").at(name).at("results").integer());
            Map<String, Double> values = new HashMap<>();
            for (GpuReading g : gpus) {
                Metric m = g.metrics().getFirst();
                values.put(g.index() + " " + names.name(g.host()), m.last());
            }
            for (JsonTree row :
                    truth.at("queries").at(name).at("values_by_gpu_and_host").list()) {
                List<JsonTree> cells = row.list();
                assertThat(values)
                        .containsEntry(
                                cells.get(0).text() + " " + cells.get(1).text(),
                                cells.get(3).number());
            }
        }
    }

    private static List<GpuReading> read(Path file, NameTable names) throws IOException {
        ReadOutcome outcome = TraceReader.read(
                new TraceFile(file, String.valueOf(file.getFileName()), Files.size(file)),
                names,
                part -> {
                    throw new IllegalStateException("telemetry has no events");
                },
                n -> {});
        return outcome.records().stream().map(r -> (GpuReading) r).toList();
    }

    @Requires(Need.SHARED)
    @Test
    void aloneItIsListed() {
        Diagnosis d = Diagnosing.of(Shared.path("data/dcgm_aicr"));
        assertThat(d.analysed()).isTrue();
        assertThat(d.verdict().incidents()).isEmpty();
        assertThat(d.verdict().traces()).extracting(TraceFacts::format).contains("dcgm-exporter", "prometheus");
        assertThat(d.verdict().notes())
                .anyMatch(n -> n.startsWith("telemetry: 16 GPUs on 2 hosts: FB_USED 0 to 74166, GPU_TEMP 26 to 30"));
        assertThat(d.verdict().quality().problems())
                .extracting(DataProblem::kind)
                .contains("no-data");
    }
}
