package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import org.junit.jupiter.api.Test;

/** The first rank logs and saves for all. */
class FirstRankTest {
    private static FakeJob saves(int rank, double more) {
        return FakeJob.of(8, 3).fault(c -> {
            if (c.rank == rank && c.step % 4 == 3) {
                c.gap(130 + (c.step < 110 ? more : 0), true, "");
            }
        });
    }

    @Test
    void whatItDoesInEveryStepIsObserved() {
        Concluded said = FakeJob.of(32, 3).fault(0, 0, c -> c.gap(3, false, "")).diagnose();
        assertThat(said.incidents()).isEmpty();
        assertThat(said.observations()).anySatisfy(o -> assertThat(o.ranks()).isEqualTo(RankSet.of(0)));
    }

    @Test
    void anotherRankIsAccusedOfTheSame() {
        Concluded said = FakeJob.of(32, 3).fault(9, 0, c -> c.gap(3, false, "")).diagnose();
        assertThat(said.incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(9)));
    }

    @Test
    void whatBeganLaterIsNoHabit() {
        Concluded said =
                FakeJob.of(32, 3).fault(0, 110, c -> c.gap(3, false, "")).diagnose();
        assertThat(said.incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(0)));
    }

    @Test
    void pausesOfOneLengthAtEvenDistancesAreObserved() {
        assertThat(saves(0, 0).diagnose().incidents()).isEmpty();
        assertThat(saves(0, 0).diagnose().observations())
                .anySatisfy(o -> assertThat(o.kind()).isEqualTo(IncidentKind.CHECKPOINT));
    }

    @Test
    void ofAnotherRankOrOfOtherLengthsTheyAccuse() {
        assertThat(saves(5, 0).diagnose().incidents()).isNotEmpty();
        assertThat(saves(0, 60).diagnose().incidents()).isNotEmpty();
    }
}
