package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import org.junit.jupiter.api.Test;

/** Sums of the ledger: over groups, over steps, bounded, and whole after a restart. */
class LedgerTest {
    private static WaitPartial waits(int group, long step, int[] ranks, long... caused) {
        return new WaitPartial(0, group, step, ranks, new long[ranks.length], caused, 1, 0);
    }

    @Test
    void sumsOverGroupsAndStepsAsked() {
        Ledger ledger = new Ledger();
        ledger.add(waits(0, 5, new int[] {0, 1}, 0, 30));
        ledger.add(waits(1, 5, new int[] {1, 2}, 20, 50));
        ledger.add(waits(0, 6, new int[] {0, 1}, 100, 0));
        assertThat(ledger.causedRatio(1, 5, 5)).isEqualTo(0.5);
        assertThat(ledger.causedRatio(1, 5, 6)).isEqualTo(0.25);
        assertThat(ledger.causedRatio(0, 5, 6)).isEqualTo(0.5);
        assertThat(ledger.causedRatio(1, 6, 9)).isZero();
        assertThat(ledger.causedRatio(1, 7, 9)).as("nobody waited").isZero();
    }

    @Test
    void groupsWithoutWaitsAreKnownToHaveReported() {
        Ledger ledger = new Ledger();
        assertThat(ledger.isEmpty()).isTrue();
        ledger.add(waits(0, 1, new int[] {0, 1}, 0, 0));
        assertThat(ledger.isEmpty()).isFalse();
        assertThat(ledger.causedRatio(0, 1, 1)).isZero();
    }

    @Test
    void forgetsTheOldestStepsInWhateverOrderTheyCome() {
        Ledger ledger = new Ledger();
        long extra = 3;
        for (long step = Received.MAX_STEPS + extra - 1; step >= 0; step--) {
            ledger.add(waits(0, step, new int[] {0, 1}, 0, 10));
        }
        assertThat(ledger.causedRatio(1, 0, extra - 1)).isZero();
        assertThat(ledger.causedRatio(1, extra, extra)).isOne();
        assertThat(ledger.causedRatio(1, Received.MAX_STEPS + extra - 1, Long.MAX_VALUE))
                .isOne();
    }

    @Test
    void keepsTheNewestStepsThatThereIsRoomFor() {
        Ledger ledger = new Ledger(5);
        for (long step = 1; step <= 4; step++) {
            ledger.add(waits(0, step, new int[] {0, 1}, 10, 30));
        }
        assertThat(ledger.causedRatio(1, 1, 2)).as("8 entries, room for 5").isZero();
        assertThat(ledger.causedRatio(1, 3, 4)).isEqualTo(0.75);
        ledger.add(waits(1, 9, new int[] {2, 3, 4, 5, 6, 7}, 1, 1, 1, 1, 1, 1));
        assertThat(ledger.causedRatio(1, 3, 4)).isZero();
        assertThat(ledger.causedRatio(2, 9, 9)).as("the newest step stays").isPositive();
    }

    @Test
    void aSavedLedgerGoesOnLikeTheOther() {
        Ledger ledger = new Ledger();
        ledger.add(waits(0, -1, new int[] {0, 7}, 5, 30));
        ledger.add(waits(1, 900, new int[] {0, 7}, 0, 0));
        WireWriter to = new WireWriter();
        ledger.encode(to);
        Ledger again = new Ledger();
        WireReader from = new WireReader(to.toByteArray());
        again.decode(from);
        from.expectEnd();
        again.add(waits(2, -1, new int[] {3, 7}, 5, 0));
        assertThat(again.causedRatio(7, -1, 900)).isEqualTo(0.75);
        WireWriter second = new WireWriter();
        again.encode(second);
        ledger.add(waits(2, -1, new int[] {3, 7}, 5, 0));
        WireWriter first = new WireWriter();
        ledger.encode(first);
        assertThat(second.toByteArray()).isEqualTo(first.toByteArray());
    }
}
