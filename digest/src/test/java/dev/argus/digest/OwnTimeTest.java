package dev.argus.digest;

import static dev.argus.digest.Timeline.NO_LAUNCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveStat;
import dev.argus.model.CopyDirection;
import dev.argus.model.OwnTime;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Every nanosecond counts once: compute, copy, communication, idle, in this order where several run. */
class OwnTimeTest {
    private static final String NCCL = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL";

    @Test
    void computeBeforeCopyBeforeCommunicationBeforeIdle() {
        Timeline t = new Timeline()
                .mark(0, 0, 400)
                .kernel("gemm", 7, 0, 100, 0)
                .kernel(NCCL, 20, 50, 200, 0)
                .copy(CopyDirection.DEVICE_TO_DEVICE, 8, 150, 250, 0, 10)
                .kernel("gemm", 7, 300, 400, 0)
                .finish();
        assertThat(t.own(0)).isEqualTo("200+100+50+50/0");
        CollectiveStat c = t.step(0).collectives().getFirst();
        assertThat(c.durationNanos()).isEqualTo(150_000);
        assertThat(c.exposedNanos()).as("only compute covers a collective").isEqualTo(100_000);
    }

    @Test
    void overlapOnOneClassCountsOnce() {
        Timeline t = new Timeline()
                .mark(0, 0, 400)
                .kernel("gemm", 7, 0, 100, 0)
                .kernel("gemm", 8, 50, 150, 0)
                .kernel("gemm", 9, 60, 70, 0)
                .finish();
        assertThat(t.own(0)).isEqualTo("150+0+0+0/0");
        assertThat(t.step(0).kernelCount()).isEqualTo(3);
        assertThat(t.trace().devices().getFirst().busyNanos()).isEqualTo(150_000);
        assertThat(t.trace().devices().getFirst().kernelNanos()).isEqualTo(210_000);
    }

    /** K6: (3, 3.776) and (5, 2) on one track: the sum counts both, the union counts the overlap once. */
    @Test
    void k6OverlapOnOneTrackCountsOnceInTheUnion() {
        Timeline t = new Timeline()
                .mark(0, 0, 10)
                .kernel("gemm", 7, 3, 6.776, 1)
                .kernel("gemm", 7, 5, 7, 1)
                .finish();
        assertThat(t.trace().devices().getFirst().kernelNanos()).isEqualTo(5_776);
        assertThat(t.trace().devices().getFirst().busyNanos()).isEqualTo(4_000);
        assertThat(t.step(0).own().computeNanos()).isEqualTo(4_000);
    }

    @Test
    void k7KernelsOfNoLengthCountAndTakeNoTime() {
        Timeline t = new Timeline()
                .mark(0, 0, 400)
                .kernel("gemm", 7, 100, 100, 50)
                .kernel("gemm", 8, 100, 100, 50)
                .kernel("gemm", 7, 100, 300, 50)
                .kernel("gemm", 9, 200, 200, 50)
                .finish();
        assertThat(t.own(0)).isEqualTo("200+0+0+100/100");
        assertThat(t.step(0).kernelCount()).isEqualTo(4);
    }

    @Test
    void k19AGraphIsLaunchedOnceAndItsKernelsCountOneByOne() {
        Timeline t = new Timeline().mark(0, 0, 4_000).launch(900, 10);
        for (int i = 0; i < 300; i++) {
            t.graphKernel("gemm", 7, 20 + 10 * i, 25 + 10 * i, 900);
        }
        t.finish();
        assertThat(t.step(0).kernelCount()).isEqualTo(300);
        assertThat(t.own(0)).as("the host was late once").isEqualTo("1500+0+0+1515/20");
    }

    @Test
    void k20AKernelMayStartBeforeItsLaunch() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .mark(1, 1_000, 2_000)
                .kernel("gemm", 7, -1, 50, 0)
                .kernel("gemm", 7, 999, 1_100, 1_000)
                .finish();
        assertThat(t.own(0)).isEqualTo("50+0+0+949/949");
        assertThat(t.own(1)).isEqualTo("101+0+0+0/0");
        assertThat(t.step(1).kernelCount()).isEqualTo(1);
    }

    @Test
    void k22StreamZeroIsAStream() {
        Timeline t = new Timeline()
                .mark(0, 0, 400)
                .kernel("Cijk_Ailk_Bljk", 0, 0, 100, 0)
                .kernel("rcclGenericKernel", 0, 100, 150, 0)
                .finish();
        assertThat(t.own(0)).isEqualTo("100+0+50+0/0");
        assertThat(t.step(0).collectives().getFirst().stream()).isZero();
    }

    @Test
    void copiesToTheDeviceAreSummed() {
        Timeline t = new Timeline()
                .mark(0, 0, 400)
                .copy(CopyDirection.HOST_TO_DEVICE, 8, 0, 40, 0, 1_000)
                .copy(CopyDirection.HOST_TO_DEVICE, 9, 20, 60, 0, 500)
                .copy(CopyDirection.DEVICE_TO_HOST, 9, 60, 70, 0, 9)
                .finish();
        assertThat(t.own(0)).isEqualTo("0+70+0+0/0");
        assertThat(t.step(0).hostToDeviceNanos()).isEqualTo(80_000);
        assertThat(t.step(0).hostToDeviceBytes()).isEqualTo(1_500);
    }

    /** Microsecond by microsecond, over three steps; the steps together own what the whole has. */
    @RepeatedTest(300)
    void noMicrosecondIsLostOrCountedTwice(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        Timeline t = new Timeline().mark(0, 0, 1_000).mark(1, 1_000, 2_000).mark(2, 2_000, 3_000);
        String[] names = {"gemm", "copy", NCCL};
        boolean[][] runs = new boolean[3][4_000];
        int end = 0;
        for (int stream = 0; stream < 3; stream++) {
            int at = random.nextInt(900);
            while (at < 2_900) {
                int kind = random.nextInt(3);
                int to = at + random.nextInt(120);
                int launch = Math.max(0, at - random.nextInt(700));
                if (kind == 1) {
                    t.copy(CopyDirection.OTHER, stream, at, to, launch, 1);
                } else {
                    t.kernel(names[kind], stream, at, to, launch);
                }
                Arrays.fill(runs[kind], at, to, true);
                end = Math.max(end, to);
                at = to + random.nextInt(1 + random.nextInt(500));
            }
        }
        long[] expected = new long[4];
        for (int micro = 0; micro < end; micro++) {
            int kind = 0;
            while (kind < 3 && !runs[kind][micro]) {
                kind++;
            }
            expected[kind] += 1_000;
        }
        t.finish();
        long[] sums = new long[4];
        long exposed = 0;
        for (int i = 0; i < 3; i++) {
            OwnTime o = t.step(i).own();
            sums[0] += o.computeNanos();
            sums[1] += o.copyNanos();
            sums[2] += o.exposedCommNanos();
            sums[3] += o.idleNanos();
            assertThat(o.hostIdleNanos()).isBetween(0L, o.idleNanos());
            for (CollectiveStat c : t.step(i).collectives()) {
                assertThat(c.exposedNanos()).isEqualTo(uncovered(c, runs[0]));
                exposed += c.exposedNanos();
            }
        }
        assertThat(sums).isEqualTo(expected);
        assertThat(exposed).isGreaterThanOrEqualTo(sums[2]);
    }

    private static long uncovered(CollectiveStat c, boolean[] compute) {
        int from = (int) ((c.startNanos() - Timeline.nanos(0)) / 1_000);
        long uncovered = 0;
        for (int i = from; i < from + c.durationNanos() / 1_000; i++) {
            uncovered += compute[i] ? 0 : 1_000;
        }
        return uncovered;
    }

    @Test
    void workWithoutALaunchBelongsToTheStepItRanIn() {
        Timeline t = new Timeline()
                .mark(0, 0, 100)
                .mark(1, 100, 200)
                .kernel("gemm", 7, 90, 99, NO_LAUNCH)
                .kernel("gemm", 7, 100, 120, NO_LAUNCH)
                .finish();
        assertThat(t.own(0)).isEqualTo("9+0+0+91/0");
        assertThat(t.own(1)).isEqualTo("20+0+0+0/0");
    }
}
