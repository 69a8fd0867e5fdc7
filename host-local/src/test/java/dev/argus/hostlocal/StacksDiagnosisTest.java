package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.DataProblem;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.TraceFacts;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From dumps of stacks to who does what. */
class StacksDiagnosisTest {
    private static void write(Path folder, int ranks, int odd) throws IOException {
        for (int rank = 0; rank < ranks; rank++) {
            String inner = rank == odd
                    ? "get (queue.py:179)\n    _next_data (torch/utils/data/dataloader.py:9)"
                    : "all_reduce (torch/distributed/distributed_c10d.py:1)";
            Files.writeString(
                    folder.resolve("stack_rank" + rank + ".txt"),
                    "Process " + (100 + rank) + ": python train.py\n\nThread " + (100 + rank)
                            + " (active): \"MainThread\"\n    " + inner + "\n    main (train.py:3)\n");
        }
    }

    @Test
    void stacksAlone(@TempDir Path folder) throws IOException {
        write(folder, 8, 5);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isTrue();
        assertThat(d.verdict().incidents()).as("one moment is no proof").isEmpty();
        assertThat(d.verdict().observations()).singleElement().satisfies(o -> {
            assertThat(o.kind()).isEqualTo(IncidentKind.DATA_STALL);
            assertThat(o.ranks()).isEqualTo(RankSet.of(5));
        });
        assertThat(d.verdict().notes()).contains("stacks: 8 processes in 2 groups of equal stacks");
        assertThat(d.verdict().traces())
                .hasSize(8)
                .extracting(TraceFacts::format)
                .containsOnly("py-spy");
        assertThat(d.verdict().quality().problems())
                .as("stacks say nothing about speed")
                .extracting(DataProblem::kind)
                .containsExactly("no-traces");
    }

    @Test
    void besideTraces(@TempDir Path folder) throws IOException {
        KinetoTraceWriter.write(folder, KinetoJob.of(8).withSteps(21, 8).withLayers(3, 6));
        write(folder, 8, -1);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents()).isEmpty();
        assertThat(d.verdict().observations()).isEmpty();
        assertThat(d.verdict().notes()).contains("stacks: 8 processes in 1 group of equal stacks");
        assertThat(d.verdict().quality().problems()).isEmpty();
    }

    @Requires(Need.SHARED)
    @Test
    void aRealHang() {
        Diagnosis d = Diagnosing.of(Shared.path("data/bloom_pyspy/total_loss_hang"));
        assertThat(d.verdict().notes())
                .contains("stacks: 2 processes in 2 groups of equal stacks")
                .anyMatch(n ->
                        n.startsWith("stacks: 1 of 2, dumps_expanded.txt#835990: train (megatron/training.py:915)"))
                .anyMatch(
                        n -> n.startsWith("stacks: 1 of 2, dumps_expanded.txt#835995: broadcast (torch/distributed/"));
    }
}
