package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import org.junit.jupiter.api.Test;

/** Transfers of a group of which one member did not report take longer: is it the member, or the network? */
class MissingMemberTest {
    private static final long[] SEEN = {1, 2, 3, 4, 5, 6};
    private static final long[] SLOW = {4, 5, 6};

    private static TransferFinding finding(double instances, double... shortest) {
        return new TransferFinding(
                0,
                0,
                RankSet.range(0, 15),
                CollectiveOp.ALL_GATHER,
                1 << 26,
                false,
                2,
                8,
                true,
                SLOW,
                new double[] {1, 1, 1},
                2.5,
                2e6,
                instances,
                true,
                SEEN,
                shortest,
                shortest,
                shortest);
    }

    @Test
    void whereEvenTheShortestIsLongerItIsTheTransfer() {
        assertThat(finding(12, 2, 2, 2, 5, 5, 5).throughout()).isTrue();
        assertThat(finding(12, 2, 2, 2, 2, 2, 2).throughout()).isFalse();
        assertThat(finding(12, 2, 2, 2, 3, 3, 3).throughout()).isFalse();
    }

    @Test
    void fewTransfersDoNotTell() {
        assertThat(finding(2, 2, 2, 2, 5, 5, 5).throughout()).isFalse();
    }

    @Test
    void slowTransfersAreNoLateMember() {
        Concluded said = FakeJob.of(32, 3)
                .fault(c -> c.missing = c.rank == 5)
                .links((group, step) -> group.size() == 32 && step >= 110 ? 6 : 1)
                .diagnose();
        assertThat(said.incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isIn(IncidentKind.FABRIC_CONGESTION, IncidentKind.LINK_DEGRADED);
            assertThat(i.firstStep()).isEqualTo(110);
        });
    }
}
