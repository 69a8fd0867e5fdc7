package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.live.StepOverview.KernelSpread;
import dev.argus.hostlocal.live.StepOverview.PhaseSpread;
import dev.argus.hostlocal.live.StepOverview.Spread;
import dev.argus.model.DurationSummary;
import dev.argus.model.KernelWindow;
import dev.argus.model.OwnTime;
import dev.argus.model.PackedKernels;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.StepDigest;
import dev.argus.model.StreamKernel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A step over its ranks. */
class StepOverviewTest {
    private static RankStep rank(int rank, long nanos, List<PhaseTime> phases, @Nullable KernelWindow kernels) {
        return new RankStep(
                new StepDigest(
                        0,
                        rank,
                        7,
                        1000 - rank,
                        nanos,
                        false,
                        false,
                        true,
                        new OwnTime(nanos, 0, 0, 0, 0),
                        0,
                        0,
                        1,
                        1,
                        phases,
                        List.of(),
                        List.of()),
                kernels);
    }

    private static StreamKernel kernel(int name, int stream, long... events) {
        return new StreamKernel(name, stream, 0, DurationSummary.ofEvents(events));
    }

    private static KernelWindow window(int rank, StreamKernel... kernels) {
        return new KernelWindow(0, rank, 7, List.of(kernels), List.of(), 0);
    }

    @Test
    void lengthsAndPhases() {
        StepOverview o = StepOverview.of(new JobStep(
                0,
                7,
                List.of(
                        rank(0, 100, List.of(new PhaseTime(Phase.FORWARD, 30, 0)), null),
                        rank(2, 140, List.of(), null),
                        rank(5, 140, List.of(new PhaseTime(Phase.FORWARD, 20, 0)), null),
                        rank(6, 110, List.of(new PhaseTime(Phase.BACKWARD, 70, 0)), null))));
        assertThat(o.step()).isEqualTo(7);
        assertThat(o.startNanos()).isEqualTo(994);
        assertThat(o.length()).isEqualTo(new Spread(140, 140, 2, 4));
        assertThat(o.phases())
                .containsExactly(
                        new PhaseSpread(Phase.FORWARD, new Spread(30, 30, 0, 2)),
                        new PhaseSpread(Phase.BACKWARD, new Spread(70, 70, 6, 1)));
        assertThat(o.kernels()).isEmpty();
    }

    @Test
    void kernelsWithTheirStreamsTogether() {
        List<RankStep> ranks = List.of(
                rank(0, 1, List.of(), window(0, kernel(4, 7, 10, 10), kernel(9, 7, 1), kernel(4, 8, 40))),
                rank(1, 1, List.of(), window(1, kernel(4, 7, 12, 12))),
                rank(2, 1, List.of(), window(2)),
                rank(3, 1, List.of(), window(3, kernel(4, 7, 30))));
        StepOverview o = StepOverview.of(new JobStep(0, 7, ranks));
        assertThat(o.kernels())
                .as("means of 20, 12 and 30")
                .containsExactly(
                        new KernelSpread(4, -1, 6, 114, new Spread(20, 30, 3, 3)),
                        new KernelSpread(9, -1, 1, 1, new Spread(1, 1, 0, 1)));
        List<RankStep> packed = ranks.stream()
                .map(s -> new RankStep(s.digest(), packed(s.kernels())))
                .toList();
        assertThat(StepOverview.of(new JobStep(0, 7, packed)).kernels()).isEqualTo(o.kernels());
    }

    /** A stage whose kernels of one name are longer is no slow rank among those of another. */
    @Test
    void kernelsAreHeldAgainstThoseWhoDoTheSame() {
        List<RankStep> ranks = List.of(
                rank(0, 1, List.of(), window(0, kernel(4, 7, 10))),
                rank(1, 1, List.of(), window(1, kernel(4, 7, 12))),
                rank(2, 1, List.of(), window(2, kernel(4, 7, 40))),
                rank(3, 1, List.of(), window(3, kernel(4, 7, 41))));
        assertThat(StepOverview.of(new JobStep(0, 7, ranks), rank -> rank / 2).kernels())
                .containsExactly(
                        new KernelSpread(4, 1, 2, 81, new Spread(40, 41, 3, 2)),
                        new KernelSpread(4, 0, 2, 22, new Spread(10, 12, 1, 2)));
    }

    @Test
    void theSlowOneOfTwoRanksIsNotItsOwnMeasure() {
        StepOverview o = StepOverview.of(new JobStep(
                0,
                7,
                List.of(
                        rank(0, 1, List.of(), window(0, kernel(4, 7, 10))),
                        rank(1, 1, List.of(), window(1, kernel(4, 7, 16))))));
        assertThat(o.kernels()).containsExactly(new KernelSpread(4, -1, 2, 26, new Spread(10, 16, 1, 2)));
    }

    private static @Nullable KernelWindow packed(@Nullable KernelWindow w) {
        if (w == null) {
            return null;
        }
        PackedKernels.Builder of = new PackedKernels.Builder(w.kernels().size());
        w.kernels().forEach(of::add);
        return w.with(of.build());
    }
}
