package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Gap;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.SpanKind;
import org.junit.jupiter.api.Test;

/** Kernels that a recorder lost leave idle gaps in which the GPU was not idle. */
class HolesTest {
    private static FakeJob job(double kernels, boolean late) {
        return FakeJob.of(16, 3).fault(3, 0, c -> {
            c.kernelsRun = kernels;
            c.gaps.add(new Gap(0, (long) (10 * FakeJob.MILLI), late, false, false, -1, SpanKind.RUNTIME));
        });
    }

    @Test
    void areNoPausesAndAreSaid() {
        Concluded said = job(0.9, false).diagnose();
        assertThat(said.incidents()).isEmpty();
        assertThat(said.observations()).singleElement().satisfies(o -> {
            assertThat(o.kind()).isEqualTo(IncidentKind.RANK_ASYMMETRY);
            assertThat(o.ranks()).isEqualTo(RankSet.of(3));
            assertThat(o.summary()).contains("has 10 % fewer kernels on record than its peers");
        });
    }

    @Test
    void gapsBehindLateLaunchesAreNone() {
        assertThat(job(0.9, true).diagnose().incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(3)));
    }

    @Test
    void norAreThoseOfWhoHasAllItsKernels() {
        assertThat(job(1, false).diagnose().incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(3)));
    }

    /** Lost kernels are no longer CPU time for each of the others. */
    @Test
    void makeNobodyLaunchMoreSlowly() {
        FakeJob job = FakeJob.of(16, 3).fault(3, 0, c -> c.kernelsRun = 0.8);
        assertThat(job.diagnose().incidents()).isEmpty();
    }
}
