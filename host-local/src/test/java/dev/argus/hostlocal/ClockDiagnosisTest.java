package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.HostClock;
import dev.argus.model.IncidentKind;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Clocks of the labelled cases, whose offsets are known, from their files to the verdict. */
@Requires(Need.SHARED)
class ClockDiagnosisTest {
    private int compared;
    private int held;
    private int refused;
    private double worst;
    private long largestResidual;

    /** The truth states offsets at a whole thousand seconds and drifts in the mean only. */
    private static final long TRUTH_FROM = 1_000_000_000_000L;

    @Test
    void offsetsOfTheLabelledCasesLieWithinTheirBounds() throws Exception {
        try (Stream<Path> folders = Files.list(Shared.path("data/cases"))) {
            for (Path folder : folders.sorted().toList()) {
                JsonTree truth = JsonTree.of(folder.resolve("truth.json"));
                JsonTree offsets = truth.at("host_clock_offset_us");
                if (!offsets.isMissing() && offsets.keys().size() > 1) {
                    Diagnosis d = Diagnosing.of(
                            List.of(folder.resolve(truth.at("trace_dir").text())),
                            new DiagnoseOptions(null, DiagnoseOptions.DEFAULT_INCIDENT_FLOOR_RATIO, true));
                    compare(offsets, d.verdict().clocks());
                    assertThat(d.explain()).anyMatch(line -> line.startsWith("clocks of "));
                    assertThat(observed(d))
                            .as(folder.toString())
                            .isEqualTo(truth.at("clock").at("skew_ms").number() > 10);
                }
            }
        }
        assertThat(compared).isGreaterThan(20);
        assertThat((double) held / compared).isGreaterThanOrEqualTo(0.95);
        assertThat(worst).isLessThanOrEqualTo(2);
        assertThat(refused).isZero();
        assertThat(largestResidual).isLessThan(2_000);
    }

    private static boolean observed(Diagnosis d) {
        return d.verdict().observations().stream().anyMatch(i -> i.kind() == IncidentKind.CLOCK_SKEW);
    }

    private void compare(JsonTree offsets, List<HostClock> clocks) {
        for (HostClock c : clocks) {
            refused += c.isAligned() ? 0 : 1;
            if (c.isAligned() && !c.isReference()) {
                double elapsed = c.atNanos() % TRUTH_FROM;
                double expected = 1_000
                                * (offsets.at(c.host()).number()
                                        - offsets.at(c.reference()).number())
                        + 1e-6 * c.driftPpm() * elapsed;
                double bound = c.errorNanos() + 1e-6 * c.driftErrorPpm() * elapsed;
                double error = Math.abs(c.offsetNanos() - expected);
                compared++;
                held += error <= bound ? 1 : 0;
                worst = Math.max(worst, error / bound);
                largestResidual = Math.max(largestResidual, c.residualNanos());
            }
        }
    }
}
