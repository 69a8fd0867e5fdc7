package dev.argus.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.Gap;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import org.junit.jupiter.api.Test;

/** Which step a gap belongs to, whether the host was late, what the CPU was doing. */
class GapsTest {
    private static Timeline twoSteps() {
        return new Timeline().mark(0, 0, 1_000).mark(1, 1_000, 2_000);
    }

    @Test
    void workBelongsToTheStepThatLaunchedIt() {
        Timeline t = twoSteps()
                .kernel("early", 7, 0, 100, 0)
                .kernel("late", 7, 1_100, 1_300, 900)
                .kernel("next", 7, 1_300, 1_400, 1_050)
                .finish();
        assertThat(t.own(0)).isEqualTo("300+0+0+1000/1000");
        assertThat(t.own(1)).isEqualTo("100+0+0+0/0");
        assertThat(t.kernels).containsExactly("0:early", "0:late", "1:next");
    }

    @Test
    void aStallAfterTheNextMarkIsTheNextSteps() {
        Timeline t = twoSteps()
                .kernel("gemm", 7, 100, 600, 50)
                .kernel("gemm", 7, 1_710, 1_900, 1_700)
                .finish();
        assertThat(t.own(0)).isEqualTo("500+0+0+500/500");
        assertThat(t.own(1)).isEqualTo("190+0+0+710/710");
        assertThat(t.gaps(0)).containsExactly("600-1000 ? host");
        assertThat(t.gaps(1)).containsExactly("1000-1710 ? host");
    }

    @Test
    void aCheckpointAfterTheLastKernelIsItsSteps() {
        Timeline t = new Timeline()
                .mark(0, 0, 2_000)
                .mark(1, 2_000, 3_000)
                .kernel("gemm", 7, 0, 500, 0)
                .span("save_checkpoint", 600, 1_900)
                .kernel("gemm", 7, 2_110, 2_500, 2_100)
                .finish();
        assertThat(t.own(0)).isEqualTo("500+0+0+1500/1500");
        assertThat(t.gaps(0)).containsExactly("500-2000 save_checkpoint host");
        assertThat(t.own(1)).isEqualTo("390+0+0+110/110");
    }

    private static Timeline gathered(Timeline t) {
        for (int i = 0; i < 3; i++) {
            int at = 5_000 * i;
            t.kernel("gemm", 7, at + 1_000, at + 4_000, at + 1_000)
                    .span("Optimizer.step#AdamW.step", at + 4_700, at + 4_990)
                    .kernel("ncclDevKernel_AllGather", 8, at + 5_100, at + 5_200, at + 5_100);
        }
        return t.kernel("gemm", 7, 16_000, 17_000, 16_000)
                .span("Optimizer.step#AdamW.step", 19_700, 19_990)
                .finish();
    }

    @Test
    void behindTheOptimizerAStepHasNotBegunBeforeItComputes() {
        assertThat(gathered(new Timeline()).step(1).gaps())
                .filteredOn(g -> g.durationNanos() > 500_000)
                .isNotEmpty()
                .allMatch(Gap::afterWork);
        Timeline marked = new Timeline();
        for (int i = 0; i < 4; i++) {
            marked.mark(i, 5_000 * i, 5_000 * i + 5_000);
        }
        assertThat(gathered(marked).step(1).gaps()).anyMatch(g -> !g.afterWork());
    }

    @Test
    void aGapOverWholeStepsIsSharedOut() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .mark(1, 1_000, 2_000)
                .mark(2, 2_000, 3_000)
                .kernel("gemm", 7, 0, 400, 0)
                .kernel("gemm", 7, 2_300, 2_400, 2_290)
                .finish();
        assertThat(t.own(0)).isEqualTo("400+0+0+600/600");
        assertThat(t.own(1)).isEqualTo("0+0+0+1000/1000");
        assertThat(t.own(2)).isEqualTo("100+0+0+300/300");
    }

    @Test
    void theHostIsNotLateWhenTheLaunchWasWaiting() {
        Timeline t = twoSteps()
                .kernel("gemm", 7, 0, 300, 0)
                .kernel("gemm", 7, 700, 800, 299)
                .finish();
        assertThat(t.own(0)).isEqualTo("400+0+0+400/0");
        assertThat(t.gaps(0)).containsExactly("300-700 ?");
        Timeline late = twoSteps()
                .kernel("gemm", 7, 0, 300, 0)
                .kernel("gemm", 7, 700, 800, 300)
                .finish();
        assertThat(late.own(0)).isEqualTo("400+0+0+400/400");
    }

    @Test
    void onlyTheFirstInputOfAStepEndsAGapBeforeInput() {
        Timeline t = twoSteps()
                .kernel("gemm", 7, 0, 600, 0)
                .copy(CopyDirection.HOST_TO_DEVICE, 8, 1_400, 1_410, 1_390, 64)
                .copy(CopyDirection.HOST_TO_DEVICE, 8, 1_700, 1_710, 1_690, 64)
                .finish();
        assertThat(t.gaps(0)).containsExactly("600-1000 ? host");
        assertThat(t.gaps(1)).containsExactly("1000-1400 ? host input", "1410-1700 ? host");
        Timeline kernelFirst = twoSteps()
                .kernel("gemm", 7, 0, 600, 0)
                .kernel("gemm", 8, 1_400, 1_410, 1_390)
                .finish();
        assertThat(kernelFirst.gaps(1)).containsExactly("1000-1400 ? host");
    }

    @Test
    void theMostSpecificRangeThatCoversMostOfTheGapExplainsIt() {
        Timeline t = twoSteps();
        t.kernel("gemm", 7, 0, 100, 0)
                .kernel("gemm", 7, 900, 950, 899)
                .span("train_step", 0, 1_000)
                .span(SpanKind.PYTHON, "gc.collect", 150, 890, null)
                .span("too short", 200, 650)
                .span(SpanKind.GPU_ANNOTATION, "shadow", 100, 900, null)
                .span(SpanKind.ANNOTATION, "record_param_comms", 90, 880, t.call(CollectiveOp.BARRIER, "0", 1))
                .finish();
        assertThat(t.gaps(0)).containsExactly("100-900 gc.collect host");
        assertThat(t.step(0).gaps().getFirst().coverKind()).isEqualTo(SpanKind.PYTHON);
    }

    @Test
    void theLongestGapsAreKeptLongestFirst() {
        Timeline t = new Timeline().mark(0, 0, 20_000);
        int at = 0;
        for (int i = 0; i < 12; i++) {
            t.kernel("gemm", 7, at, at + 10, 0);
            at += 10 + 150 + 50 * ((i * 5) % 12);
        }
        t.kernel("gemm", 7, at, at + 10, 0).finish();
        assertThat(t.step(0).gaps())
                .hasSize(StepDigest.MAX_GAPS)
                .extracting(g -> g.durationNanos() / 1_000)
                .containsExactly(700L, 650L, 600L, 550L, 500L, 450L, 400L, 350L);
        assertThat(t.own(0)).startsWith("130+0+0+5100/");
    }

    @Test
    void shortGapsAreCountedButNotKept() {
        Timeline t = twoSteps()
                .kernel("gemm", 7, 0, 100, 0)
                .kernel("gemm", 7, 299.999, 400, 0)
                .kernel("gemm", 7, 600, 700, 0)
                .finish();
        assertThat(t.gaps(0)).containsExactly("400-600 ?");
        assertThat(t.step(0).own().idleNanos()).isEqualTo(399_999);
    }
}
