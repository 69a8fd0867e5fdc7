package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.DataProblem;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.TraceFacts;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A real export of Nsight Systems against facts that a script of its own found in it. */
@Requires(Need.SHARED)
class NsysDiagnosisTest {
    private static final Path FOLDER = Shared.path("data/nsys_sqlite");

    @Test
    void figuresEqualTheTruth() throws IOException {
        JsonTree truth = JsonTree.of(FOLDER.resolve("truth_mfu_2gpu_before.json"));
        Diagnosis d = Diagnosing.of(FOLDER.resolve("mfu_2gpu_before.sqlite.gz"));
        assertThat(d.verdict().traces()).hasSize(2);
        for (int gpu = 0; gpu < 2; gpu++) {
            JsonTree device = truth.at("devices").at(String.valueOf(gpu));
            TraceFacts facts = d.verdict().traces().get(gpu);
            assertThat(facts.file()).isEqualTo("mfu_2gpu_before.sqlite.gz#gpu" + gpu);
            assertThat(facts.format()).isEqualTo("nsys-sqlite");
            assertThat(facts.rank()).isEqualTo(gpu);
            assertThat(facts.kernels()).isEqualTo(device.at("kernels").integer());
            assertThat(facts.kernelNanos())
                    .isEqualTo(device.at("kernel_total_ns").integer());
            assertThat(facts.commNanos()).isEqualTo(device.at("nccl_total_ns").integer());
        }
    }

    /** Device 1 arrives later in 22 of 33 exchanges, and computes as long: launched late, no slow GPU. */
    @Test
    void theLaunchSideIsLateAndNoGpuIsSlow() {
        Diagnosis d = Diagnosing.of(FOLDER.resolve("mfu_2gpu_before.sqlite.gz"));
        assertThat(d.analysed()).as(d.failure()).isTrue();
        assertThat(d.verdict().incidents()).isEmpty();
        assertThat(d.verdict().observations()).singleElement().satisfies(o -> {
            assertThat(o.kind()).isEqualTo(IncidentKind.CPU_STALL);
            assertThat(o.ranks()).isEqualTo(RankSet.of(1));
            assertThat(o.summary())
                    .contains("arrives last in 22 of 33 collectives")
                    .contains("its work is launched late: no GPU is slow");
        });
        assertThat(d.verdict().quality().problems())
                .extracting(DataProblem::kind)
                .containsExactly("few-steps");
    }
}
