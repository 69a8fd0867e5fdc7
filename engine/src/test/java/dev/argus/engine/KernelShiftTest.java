package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.JobShape;
import dev.argus.model.KernelClass;
import dev.argus.model.KernelSummary;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Signed distance of quantile functions. */
class KernelShiftTest {
    private static final int RANKS = 8;
    private static final int STEPS = 12;
    private final GroupWaitsTest.Collector out = new GroupWaitsTest.Collector();

    private static JobShape shape() {
        RankSet all = RankSet.range(0, RANKS - 1);
        return new JobShape(
                0,
                RANKS,
                all,
                Map.of(),
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                List.of(all),
                List.of("all"));
    }

    /** Two shapes of one kernel, half of the launches 100 us, half 200 us; rank 3 edited knot by knot. */
    private List<KernelFinding> run(KernelClass kernelClass, DoubleUnaryOperator edit) {
        Random random = new Random(3);
        KernelShift shift = new KernelShift(shape(), Thresholds.DEFAULT);
        KernelShift.State state = shift.fresh(Keys.of(0, 1, 9));
        for (int step = 0; step < STEPS; step++) {
            for (int rank = 0; rank < RANKS; rank++) {
                double[] knots = new double[KernelSummary.KNOTS];
                double sum = 0;
                for (int k = 0; k < knots.length; k++) {
                    double base = (k < knots.length / 2 ? 100_000 : 200_000) * (1 + 0.002 * random.nextGaussian());
                    knots[k] = rank == 3 ? edit.applyAsDouble(k / (double) knots.length) * base : base;
                    sum += knots[k];
                }
                shift.onRecord(
                        state, new KernelSummary(0, rank, step, 9, kernelClass, 160, (long) (sum * 10), 0, knots), out);
            }
        }
        shift.onTimer(state, Long.MAX_VALUE, out);
        return out.of(KernelFinding.class);
    }

    @Test
    void slowerInAllModes() {
        KernelFinding f = run(KernelClass.COMPUTE, q -> 1.3).getFirst();
        assertThat(f.rank()).isEqualTo(3);
        assertThat(f.ratio()).isBetween(1.29, 1.31);
        assertThat(f.signedDistanceRatio()).isBetween(0.29, 0.31);
        assertThat(f.modesRatio()).isEqualTo(1);
        assertThat(f.firstStep()).isZero();
        assertThat(f.lastStep()).isEqualTo(STEPS - 1);
        // 160 launches of 150 us, 30 % longer.
        assertThat(f.impactNanos()).isBetween(0.29 * 160 * 150_000, 0.31 * 160 * 150_000);
        assertThat(out.of(KernelShare.class))
                .singleElement()
                .satisfies(s -> assertThat(s.nanosPerStep()).isBetween(23.9e6, 24.1e6));
    }

    /** More launches of the long shape: some of the quantile function moved, not all. */
    @Test
    void aChangedMixIsNotAllModes() {
        KernelFinding f =
                run(KernelClass.COMPUTE, q -> q >= 0.25 && q < 0.5 ? 2 : 1).getFirst();
        assertThat(f.ratio()).isGreaterThan(1.1);
        assertThat(f.signedDistanceRatio()).isPositive();
        assertThat(f.modesRatio()).isLessThan(0.9);
    }

    /** Who is faster than its peers is no finding: the distance has a sign. */
    @Test
    void fasterIsNoFinding() {
        assertThat(run(KernelClass.COMPUTE, q -> 0.7)).isEmpty();
    }

    @Test
    void belowTheThresholdIsNoFinding() {
        assertThat(run(KernelClass.COMPUTE, q -> 1.01)).isEmpty();
    }

    /** Communication lasts as long as the wait: it is judged by the ledger, not here. */
    @Test
    void communicationIsNotJudgedHere() {
        assertThat(run(KernelClass.COMMUNICATION, q -> 1.5)).isEmpty();
        assertThat(out.of(KernelShare.class)).isEmpty();
    }
}
