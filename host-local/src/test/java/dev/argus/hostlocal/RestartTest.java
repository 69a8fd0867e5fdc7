package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.simulator.CaseFolder;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Wish;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two attempts of a job as traces, with the versions of their software in the header. */
class RestartTest {
    private static Diagnosis of(Path folder, ScenarioKind kind) throws IOException {
        CaseFolder.write(
                Scenarios.attempts(Wish.of(2, kind).maxRanks(8), 2).stream()
                        .map(Simulation::run)
                        .toList(),
                folder,
                kind.word(),
                (rank, file) -> {});
        return Diagnosing.of(folder.resolve("traces-0"), folder.resolve("traces-1"));
    }

    @Test
    void slowerSinceARestartWithOtherSoftware(@TempDir Path folder) throws IOException {
        Diagnosis d = of(folder, ScenarioKind.NEW_VERSION);
        assertThat(d.verdict().incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.REGRESSION);
            assertThat(i.attempt()).isEqualTo(1);
            assertThat(i.explanation()).contains("cuda_runtime_version 12060 to 12080");
            assertThat(i.sinceEpochNanos()).isPositive();
        });
    }

    @Test
    void aRestartAloneIsNoIncident(@TempDir Path folder) throws IOException {
        Diagnosis d = of(folder, ScenarioKind.HEALTHY);
        assertThat(d.verdict().incidents()).extracting(Incident::summary).isEmpty();
    }
}
