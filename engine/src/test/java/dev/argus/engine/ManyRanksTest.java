package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What many ranks have together, and what only launches or single kernels show: firing, just not firing, not applicable. */
class ManyRanksTest {
    private static final RankSet HOST0 = RankSet.range(0, 7);
    private static final RankSet HOST1 = RankSet.range(8, 15);

    private static List<Incident> alarms(FakeJob job) {
        return job.diagnose().incidents();
    }

    private static Consumer<FakeJob.Cell> on(RankSet ranks, long from, Consumer<FakeJob.Cell> edit) {
        return c -> {
            if (ranks.contains(c.rank) && c.step >= from) {
                edit.accept(c);
            }
        };
    }

    private static Consumer<FakeJob.Cell> on(RankSet ranks, long from, long to, Consumer<FakeJob.Cell> edit) {
        return on(ranks, from, c -> {
            if (c.step <= to) {
                edit.accept(c);
            }
        });
    }

    private static FakeJob job() {
        return FakeJob.of(24, 7);
    }

    private static Consumer<FakeJob.Cell> slowLaunch(double factor, double idleMillis) {
        return c -> {
            c.launch = factor;
            if (idleMillis > 0) {
                c.gap(idleMillis, false, "");
            }
        };
    }

    @Test
    void aHostThatLaunchesSlowlyAndRunsDry() {
        assertThat(alarms(job().fault(on(HOST1, 108, slowLaunch(1.3, 3)))))
                .singleElement()
                .satisfies(i -> {
                    assertThat(i.kind()).isEqualTo(IncidentKind.HOST_CONTENTION);
                    assertThat(i.ranks()).isEqualTo(HOST1);
                    assertThat(i.firstStep()).isBetween(107L, 108L);
                });
    }

    @Test
    void aRankThatLaunchesSlowlyAndRunsDry() {
        assertThat(alarms(job().fault(on(RankSet.of(5), 108, slowLaunch(1.3, 3)))))
                .singleElement()
                .satisfies(i -> {
                    assertThat(i.kind()).isEqualTo(IncidentKind.CPU_STALL);
                    assertThat(i.ranks()).isEqualTo(RankSet.of(5));
                });
    }

    /** The GPU has work enough: slow launches cost nothing, and nobody is woken for them. */
    @Test
    void slowLaunchesThatCostNothing() {
        assertThat(alarms(job().fault(on(HOST1, 108, slowLaunch(1.3, 0))))).isEmpty();
    }

    @Test
    void launchesJustWithinTheSpread() {
        assertThat(alarms(job().fault(on(HOST1, 108, slowLaunch(1.02, 0.1))))).isEmpty();
    }

    /** Most of the ranks: it is what the job does. */
    @Test
    void mostRanksLaunchSlowly() {
        assertThat(alarms(job().fault(on(RankSet.range(0, 15), 108, slowLaunch(1.3, 0)))))
                .noneMatch(i -> i.kind() == IncidentKind.HOST_CONTENTION);
    }

    @Test
    void halfOfThePeersSlowDownTogether() {
        assertThat(alarms(FakeJob.of(16, 7).fault(on(HOST0, 110, c -> c.compute(1.08)))))
                .singleElement()
                .satisfies(i -> {
                    assertThat(i.kind()).isEqualTo(IncidentKind.COMPUTE_STRAGGLER);
                    assertThat(i.ranks()).isEqualTo(HOST0);
                    assertThat(i.scope()).isEqualTo(Scope.HOST);
                    assertThat(i.firstStep()).isEqualTo(110);
                });
    }

    /** The median of all moves with them, and their own usual does not. */
    @Test
    void halfOfThePeersAreSlowForAWhile() {
        assertThat(alarms(FakeJob.of(16, 7).fault(on(HOST0, 112, 115, c -> c.compute(1.12)))))
                .singleElement()
                .satisfies(i -> {
                    assertThat(i.kind()).isEqualTo(IncidentKind.COMPUTE_STRAGGLER);
                    assertThat(i.ranks()).isEqualTo(HOST0);
                    assertThat(i.firstStep()).isEqualTo(112);
                    assertThat(i.lastStep()).isEqualTo(115);
                });
    }

    @Test
    void halfOfThePeersInTwoSteps() {
        assertThat(alarms(FakeJob.of(16, 7).fault(on(HOST0, 112, 113, c -> c.compute(1.12)))))
                .isEmpty();
    }

    @Test
    void halfOfThePeersWithinTheNoise() {
        assertThat(alarms(FakeJob.of(16, 7).fault(on(HOST0, 110, c -> c.compute(1.008)))))
                .isEmpty();
    }

    /** They got more work to do in the same step. */
    @Test
    void halfOfThePeersWithMoreWork() {
        assertThat(alarms(FakeJob.of(16, 7).fault(on(HOST0, 110, c -> {
                    c.compute(1.08);
                    c.work = 1.08;
                }))))
                .isEmpty();
    }

    /** Work that wanders by 12 % hides the excess of a few kernels in the sum, not in the kernels. */
    @Test
    void kernelsAloneInWanderingWork() {
        assertThat(alarms(FakeJob.of(8, 7).wandering().fault(on(RankSet.of(3), 0, c -> c.memory(2.5)))))
                .singleElement()
                .satisfies(i -> {
                    assertThat(i.ranks()).isEqualTo(RankSet.of(3));
                    assertThat(i.kind()).isEqualTo(IncidentKind.MEMORY_BANDWIDTH_STRAGGLER);
                });
    }

    @Test
    void kernelsWithinWanderingWork() {
        assertThat(alarms(FakeJob.of(8, 7).wandering().fault(on(RankSet.of(3), 0, c -> c.memory(1.02)))))
                .isEmpty();
    }

    private static Consumer<FakeJob.Cell> allPause(double millis, String cover, long... steps) {
        return c -> {
            for (long step : steps) {
                if (c.step == step) {
                    c.gap(millis + c.rank, false, cover);
                }
            }
        };
    }

    @Test
    void allRanksStandStillAtOnce() {
        assertThat(alarms(job().fault(allPause(150, "", 110)))).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.CPU_STALL);
            assertThat(i.scope()).isEqualTo(Scope.JOB);
            assertThat(i.ranks()).isEqualTo(RankSet.EMPTY);
            assertThat(i.firstStep()).isEqualTo(110);
            assertThat(i.lastStep()).isEqualTo(110);
        });
        assertThat(alarms(job().fault(allPause(150, "torch/_inductor/compile_fx.py: compile", 110))))
                .singleElement()
                .satisfies(i -> assertThat(i.kind()).isEqualTo(IncidentKind.JIT_STALL));
    }

    @Test
    void aShortPauseOfAllIsANote() {
        assertThat(alarms(job().fault(allPause(15, "", 110)))).isEmpty();
        assertThat(job().fault(allPause(15, "", 110)).diagnose().observations())
                .anyMatch(o -> o.kind() == IncidentKind.CPU_STALL && o.scope() == Scope.JOB);
    }

    /** Again and again, and nothing says what it is: a way of working. */
    @Test
    void regularPausesOfAllAreNoAlarm() {
        assertThat(alarms(job().fault(allPause(150, "", 104, 110, 116)))).isEmpty();
    }

    private static double[][] excess(int slow, double apart) {
        double[][] x = new double[16][6];
        for (int r = 0; r < 16; r++) {
            for (int s = 0; s < 6; s++) {
                x[r][s] = 100 + (r % 4) * 0.3 + (r < slow ? apart : 0);
            }
        }
        return x;
    }

    @Test
    void twoHalvesAreApart() {
        assertThat(half(8, 6)).isEqualTo(RankSet.range(0, 7));
        assertThat(half(5, 6)).isEqualTo(RankSet.range(0, 4));
        assertThat(half(8, 2)).isNull();
        assertThat(half(0, 0)).isNull();
        assertThat(half(11, 6)).as("more than half: they are the centre").isNull();
    }

    private static @Nullable RankSet half(int slow, double apart) {
        return ranks(new WorkNoise(excess(slow, apart), 0.5).slowerHalf(0.03));
    }

    private static @Nullable RankSet ranks(boolean @Nullable [] which) {
        return which == null
                ? null
                : RankSet.of(
                        IntStream.range(0, which.length).filter(r -> which[r]).toArray());
    }

    @Test
    void twoHalvesAreApartForAWhile() {
        assertThat(halfFor(s -> s >= 4 && s < 7 ? 0 : -1)).isEqualTo(RankSet.range(0, 7));
        assertThat(halfFor(s -> s >= 4 && s < 6 ? 0 : -1)).as("two steps").isNull();
        assertThat(halfFor(s -> s >= 4 && s < 7 ? s : -1))
                .as("others each time")
                .isNull();
    }

    /** Ten steps of sixteen ranks, of which eight from one on are slow; below 0 none. */
    private static @Nullable RankSet halfFor(IntUnaryOperator from) {
        double[][] x = new double[16][10];
        for (int r = 0; r < 16; r++) {
            for (int s = 0; s < 10; s++) {
                int slow = from.applyAsInt(s);
                x[r][s] = 100 + (r % 4) * 0.3 + (slow >= 0 && (r - slow + 16) % 16 < 8 ? 6 : 0);
            }
        }
        return ranks(new WorkNoise(x, 0.5).slowerHalfFor(3, 0.03));
    }
}
