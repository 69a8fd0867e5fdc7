package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.report.AttemptReport;
import dev.argus.hostlocal.report.HeatMap;
import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.ReportData;
import dev.argus.model.Incident;
import dev.argus.simulator.CaseFolder;
import dev.argus.simulator.Damage;
import dev.argus.simulator.Layout;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Wish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a page shows of whole jobs, made beside the verdict and without changing it. */
class ReportDataTest {
    private static final DiagnoseOptions WITH_REPORT =
            new DiagnoseOptions(null, DiagnoseOptions.DEFAULT_INCIDENT_FLOOR_RATIO, false, true);

    @TempDir
    private Path folder = Path.of("");

    private Path simulated(Wish wish) throws IOException {
        CaseFolder.write(Simulation.run(Scenarios.draw(wish)), folder, "job", (rank, path) -> {});
        return folder.resolve("traces");
    }

    private static Layout layout(int tensor, int data) {
        return Layout.builder()
                .size(Layout.Dimension.TP, tensor)
                .size(Layout.Dimension.DP, data)
                .gpusPerHost(8)
                .build();
    }

    private static ReportData report(Diagnosis diagnosis) {
        return Objects.requireNonNull(diagnosis.report());
    }

    @Test
    void showsTheSuspectInEveryView() throws IOException {
        Path traces = simulated(Wish.of(11, ScenarioKind.COMPUTE)
                .layout(layout(1, 8))
                .noise(NoiseLevel.QUIET)
                .rank(3)
                .factor(1.4)
                .firstStep(100)
                .stepCount(12)
                .onset(104));
        Diagnosis plain = Diagnosing.of(traces);
        Diagnosis diagnosis = Diagnosing.of(List.of(traces), WITH_REPORT);
        assertThat(plain.report()).as("nobody asked").isNull();
        assertThat(diagnosis.verdict()).isEqualTo(plain.verdict());

        AttemptReport report = report(diagnosis).attempts().getFirst();
        Incident incident = diagnosis.verdict().incidents().getFirst();
        assertThat(report.steps().steps()).hasSize(12).startsWith(100).endsWith(111);
        assertThat(report.steps().typicalNanos()[8])
                .isGreaterThan(1.02 * report.steps().typicalNanos()[1]);

        HeatMap heat = report.heat();
        assertThat(heat.rows()).hasSize(8);
        assertThat(heat.rows().stream().filter(HeatMap.Row::suspect))
                .singleElement()
                .satisfies(row -> assertThat(row.ranks().get(0)).isEqualTo(3));
        short[] own = heat.layers().getFirst().ratios();
        for (int rank = 0; rank < 8; rank++) {
            for (int column = 0; column < 12; column++) {
                short code = own[rank * 12 + column];
                boolean slow = rank == 3 && column >= 4;
                assertThat(code > 2048 * Math.log(1.15) / Math.log(2))
                        .as("rank %s, column %s", rank, column)
                        .isEqualTo(slow);
            }
        }

        assertThat(report.waits().rows().getFirst().rank()).isEqualTo(3);
        assertThat(report.waits().rows().stream().mapToLong(r -> r.totalNanos()).sum())
                .isEqualTo(report.waits().totalNanos());

        assertThat(report.kernels())
                .anySatisfy(k -> assertThat(k.ranks().getFirst().signedRatio()).isGreaterThan(0.2))
                .allSatisfy(kernel -> {
                    assertThat(kernel.incident()).isEqualTo(incident.id());
                    KernelPicture.Member suspect = kernel.ranks().getFirst();
                    assertThat(suspect.rank()).isEqualTo(3);
                    assertThat(suspect.signedRatio()).isGreaterThan(0.02);
                    assertThat(kernel.curves()).hasSize(1);
                    float sum = 0;
                    for (float share : kernel.curves().getFirst().share()) {
                        sum += share;
                    }
                    assertThat(sum).isBetween(0.999f, 1.001f);
                });
    }

    @Test
    void missingRanksAndEventsAreShown() throws IOException {
        Path traces = simulated(Wish.of(3, ScenarioKind.CHECKPOINT)
                .layout(layout(2, 4))
                .stepCount(20)
                .damage(Damage.of("one-missing")));
        AttemptReport report =
                report(Diagnosing.of(List.of(traces), WITH_REPORT)).attempts().getFirst();
        int columns = report.heat().columnFirst().length;
        short[] own = report.heat().layers().getFirst().ratios();
        long empty = 0;
        for (int row = 0; row < 8; row++) {
            boolean all = true;
            for (int c = 0; c < columns; c++) {
                all &= own[row * columns + c] == HeatMap.MISSING;
            }
            empty += all ? 1 : 0;
        }
        assertThat(report.heat().rows()).hasSize(8);
        assertThat(empty).isEqualTo(1);
        assertThat(report.events()).extracting(AttemptReport.StepEvent::kind).contains("checkpoint");
        assertThat(report.kernels()).isEmpty();
    }

    @Test
    void nothingToMeasureIsNoError() throws IOException {
        Path empty = folder.resolve("empty.json");
        Files.writeString(empty, "");
        Diagnosis diagnosis = Diagnosing.of(List.of(empty), WITH_REPORT);
        assertThat(diagnosis.analysed()).isFalse();
        assertThat(diagnosis.report()).isNull();
    }
}
