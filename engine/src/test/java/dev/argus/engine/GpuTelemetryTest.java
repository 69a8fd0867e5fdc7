package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.GpuReading;
import dev.argus.model.GpuReading.Metric;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Telemetry beside a suspect: what is told, what just not, and where nothing can be joined. */
class GpuTelemetryTest {
    private final NameTable names = new NameTable();

    private GpuReading gpu(String host, int index, Object... metrics) {
        List<Metric> list = new ArrayList<>();
        for (int i = 0; i < metrics.length; i += 2) {
            double v = ((Number) metrics[i + 1]).doubleValue();
            boolean there = !Double.isNaN(v);
            list.add(new Metric(names.id("DCGM_FI_DEV_" + metrics[i]), v, v, v, there ? 1 : 0, there ? 0 : 1, 0, 0));
        }
        return new GpuReading(0, names.id(host), index, names.id("GPU-" + host + index), list);
    }

    private List<GpuReading> eight(String metric, double usual, double ofThree, Object... moreOfThree) {
        List<GpuReading> list = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            List<Object> metrics = new ArrayList<>(List.of(metric, i == 3 ? ofThree : usual));
            if (i == 3) {
                metrics.addAll(List.of(moreOfThree));
            }
            list.add(gpu("n1.cluster.local", i, metrics.toArray()));
        }
        return list;
    }

    private static Incident suspect(String host, int index) {
        return new Incident(
                "x",
                IncidentKind.COMPUTE_STRAGGLER,
                Scope.RANK,
                Severity.WARNING,
                0.9,
                Set.of(Level.L2),
                IncidentState.ONGOING,
                0,
                null,
                0,
                RankSet.of(11),
                List.of(new GpuRef(11, host, index, null)),
                List.of(),
                List.of(),
                1,
                2,
                List.of(),
                null,
                "s",
                "Because.",
                "a",
                List.of(),
                Cost.NONE);
    }

    private List<Evidence> evidence(List<GpuReading> readings) {
        return explained(readings, suspect("n1", 3)).evidence();
    }

    private Incident explained(List<GpuReading> readings, Incident i) {
        JobShape shape = new JobShape(
                0,
                8,
                RankSet.range(0, 7),
                Map.of(0, "n1"),
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                List.of(),
                List.of());
        return new GpuTelemetry(readings, names).explained(i, shape);
    }

    @Test
    void throttling() {
        Incident i = explained(eight("CLOCK_THROTTLE_REASONS", 0, 0x40 | 0x8), suspect("n1", 3));
        assertThat(i.evidence())
                .singleElement()
                .satisfies(e -> assertThat(e.what())
                        .isEqualTo(
                                "throttle reasons of rank 11's GPU: hardware slowdown, thermal slowdown by hardware"));
        assertThat(i.explanation()).startsWith("Because. Its GPU is throttled: hardware slowdown");
        assertThat(i.gpus().getFirst().uuid()).isEqualTo("GPU-n1.cluster.local3");
    }

    /** The first bit says that the GPU idles: no reason to blame anything. */
    @Test
    void idlingIsNoThrottling() {
        assertThat(evidence(eight("CLOCK_THROTTLE_REASONS", 0, 1))).isEmpty();
        assertThat(evidence(eight("SM_CLOCK", 1980, 345, "CLOCK_THROTTLE_REASONS", 1)))
                .isEmpty();
        assertThat(evidence(eight("SM_CLOCK", 1980, 345, "GPU_UTIL", 0))).isEmpty();
        assertThat(evidence(eight("SM_CLOCK", 1980, 345, "GPU_UTIL", 90))).hasSize(1);
    }

    @Test
    void lowerClocks() {
        assertThat(evidence(eight("SM_CLOCK", 2000, 1940))).singleElement().satisfies(e -> {
            assertThat(e.value()).isEqualTo(1940);
            assertThat(e.threshold()).isEqualTo(1940);
        });
        assertThat(evidence(eight("SM_CLOCK", 2000, 1941))).isEmpty();
    }

    @Test
    void heatErrorsAndLinks() {
        assertThat(evidence(eight("GPU_TEMP", 60, 68))).hasSize(1);
        assertThat(evidence(eight("GPU_TEMP", 60, 67.9))).isEmpty();
        assertThat(evidence(eight("XID_ERRORS", 0, 79))).hasSize(1);
        assertThat(evidence(eight("XID_ERRORS", 0, 0))).isEmpty();
        assertThat(evidence(eight("PCIE_LINK_WIDTH", 16, 8))).hasSize(1);
        assertThat(evidence(eight("PCIE_LINK_WIDTH", 16, 16))).isEmpty();
        assertThat(evidence(eight("GPU_TEMP", 60, Double.NaN))).as("no value").isEmpty();
    }

    @Test
    void whatCannotBeJoinedIsNotUsed() {
        List<GpuReading> readings = eight("GPU_TEMP", 60, 90);
        assertThat(explained(readings, suspect("n2", 3)).evidence()).isEmpty();
        assertThat(explained(readings, suspect("n1", -1)).evidence()).isEmpty();
        List<GpuReading> twice = new ArrayList<>(readings);
        twice.addAll(List.of(gpu("n1.other.net", 3, "GPU_TEMP", 90)));
        assertThat(explained(twice, suspect("n1", 3)).evidence())
                .as("two GPUs answer to it")
                .isEmpty();
    }

    @Test
    void missingIsNoData() {
        List<GpuReading> readings = eight("GPU_TEMP", 60, Double.NaN, "GPU_UTIL", 5);
        GpuTelemetry telemetry = new GpuTelemetry(readings, names);
        assertThat(telemetry.noData())
                .containsExactly(
                        "no data of DCGM_FI_DEV_GPU_TEMP for GPU 3 of n1.cluster.local: neither 0 nor healthy",
                        "no data of DCGM_FI_DEV_GPU_UTIL for GPU 0 of n1.cluster.local, GPU 1 of n1.cluster.local,"
                                + " GPU 2 of n1.cluster.local and 4 more GPUs: neither 0 nor healthy");
        assertThat(telemetry.notes())
                .containsExactly("telemetry: 8 GPUs on 1 host: GPU_TEMP 60 (7 GPUs), GPU_UTIL 5 (1 GPUs)");
    }

    /** It was there and is not any more. */
    @Test
    void aSeriesThatEndsIsNoData() {
        List<GpuReading> readings = new ArrayList<>();
        int metric = names.id("DCGM_FI_DEV_GPU_TEMP");
        long start = 1_700_000_000_000_000_000L;
        for (int i = 0; i < 2; i++) {
            long end = start + (i == 0 ? 3600 : 600) * 1_000_000_000L;
            readings.add(new GpuReading(
                    0, names.id("n"), i, names.id("u" + i), List.of(new Metric(metric, 5, 5, 5, 9, 0, start, end))));
        }
        assertThat(new GpuTelemetry(readings, names).noData())
                .singleElement()
                .asString()
                .contains("GPU 1 of n");
    }
}
