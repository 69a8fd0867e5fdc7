package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.DurationSummary;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.RankSet;
import dev.argus.model.StreamKernel;
import dev.argus.model.Topology;
import dev.argus.sketch.StepWindows;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Signed distance of quantile functions. */
class KernelShiftTest {
    private static final int RANKS = 8;
    private static final int STEPS = 12;
    private final GroupWaitsTest.Collector out = new GroupWaitsTest.Collector();
    private final KernelShift shift = new KernelShift(shape(), Thresholds.DEFAULT);

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

    /** Two shapes of one kernel, half of the launches 100 us, half 200 us; rank 3 with shares and durations of its own. */
    private List<KernelFinding> run(double longShare, double first, double second) {
        return run(longShare, first, second, STEPS, List.of());
    }

    private List<KernelFinding> run(double longShare, double first, double second, int steps, List<Integer> others) {
        Random random = new Random(3);
        KernelShift.State state = shift.fresh(Keys.of(0, 1, 9));
        for (int step = 0; step < steps; step++) {
            for (int rank = 0; rank < RANKS; rank++) {
                boolean edited = rank == 3 || others.contains(rank);
                List<KernelWindow> windows = new ArrayList<>();
                StepWindows window = new StepWindows(0, rank, windows::add);
                for (int i = 0; i < 160; i++) {
                    boolean isLong = i < 160 * (edited ? longShare : 0.5);
                    double base = isLong ? 200_000 * (edited ? second : 1) : 100_000 * (edited ? first : 1);
                    window.add(step, 9, 7, i, (long) (base * (1 + 0.005 * random.nextGaussian())), 0);
                }
                window.flush();
                StreamKernel k = windows.getFirst().kernels().getFirst();
                shift.onRecord(state, new KernelStep(0, rank, step, 9, 0, List.of(k.durations())), out);
            }
        }
        WireWriter to = new WireWriter();
        shift.encode(state, to);
        WireReader from = new WireReader(to.toByteArray());
        KernelShift.State restored = shift.decode(Keys.of(0, 1, 9), from);
        from.expectEnd();
        shift.onTimer(restored, Long.MAX_VALUE, out);
        return out.of(KernelFinding.class);
    }

    @Test
    void slowerInAllModes() {
        KernelFinding f = run(0.5, 1.3, 1.3).getFirst();
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

    /** One shape of two is slow: a finding, and it says that only some durations moved. */
    @Test
    void slowerInOneMode() {
        KernelFinding f = run(0.5, 1, 1.3).getFirst();
        assertThat(f.ratio()).isBetween(1.18, 1.22);
        assertThat(f.signedDistanceRatio()).isBetween(0.18, 0.22);
        assertThat(f.modesRatio()).isBetween(0.45, 0.6);
    }

    /** More launches of the long shape at the peers' durations: other work, not a slow rank. */
    @Test
    void aChangedMixIsNotSlowness() {
        assertThat(run(0.8, 1, 1)).isEmpty();
        assertThat(run(1, 1, 1)).isEmpty();
    }

    /** Slow by just what lies between the shapes: a mode falls on its neighbour's place, the last one cannot. */
    @Test
    void slowByTheDistanceOfTheModesIsFound() {
        assertThat(run(0.5, 2, 2))
                .singleElement()
                .satisfies(f -> assertThat(f.ratio()).isBetween(1.98, 2.02));
    }

    /** Half of the peers slow: two ranks beside the centre are found all the same. */
    @Test
    void severalSlowRanksAreFoundEach() {
        assertThat(run(0.5, 1.2, 1.2, STEPS, List.of(5, 6)))
                .extracting(KernelFinding::rank)
                .containsExactly(3, 5, 6);
    }

    /** Who is faster than its peers is no finding: the distance has a sign. */
    @Test
    void fasterIsNoFinding() {
        assertThat(run(0.5, 0.7, 0.7)).isEmpty();
    }

    @Test
    void justBelowTheThresholdIsNoFinding() {
        assertThat(run(0.5, 1.025, 1.025)).isEmpty();
        assertThat(run(0.5, 1.04, 1.04)).isNotEmpty();
    }

    /** Nobody to compare with: not applicable, and no finding. */
    @Test
    void aSingleRankIsNotComparable() {
        KernelShift.State state = shift.fresh(Keys.of(0, 1, 9));
        for (int step = 0; step < STEPS; step++) {
            DurationSummary d = DurationSummary.ofEvents(new long[] {100_000 + step * 10_000L});
            shift.onRecord(state, new KernelStep(0, 3, step, 9, 0, List.of(d)), out);
        }
        shift.onTimer(state, Long.MAX_VALUE, out);
        assertThat(out.of(KernelFinding.class)).isEmpty();
        assertThat(out.of(KernelShare.class)).hasSize(1);
    }
}
