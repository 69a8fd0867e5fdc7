package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.RankSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pauses too short to accuse anybody, for each of which the job waited: steps of some 100 ms, pauses of 5. */
class PausesOfOneRankTest {
    private static final Set<Long> STEPS = Set.of(104L, 109L, 113L);

    /** @param turns who pauses in each of the steps */
    private static FakeJob job(int... turns) {
        return FakeJob.of(16, 7).fault(c -> {
            int turn = (int) STEPS.stream().filter(s -> s < c.step).count();
            if (STEPS.contains(c.step) && c.rank == turns[turn]) {
                c.gap(5, false, "");
            }
        });
    }

    @Test
    void areObservedOfTheRankThatHasThemAll() {
        Concluded said = job(5, 5, 5).diagnose();
        assertThat(said.incidents()).isEmpty();
        assertThat(said.observations())
                .filteredOn(i -> i.ranks().equals(RankSet.of(5)))
                .singleElement()
                .satisfies(i -> assertThat(i.firstStep()).isEqualTo(104))
                .satisfies(i -> assertThat(i.lastStep()).isEqualTo(113));
    }

    @Test
    void areNobodysWhereEachHasOne() {
        Concluded said = job(5, 11, 2).diagnose();
        assertThat(said.incidents()).isEmpty();
        assertThat(said.observations()).noneMatch(i -> i.ranks().size() == 1);
    }

    @Test
    void areChanceWhereThereAreTwo() {
        Concluded said = job(5, 5, 99).diagnose();
        assertThat(said.observations()).noneMatch(i -> i.ranks().equals(RankSet.of(5)));
    }
}
