package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Sixteen ranks on hosts of four, twelve steps; launches wander by 0.5 %. */
class LaunchPaceTest {
    private static final int RANKS = 16;
    private static final int STEPS = 12;

    /** Four, each on a host of its own. */
    private static final List<RankSet> STAGES =
            List.of(RankSet.range(0, 3), RankSet.range(4, 7), RankSet.range(8, 11), RankSet.range(12, 15));

    private final GroupWaitsTest.Collector out = new GroupWaitsTest.Collector();
    private List<RankSet> peerSets = List.of(RankSet.range(0, RANKS - 1));

    private int hostRanks = 4;

    private BiPredicate<Integer, Integer> byLaunches = (rank, step) -> true;

    /** How much slower a rank launches in a step. */
    private interface Slower {
        double at(int rank, int step);
    }

    private List<LaunchFinding> found(Slower slower) {
        return found(slower, rank -> 1);
    }

    private List<LaunchFinding> found(Slower slower, IntToDoubleFunction work) {
        Map<Integer, String> hosts = new HashMap<>();
        for (int rank = 0; rank < RANKS; rank++) {
            hosts.put(rank, "host" + rank / hostRanks);
        }
        JobShape shape = new JobShape(
                0,
                RANKS,
                RankSet.range(0, RANKS - 1),
                hosts,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                peerSets,
                peerSets.stream().map(RankSet::toString).toList());
        LaunchPace pace = new LaunchPace(shape, Thresholds.DEFAULT);
        LaunchPace.State state = pace.fresh(Keys.of(0, 0, 0));
        Random random = new Random(7);
        for (int step = 0; step < STEPS; step++) {
            for (int rank = 0; rank < RANKS; rank++) {
                double span = 50e6 * work.applyAsDouble(rank) * slower.at(rank, step);
                long nanos = (long) (span * (1 + 0.005 * random.nextGaussian()));
                pace.onRecord(
                        state, new LaunchStep(0, rank, 100 + step, nanos, byLaunches.test(rank, step), 1000, 0), out);
            }
        }
        pace.onTimer(state, 0, out);
        return out.partials.stream()
                .filter(LaunchFinding.class::isInstance)
                .map(LaunchFinding.class::cast)
                .toList();
    }

    @Test
    void healthyRanksAreSilent() {
        assertThat(found((rank, step) -> 1)).isEmpty();
    }

    @Test
    void aRankThatLaunchesSlowlyIsAccused() {
        assertThat(found((rank, step) -> rank == 5 && step >= 6 ? 1.3 : 1))
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.rank()).isEqualTo(5);
                    assertThat(f.firstStep()).isEqualTo(106);
                    assertThat(f.lastStep()).isEqualTo(111);
                    assertThat(f.ratio()).isCloseTo(1.3, within(0.02));
                    assertThat(f.observed()).isFalse();
                    assertThat(f.itself()).isFalse();
                    assertThat(f.ownHistory()).isTrue();
                });
    }

    @Test
    void aLittleIsObserved() {
        assertThat(found((rank, step) -> rank == 5 ? 1.04 : 1)).singleElement().satisfies(f -> {
            assertThat(f.rank()).isEqualTo(5);
            assertThat(f.observed()).isTrue();
        });
    }

    @Test
    void aHostWhoseRanksAllLaunchALittleSlowly() {
        assertThat(found((rank, step) -> rank / 4 == 2 ? 1.025 : 1))
                .allMatch(LaunchFinding::observed)
                .extracting(LaunchFinding::rank)
                .containsExactly(8, 9, 10, 11);
    }

    @Test
    void lessThanThatIsHowHostsDiffer() {
        assertThat(found((rank, step) -> rank / 4 == 2 ? 1.012 : 1)).isEmpty();
        assertThat(found((rank, step) -> rank == 5 ? 1.015 : 1)).isEmpty();
    }

    /** A rank that stands still in one step of three launches late in these, and its other launches take no longer. */
    @Test
    void pausesNowAndThenAreNoSlowLaunches() {
        assertThat(found((rank, step) -> rank == 5 && step % 3 == 0 ? 9 : 1)).isEmpty();
    }

    /** Phases last longer than what is launched in them: whose launches are not recorded, always or at times, is no slower for that. */
    @Test
    void paceByPhasesIsNotHeldAgainstPaceByLaunches() {
        byLaunches = (rank, step) -> rank / 4 != 1;
        assertThat(found((rank, step) -> rank / 4 == 1 ? 1.6 : 1)).isEmpty();
        byLaunches = (rank, step) -> rank != 5 || step < 6;
        assertThat(found((rank, step) -> rank == 5 && step >= 6 ? 1.6 : 1)).isEmpty();
        byLaunches = (rank, step) -> rank == 5;
        assertThat(found((rank, step) -> rank == 5 ? 1 : 1.6)).isEmpty();
    }

    /** Each stage lives on one host: nobody elsewhere does the same work, but the host did it faster before. */
    @Test
    void aStageOnOneHostIsHeldAgainstItself() {
        peerSets = STAGES;
        List<LaunchFinding> found =
                found((rank, step) -> rank / 4 == 1 && step >= 2 ? 1.2 : 1, rank -> 1 + 0.1 * Math.floorDiv(rank, 4));
        assertThat(found)
                .allMatch(f -> f.itself() && !f.observed() && f.firstStep() == 102)
                .extracting(LaunchFinding::rank)
                .containsExactly(4, 5, 6, 7);
    }

    /** Of four stages, each on a host of its own, three launch at the same pace although their work differs. */
    @Test
    void aStageThatAlwaysLaunchesMoreSlowlyThanOthersThatAgree() {
        peerSets = STAGES;
        assertThat(found((rank, step) -> rank / 4 == 1 ? 1.5 : 1, rank -> 1 + 0.02 * Math.floorDiv(rank, 4)))
                .allMatch(f -> !f.itself() && !f.observed())
                .extracting(LaunchFinding::rank)
                .containsExactly(4, 5, 6, 7);
    }

    @Test
    void aStageThatLaunchesALittleMoreSlowlyHasOtherWork() {
        peerSets = STAGES;
        assertThat(found((rank, step) -> rank / 4 == 1 ? 1.25 : 1)).isEmpty();
    }

    @Test
    void whereStagesDifferOneMayDifferMore() {
        peerSets = STAGES;
        assertThat(found((rank, step) -> rank / 4 == 1 ? 1.5 : 1, rank -> 1 + 0.15 * Math.floorDiv(rank, 4)))
                .isEmpty();
    }

    @Test
    void ofTwoStagesNobodyKnowsWhichOneIsUsual() {
        peerSets = List.of(RankSet.range(0, 7), RankSet.range(8, 15));
        hostRanks = 8;
        assertThat(found((rank, step) -> rank < 8 ? 1.5 : 1)).isEmpty();
    }
}
