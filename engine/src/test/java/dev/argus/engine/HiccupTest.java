package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.RankSet;
import org.junit.jupiter.api.Test;

/** Steps of 9 ms, in which a pause that nobody would look for is as long as a step. */
class HiccupTest {
    @Test
    void aPauseThatIsOnlyLongAgainstAShortStepAccusesNobody() {
        assertThat(once(8).diagnose().incidents()).isEmpty();
    }

    @Test
    void aLongOneDoes() {
        assertThat(once(60).diagnose().incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(5)));
    }

    @Test
    void soDoShortOnesInEveryStep() {
        assertThat(FakeJob.of(16, 7)
                        .fault(HiccupTest::brief)
                        .fault(5, 0, c -> c.gap(8, false, "DataLoader.__next__"))
                        .diagnose()
                        .incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(5)));
    }

    private static FakeJob once(double millis) {
        return FakeJob.of(16, 7).fault(c -> {
            brief(c);
            if (c.rank == 5 && c.step == 110) {
                c.gap(millis, false, "DataLoader.__next__");
            }
        });
    }

    private static void brief(FakeJob.Cell c) {
        c.compute(0.1);
        c.copyMillis = 0.1;
    }
}
