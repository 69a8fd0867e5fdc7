package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When much of a job stood still at once. */
class CommonMomentsTest {
    /** A peer set, with the shares of its ranks and hosts that were away in steps from 10 on. */
    private static WorkReference of(int ranks, double hosts, double... away) {
        double[] zero = new double[away.length];
        double[] on = new double[away.length];
        for (int i = 0; i < away.length; i++) {
            on[i] = away[i] > 0 ? hosts : 0;
        }
        long[] steps = LongStream.range(10, 10 + away.length).toArray();
        return new WorkReference(0, ranks, ranks, steps, zero, zero, zero, zero, away, on, 0, 0);
    }

    @Test
    void aThirdOfTheRanksOverTheHostsIsAMoment() {
        assertThat(CommonMoments.steps(List.of(of(12, 1, 0, 0.34, 0, 0)))).containsExactly(11L);
        assertThat(CommonMoments.steps(List.of(of(12, 1, 0, 0.32, 0, 0)))).isEmpty();
        assertThat(CommonMoments.steps(List.of())).isEmpty();
    }

    @Test
    void aMomentOnTheBorderOfTwoStepsLiesInBoth() {
        assertThat(CommonMoments.steps(List.of(of(12, 0.6, 0, 0.1, 0.25, 0, 0))))
                .isEqualTo(Set.of(11L, 12L));
    }

    @Test
    void whatOneOfTwoHostsHasIsItsOwn() {
        assertThat(CommonMoments.steps(List.of(of(16, 0.5, 0, 0.5, 0)))).isEmpty();
    }

    @Test
    void whatGoesOnIsNoMoment() {
        assertThat(CommonMoments.steps(List.of(of(12, 1, 0, 0.5, 0.5, 0.5, 0, 0, 0.5))))
                .containsExactly(16L);
    }

    @Test
    void threeRanksAreNoMomentAndAllPeerSetsCountTogether() {
        assertThat(CommonMoments.steps(List.of(of(3, 1, 1)))).isEmpty();
        assertThat(CommonMoments.steps(List.of(of(8, 1, 0, 1), of(16, 1, 0, 0))))
                .isEmpty();
        assertThat(CommonMoments.steps(List.of(of(16, 1, 0, 1), of(8, 1, 0, 0))))
                .containsExactly(11L);
    }

    @Test
    void twoNeighbouringStepsAreOneMoment() {
        assertThat(CommonMoments.count(new TreeMap<>(), 12)).isZero();
        assertThat(CommonMoments.count(pauses(Map.of(3L, Set.of(0, 1), 4L, Set.of(2, 3))), 12))
                .isEqualTo(1);
        assertThat(CommonMoments.count(pauses(Map.of(3L, Set.of(0, 1), 5L, Set.of(2, 3))), 12))
                .isEqualTo(2);
        assertThat(CommonMoments.count(pauses(Map.of(3L, Set.of(0, 1), 4L, Set.of(2, 3), 5L, Set.of(4, 5))), 12))
                .isEqualTo(2);
    }

    @Test
    void aRankAfterTheOtherIsAMomentEach() {
        assertThat(CommonMoments.count(pauses(Map.of(3L, Set.of(0), 4L, Set.of(7), 5L, Set.of(2))), 12))
                .isEqualTo(3);
    }

    private static SortedMap<Long, Set<Integer>> pauses(Map<Long, Set<Integer>> ranks) {
        return new TreeMap<>(ranks);
    }
}
