package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import org.junit.jupiter.api.Test;

/** A job in which launching takes longer than computing, and whose CPUs do not wait for their GPUs: whoever is last stays last. */
class LagsTest {
    private static final long BETWEEN_LAUNCHES = 25_000;

    private static FakeJob job(long betweenLaunches) {
        return FakeJob.of(16, 3).withoutPhases(betweenLaunches);
    }

    @Test
    void whoLaunchesLateButNoSlowerIsNotAccused() {
        Concluded said =
                job(BETWEEN_LAUNCHES).fault(5, 0, c -> c.scatteredMillis = 20).diagnose();
        assertThat(said.incidents()).isEmpty();
    }

    @Test
    void whoLaunchesMoreSlowlyIs() {
        Concluded said = job(BETWEEN_LAUNCHES)
                .fault(5, 0, c -> {
                    c.scatteredMillis = 20;
                    c.launch = 1.3;
                })
                .diagnose();
        assertThat(said.incidents()).singleElement().satisfies(LagsTest::isTheStallOfRank5);
    }

    @Test
    void soIsWhoPausesInEveryStep() {
        Concluded said =
                job(BETWEEN_LAUNCHES).fault(5, 0, c -> c.gap(20, false, "")).diagnose();
        assertThat(said.incidents()).singleElement().satisfies(LagsTest::isTheStallOfRank5);
    }

    /** What is not known excuses nobody. */
    @Test
    void soIsWhoLaunchesLateWhereNoLaunchesAreRecorded() {
        Concluded said = job(0).fault(5, 0, c -> c.scatteredMillis = 20).diagnose();
        assertThat(said.incidents()).singleElement().satisfies(LagsTest::isTheStallOfRank5);
    }

    /** Nor does what is recorded of so few launches that their pace is not known. */
    @Test
    void soIsWhoLaunchesLateWhereThePaceIsNotKnown() {
        Concluded said = job(-1).fault(5, 0, c -> c.scatteredMillis = 20).diagnose();
        assertThat(said.incidents()).singleElement().satisfies(LagsTest::isTheStallOfRank5);
    }

    /** More pauses than are kept one by one are not many late launches. */
    @Test
    void soIsWhoPausesMoreOftenThanIsKept() {
        Concluded said = job(BETWEEN_LAUNCHES)
                .fault(5, 0, c -> {
                    c.scatteredMillis = 20;
                    for (int i = 0; i < 8; i++) {
                        c.gap(1, false, "");
                    }
                })
                .diagnose();
        assertThat(said.incidents()).singleElement().satisfies(LagsTest::isTheStallOfRank5);
    }

    private static void isTheStallOfRank5(Incident incident) {
        assertThat(incident.kind()).isEqualTo(IncidentKind.CPU_STALL);
        assertThat(incident.ranks()).isEqualTo(RankSet.of(5));
    }
}
