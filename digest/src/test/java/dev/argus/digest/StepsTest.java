package dev.argus.digest;

import static dev.argus.digest.Timeline.NO_LAUNCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.AssembledTrace.DeviceFacts;
import dev.argus.digest.AssembledTrace.StepSource;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.StepDigest;
import dev.argus.model.TraceFacts.StepDuration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where the steps are from and what a digest says of its step. */
class StepsTest {
    private static List<String> steps(Timeline t) {
        return t.digests.stream()
                .map(d ->
                        d.step() + "@" + (d.startNanos() - Timeline.nanos(0)) / 1_000 + "+" + d.durationNanos() / 1_000)
                .toList();
    }

    @Test
    void aStepLastsUntilTheNextMark() {
        Timeline t = new Timeline()
                .mark(8, 1_000, 1_700)
                .mark(7, 0, 900)
                .kernel("gemm", 7, 0, 10, 0)
                .finish();
        assertThat(steps(t)).containsExactly("7@0+1000", "8@1000+700");
        assertThat(t.digests).extracting(StepDigest::last).containsExactly(false, true);
        assertThat(t.digests).extracting(StepDigest::rank).containsOnly(3);
        assertThat(t.trace().steps()).containsExactly(new StepDuration(7, 900_000), new StepDuration(8, 700_000));
        assertThat(t.trace().stepSource()).isEqualTo(StepSource.MARKS);
    }

    /** Four steps of 100 on the GPU, launched 10 apart; then the CPU waits for the result. */
    private static Timeline ahead(int steps) {
        Timeline t = new Timeline();
        for (int k = 0; k < steps; k++) {
            boolean waits = k == steps - 1;
            t.mark(k, 10 * k, waits ? 100 * steps + 5 : 10 * k + 10);
            t.kernel("gemm", 7, 100 * k + 5, 100 * k + 65, 10 * k + 1);
            t.kernel("gemm", 7, 100 * k + 70, 100 * k + 105, 10 * k + 2);
        }
        return t;
    }

    @Test
    void stepsOfACpuThatRunsAheadLastAsLongAsTheGpuHasThem() {
        Timeline t = ahead(4).finish();
        assertThat(steps(t)).containsExactly("0@0+105", "1@105+100", "2@205+100", "3@305+100");
        assertThat(t.digests)
                .allSatisfy(d -> assertThat(d.own().computeNanos()
                                + d.own().copyNanos()
                                + d.own().exposedCommNanos()
                                + d.own().idleNanos())
                        .as("every nanosecond of step " + d.step())
                        .isEqualTo(d.durationNanos()));
        assertThat(t.trace().steps())
                .as("marks as they are")
                .startsWith(new StepDuration(0, 10_000), new StepDuration(1, 10_000));
    }

    @Test
    void aStepBeginsWithItsMarkWhereTheGpuWaitsForTheCpu() {
        Timeline t = ahead(4).mark(4, 450, 600)
                .kernel("gemm", 7, 500, 560, 490)
                .mark(5, 600, 700)
                .kernel("gemm", 7, 610, 690, 605)
                .finish();
        assertThat(steps(t))
                .containsExactly("0@0+105", "1@105+100", "2@205+100", "3@305+145", "4@450+150", "5@600+100");
    }

    /** Steps of one kernel each: begin and end of the mark, begin and end of the kernel, its launch. */
    private static Timeline of(double[]... steps) {
        Timeline t = new Timeline();
        for (int k = 0; k < steps.length; k++) {
            double[] s = steps[k];
            t.mark(k, s[0], s[1]).kernel("gemm", 7, s[2], s[3], s[4]);
        }
        return t;
    }

    /** A rank that waits in a collective for one that is late: its CPU goes on to the next step meanwhile. */
    @Test
    void oneStepAheadIsEnough() {
        Timeline t = of(
                new double[] {0, 100, 5, 95, 2},
                new double[] {100, 110, 105, 195, 102},
                new double[] {110, 120, 200, 290, 112},
                new double[] {120, 400, 300, 390, 122});
        assertThat(steps(t.finish())).containsExactly("0@0+100", "1@100+95", "2@195+95", "3@290+110");
    }

    /** As most do who wait for the loss of each step. */
    @Test
    void marksCountWhereTheCpuIsNeverAStepAhead() {
        Timeline t = of(new double[] {0, 100, 5, 130, 2}, new double[] {100, 200, 130, 230, 102}, new double[] {
            200, 330, 230, 330, 202
        });
        assertThat(steps(t.finish())).containsExactly("0@0+100", "1@100+100", "2@200+130");
    }

    @Test
    void workBehindTheLastMarkMakesNoStepLonger() {
        Timeline t = ahead(4).kernel("late", 7, 450, 900, 440).finish();
        assertThat(steps(t)).containsExactly("0@0+105", "1@105+100", "2@205+100", "3@305+100");
    }

    @Test
    void ofACutRecordTheLastStepIsPartial() {
        Timeline t = new Timeline().mark(0, 0, 900).mark(1, 900, 950).kernel("gemm", 7, 0, 10, 0);
        assertThat(t.finish(true).digests).extracting(StepDigest::partial).containsExactly(false, true);
        t.digests.clear();
        assertThat(t.finish(false).digests).extracting(StepDigest::partial).containsExactly(false, false);
    }

    /** Lost buffers: a step whose launches have no kernels is a hole in the record, not an idle GPU. */
    @Test
    void aStepThatLostItsKernelsIsPartial() {
        Timeline t = new Timeline().mark(0, 0, 1_000).mark(1, 1_000, 2_000);
        for (int i = 0; i < 10; i++) {
            t.kernel("gemm", 7, 10 * i, 10 * i + 5, 10 * i);
            t.launch(100 + i, 1_000 + 10 * i);
        }
        t.kernel("gemm", 7, 1_500, 1_600, 1_400).finish();
        assertThat(t.digests).extracting(StepDigest::partial).containsExactly(false, true);
        assertThat(t.trace().lostLaunches()).isEqualTo(10);
    }

    @Test
    void aFewFailedLaunchesSpoilNothing() {
        Timeline t = new Timeline().mark(0, 0, 1_000);
        for (int i = 0; i < 100; i++) {
            t.kernel("gemm", 7, 10 * i, 10 * i + 5, 10 * i);
        }
        t.launch(1_001, 5).launch(1_002, 6).launch(1_003, 7).launch(1_004, 8).finish();
        assertThat(t.digests).extracting(StepDigest::partial).containsExactly(false);
        assertThat(t.trace().lostLaunches()).isZero();
    }

    @Test
    void k14OfMarksWithOneNumberTheLongestCounts() {
        Timeline t = new Timeline()
                .mark(3, 0, 1_000)
                .mark(3, 1_200, 1_201)
                .mark(3, 400, 400.5)
                .mark(4, 1_000, 2_000)
                .kernel("gemm", 7, 0, 10, 0)
                .finish();
        assertThat(steps(t)).containsExactly("3@0+1000", "4@1000+1000");
        assertThat(t.trace().steps()).containsExactly(new StepDuration(3, 1_000_000), new StepDuration(4, 1_000_000));
    }

    @Test
    void k13ShadowsOnTheGpuServeOnlyWithoutMarksOfTheCpu() {
        Timeline t = new Timeline().gpuMark(5, 100, 900).gpuMark(6, 950, 1_900).kernel("gemm", 7, 100, 200, NO_LAUNCH);
        t.finish();
        assertThat(t.trace().stepSource()).isEqualTo(StepSource.GPU_MARKS);
        assertThat(steps(t)).containsExactly("5@100+850", "6@950+950");
        assertThat(t.trace().steps()).as("marks of the CPU").isEmpty();
        t.digests.clear();
        t.mark(5, 0, 800).finish();
        assertThat(t.trace().stepSource()).isEqualTo(StepSource.MARKS);
        assertThat(steps(t)).containsExactly("5@0+800");
    }

    @Test
    void k13TheOptimizerEndsAStep() {
        Timeline t = new Timeline().kernel("gemm", 7, 0, 10, 0);
        for (int i = 1; i <= 3; i++) {
            t.span("Optimizer.step#AdamW.step", 5_000 * i - 300, 5_000 * i - 10)
                    .span("Optimizer.zero_grad#AdamW.zero_grad", 5_000 * i - 9, 5_000 * i);
        }
        t.finish();
        assertThat(t.trace().stepSource()).isEqualTo(StepSource.OPTIMIZER);
        assertThat(steps(t)).containsExactly("0@0+4990", "1@4990+5000", "2@9990+5000");
    }

    @Test
    void k13SeveralOptimizersInARowEndOneStep() {
        Timeline t = new Timeline().kernel("gemm", 7, 0, 10, 0);
        for (int i = 1; i <= 3; i++) {
            t.span("Optimizer.step#AdamW.step", 5_000 * i - 300, 5_000 * i - 200)
                    .span("Optimizer.step#Muon.step", 5_000 * i - 190, 5_000 * i);
        }
        assertThat(t.finish().digests).hasSize(3);
    }

    @Test
    void k13ARangeThatRepeatsAndCoversMostOfTheRecord() {
        Timeline t = new Timeline().kernel("gemm", 7, 0, 10, 0);
        for (int i = 0; i < 3; i++) {
            t.span("iteration", 2_000 * i, 2_000 * i + 1_800).span("forward", 2_000 * i, 2_000 * i + 1_100);
        }
        t.finish();
        assertThat(t.trace().stepSource()).isEqualTo(StepSource.ANNOTATION);
        assertThat(steps(t)).containsExactly("0@0+2000", "1@2000+2000", "2@4000+1800");
    }

    /** Rows of optimizer kernels, with a norm of the gradients before that belongs to them, in steps of ten kernels. */
    private static Timeline training(int steps, int uneven) {
        Timeline t = new Timeline();
        for (int s = 0; s < steps; s++) {
            int at = 10_000 * s;
            for (int k = 0; k < (s == uneven ? 30 : 10); k++) {
                t.kernel("gemm_lambda" + k, 7, at + 100 * k + 50, at + 100 * k + 90, at + 100 * k);
            }
            t.kernel("multi_tensor_apply_kernel<L2Norm>", 7, at + 5_000, at + 5_100, at + 4_900);
            t.kernel("multi_tensor_apply_kernel<Adam>", 7, at + 6_000, at + 6_100, at + 5_900);
        }
        return t;
    }

    @Test
    void k13KernelsOfTheOptimizerEndAStep() {
        Timeline t = training(4, -1).finish();
        assertThat(t.trace().stepSource()).isEqualTo(StepSource.OPTIMIZER_KERNELS);
        assertThat(steps(t)).containsExactly("0@0+10000", "1@10000+10000", "2@20000+10000", "3@30000+6100");
        assertThat(t.digests).extracting(StepDigest::kernelCount).containsOnly(12L);
    }

    @Test
    void k13UnevenOrFewRowsOfOptimizerKernelsAreNoSteps() {
        assertThat(training(4, 2).finish().trace().stepSource()).isEqualTo(StepSource.NONE);
        assertThat(training(2, -1).finish().trace().stepSource()).isEqualTo(StepSource.NONE);
    }

    @Test
    void k13TwoRepetitionsAreNoPeriodAndTheWholeRecordIsOneStep() {
        Timeline t = new Timeline()
                .kernel("gemm", 7, 10, 20, 0)
                .span("iteration", 0, 1_800)
                .span("iteration", 2_000, 3_800)
                .span("Optimizer.step#SGD.step", 1_700, 1_800)
                .span("Optimizer.step#SGD.step", 3_700, 3_800)
                .finish();
        assertThat(t.trace().stepSource()).isEqualTo(StepSource.NONE);
        assertThat(steps(t)).containsExactly("0@0+3800");
    }

    @Test
    void anEmptyRecordGivesNothing() {
        Timeline t = new Timeline().quarantine("untimed").quarantine("untimed").finish();
        assertThat(t.digests).isEmpty();
        assertThat(t.trace().quarantined()).isEqualTo(Map.of("untimed", 2L));
        assertThat(t.trace().gpu()).isFalse();
        assertThat(t.trace().firstNanos()).isZero();
        assertThat(t.trace().devices()).containsExactly(new DeviceFacts(-1, 0, 0, 0, 0));
    }

    @Test
    void d24FactsPerDeviceAndDigestsOfTheBusiest() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .onDevice(0, "gemm", 7, 0, 500)
                .onDevice(1, "gemm", 7, 0, 100)
                .onDevice(1, "gemm", 8, 50, 150)
                .onDevice(1, "ncclDevKernel_Generic", 9, 140, 200)
                .finish();
        assertThat(t.trace().devices())
                .containsExactly(
                        new DeviceFacts(1, 3, 260_000, 60_000, 200_000), new DeviceFacts(0, 1, 500_000, 0, 500_000));
        assertThat(t.own(0)).isEqualTo("150+0+50+0/0");
        assertThat(t.trace().firstNanos()).isEqualTo(Timeline.nanos(0));
        assertThat(t.trace().lastNanos()).isEqualTo(Timeline.nanos(1_000));
    }

    @Test
    void computeGoesToThePhaseThatLaunchedIt() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .mark(1, 1_000, 2_000)
                .span("forward", 0, 400)
                .span("forward_step", 100, 300)
                .span("Optimizer.step#AdamW.step", 900, 1_100)
                .kernel("gemm", 7, 500, 700, 399)
                .kernel("gemm", 7, 700, 750, 400)
                .kernel("adam", 7, 950, 960, 950)
                .finish();
        assertThat(t.step(0).phases())
                .containsExactly(
                        new PhaseTime(Phase.FORWARD, 400_000, 200_000),
                        new PhaseTime(Phase.OPTIMIZER, 100_000, 10_000));
        assertThat(t.step(1).phases()).containsExactly(new PhaseTime(Phase.OPTIMIZER, 100_000, 0));
        assertThat(t.step(1).phaseSpanNanos(Phase.FORWARD)).isEqualTo(-1);
    }

    @Test
    void aForwardPassInsideAnEvaluationIsEvaluation() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .span("evaluate", 0, 500)
                .span("forward", 100, 200)
                .kernel("gemm", 7, 150, 160, 150)
                .finish();
        assertThat(t.step(0).phases())
                .containsExactly(
                        new PhaseTime(Phase.FORWARD, 100_000, 0), new PhaseTime(Phase.EVALUATION, 500_000, 10_000));
    }

    @Test
    void theSignatureIsTheSetOfComputeKernels() {
        Timeline a = new Timeline().mark(0, 0, 100).kernel("gemm", 7, 0, 1, 0).kernel("softmax", 7, 2, 3, 0);
        Timeline b = new Timeline()
                .mark(0, 0, 100)
                .kernel("softmax", 9, 0, 1, 0)
                .kernel("gemm", 7, 2, 3, 0)
                .kernel("gemm", 7, 4, 5, 0)
                .kernel("ncclDevKernel_SendRecv", 7, 6, 7, 0);
        Timeline c = new Timeline().mark(0, 0, 100).kernel("gemm", 7, 0, 1, 0);
        long signature = a.finish().trace().workSignature();
        assertThat(b.finish().trace().workSignature()).isEqualTo(signature);
        assertThat(c.finish().trace().workSignature()).isNotEqualTo(signature);
    }
}
