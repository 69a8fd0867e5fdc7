package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import org.junit.jupiter.api.Test;

class KernelSuspectsTest {
    /** Weights' gradients have the grid of the weights and take as long as there are tokens. */
    @Test
    void aKernelWhoseGridDoesNotTellItsWorkTakesLongerWhereThereIsMoreToDo() {
        FakeJob job = unequal(1.08, 1.22);
        assertThat(job.diagnose().incidents()).isEmpty();
    }

    @Test
    void littleMoreToDoDoesNotHideASlowKernel() {
        FakeJob job = unequal(1.02, 1.8);
        assertThat(job.diagnose().incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.KERNEL_STRAGGLER);
            assertThat(i.ranks()).isEqualTo(RankSet.of(5));
        });
    }

    @Test
    void withTheSameToDoItIsSlow() {
        FakeJob job = unequal(1, 1.22);
        assertThat(job.diagnose().incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.KERNEL_STRAGGLER);
            assertThat(i.ranks()).isEqualTo(RankSet.of(5));
        });
    }

    /** Rank 5 has so much more to do, and one of its products, which always has the same grid, takes so much longer. */
    private static FakeJob unequal(double work, double longer) {
        return FakeJob.of(16, 4).fault(5, 0, c -> {
            c.work = work;
            c.fixedGrid = "nvjet";
            c.kernels("nvjet", longer);
        });
    }
}
