package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.RankSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transfers of a group of which one member did not report take longer: is it the member, or the network? */
class MissingMemberTest {
    private static final long[] SEEN = {1, 2, 3, 4, 5, 6};
    private static final long[] SLOW = {4, 5, 6};

    private static TransferFinding finding(double instances, double... shortest) {
        return of(CollectiveOp.ALL_GATHER, 2.5, instances, shortest);
    }

    private static TransferFinding of(CollectiveOp op, double ratio, double instances, double... shortest) {
        return new TransferFinding(
                0,
                0,
                RankSet.range(0, 15),
                op,
                1 << 26,
                false,
                2,
                8,
                true,
                SLOW,
                new double[] {1, 1, 1},
                ratio,
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
    void whatTwoOperationsHaveAlikeIsTheNetworks() {
        TransferFinding gather = finding(12, 2, 2, 2, 5, 5, 5);
        TransferFinding scatter = of(CollectiveOp.REDUCE_SCATTER, 2.4, 6, 3, 3, 3, 7, 7, 7);
        assertThat(gather.isNetwork(List.of(gather, scatter))).isTrue();
        assertThat(gather.isNetwork(List.of(gather))).isFalse();
        assertThat(gather.isNetwork(List.of(gather, of(CollectiveOp.REDUCE_SCATTER, 1.6, 6, 3, 3, 3, 5, 5, 5))))
                .isFalse();
    }
}
