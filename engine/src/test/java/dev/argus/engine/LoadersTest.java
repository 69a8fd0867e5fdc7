package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** One rank of each tensor-parallel group loads the data of all: what all of these do at once is the job's, as where all ranks load. */
class LoadersTest {
    private static FakeJob job(Predicate<FakeJob.Cell> stalled) {
        return FakeJob.of(16, 3).topology(Topology.ofText("tp=4,dp=4", "given")).fault(c -> {
            if (c.rank % 4 == 0 && stalled.test(c)) {
                c.gap(300 + c.rank, true, "DataLoader.__next__");
            }
        });
    }

    @Test
    void whatAllHaveAtOnceAccusesNobody() {
        assertThat(job(c -> c.step == 110).diagnose().incidents()).isEmpty();
    }

    @Test
    void whatThoseOfOneHostHaveIsTheHosts() {
        assertThat(job(c -> c.step == 110 && c.rank < 8).diagnose().incidents())
                .singleElement()
                .satisfies(i -> {
                    assertThat(i.kind()).isEqualTo(IncidentKind.DATA_STALL);
                    assertThat(i.ranks()).isEqualTo(RankSet.range(0, 7));
                });
    }

    @Test
    void whatOneHasIsItsOwn() {
        assertThat(job(c -> c.step == 110 && c.rank == 4).diagnose().incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(4)));
    }

    /** It is no moment that goes on. */
    @Test
    void whatAllHaveInEveryStepIsAnIncident() {
        assertThat(job(c -> c.step >= 110).diagnose().incidents()).isNotEmpty();
    }
}
