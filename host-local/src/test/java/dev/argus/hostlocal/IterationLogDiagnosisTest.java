package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.DataProblem;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.TraceFacts;
import dev.argus.model.TraceFacts.StepDuration;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps of a job from its log alone. */
class IterationLogDiagnosisTest {
    @Requires(Need.SHARED)
    @Test
    void aRealLogAgainstTheTruth() throws IOException {
        Path folder = Shared.path("data/primus_iteration_log");
        JsonTree truth = JsonTree.of(folder.resolve("truth.json"));
        Diagnosis d = Diagnosing.of(folder.resolve("megatron_iteration_lines.log"));
        assertThat(d.analysed()).as(d.failure()).isTrue();
        TraceFacts facts = d.verdict().traces().getFirst();
        assertThat(facts.format()).isEqualTo("megatron-log");
        assertThat(facts.steps()).hasSize((int) truth.at("iterations").integer());
        for (StepDuration step : facts.steps()) {
            double printed = truth.at("iterations_detail")
                    .at(String.valueOf(step.step()))
                    .at("printed_ms")
                    .number();
            double expected = step.step() == 2 ? 32233.0 : printed; // of iteration 2 a mean is printed
            assertThat(step.nanos() / 1e6).as("step %d", step.step()).isCloseTo(expected, within(0.06));
        }
        assertThat(d.verdict().incidents()).isEmpty();
        assertThat(d.verdict().observations())
                .extracting(Incident::kind)
                .containsExactlyInAnyOrder(IncidentKind.WARMUP, IncidentKind.TRANSIENT);
        assertThat(d.verdict().observations())
                .filteredOn(o -> o.kind() == IncidentKind.TRANSIENT)
                .singleElement()
                .satisfies(o -> assertThat(o.firstStep()).isEqualTo(6));
    }

    /** Traces say more than the log of the same steps: the log is listed, and no rank is claimed twice. */
    @Test
    void besideTraces(@TempDir Path folder) throws IOException {
        KinetoTraceWriter.write(
                folder, KinetoJob.of(8).withSteps(21, 8).withLayers(3, 6).withSlowRank(3, 1.4, 23));
        StringBuilder log = new StringBuilder();
        for (int i = 1; i < 9; i++) {
            log.append("[rank-7/8] [2026-05-11 02:00:0")
                    .append(i)
                    .append("] iteration ")
                    .append(i)
                    .append("/ 20 | elapsed time per iteration (ms): 1000.0 |\n");
        }
        Files.writeString(folder.resolve("train.log"), log);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents()).extracting(Incident::kind).containsExactly(IncidentKind.COMPUTE_STRAGGLER);
        assertThat(d.verdict().quality().problems()).isEmpty();
        assertThat(d.verdict().notes()).anyMatch(n -> n.contains("train.log"));
        assertThat(d.verdict().traces()).extracting(TraceFacts::format).contains("megatron-log");
    }

    /** A log has the steps of all ranks: none is missing from it, and none is judged. */
    @Test
    void aloneItSaysNothingOfRanks(@TempDir Path folder) throws IOException {
        StringBuilder log = new StringBuilder();
        for (int i = 1; i < 30; i++) {
            log.append("[rank-7/8] [2026-05-11 02:00:")
                    .append(String.format(Locale.ROOT, "%02d", i))
                    .append("] iteration ")
                    .append(i)
                    .append("/ 40 | elapsed time per iteration (ms): 1000.0 |\n");
        }
        Files.writeString(folder.resolve("train.log"), log);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isTrue();
        assertThat(d.verdict().quality().ranksRead()).isZero();
        assertThat(d.verdict().quality().problems())
                .extracting(DataProblem::kind)
                .containsExactly("log-only");
        assertThat(d.verdict().notes()).noneMatch(n -> n.contains("rank 7"));
    }

    /** Each rank's log has the job's lines. */
    @Test
    void severalLogsOfOneJob(@TempDir Path folder) throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            StringBuilder log = new StringBuilder();
            for (int i = 1; i < 9 - rank; i++) {
                log.append("[2026-05-11 02:00:0")
                        .append(i)
                        .append("] iteration ")
                        .append(i)
                        .append("/ 20 | elapsed time per iteration (ms): 1000.0 |\n");
            }
            Files.writeString(folder.resolve("log" + rank + ".txt"), log);
        }
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).as(d.failure()).isTrue();
        assertThat(d.verdict().job().lastStep()).isEqualTo(8);
        assertThat(d.verdict().notes()).anyMatch(n -> n.contains("log1.txt"));
    }
}
