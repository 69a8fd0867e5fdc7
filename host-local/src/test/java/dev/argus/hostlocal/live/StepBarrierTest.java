package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.OwnTime;
import dev.argus.model.StepDigest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps of ranks to whole steps. */
class StepBarrierTest {
    private static final long LATE = 10;

    private static RankStep of(int rank, long step, long start) {
        return new RankStep(
                new StepDigest(
                        0,
                        rank,
                        step,
                        start,
                        1,
                        false,
                        false,
                        true,
                        new OwnTime(1, 0, 0, 0, 0),
                        0,
                        0,
                        1,
                        1,
                        List.of(),
                        List.of(),
                        List.of()),
                null);
    }

    private static StepBarrier of(int ranks) {
        StepBarrier barrier = new StepBarrier(LATE);
        for (int rank = 0; rank < ranks; rank++) {
            barrier.expect(rank);
        }
        return barrier;
    }

    private static List<Long> ready(StepBarrier barrier, long now) {
        return barrier.ready(0, now).stream().map(JobStep::step).toList();
    }

    @Test
    void aStepWaitsForAllAndNoLongerThanItMay() {
        StepBarrier b = of(3);
        b.add(of(0, 1, 0), 100);
        b.add(of(2, 1, 0), 101);
        assertThat(ready(b, 109)).isEmpty();
        assertThat(ready(b, 110)).containsExactly(1L);
        assertThat(b.silent()).containsExactly(1);
        b.add(of(1, 1, 0), 111);
        assertThat(b.late()).isEqualTo(1);
        assertThat(b.silent()).as("what is late is no sign that it keeps up").containsExactly(1);
        b.add(of(0, 2, 1), 112);
        b.add(of(2, 2, 1), 112);
        assertThat(ready(b, 112)).as("nothing waits for who is silent").containsExactly(2L);
        b.add(of(1, 3, 2), 113);
        b.add(of(0, 3, 2), 113);
        assertThat(b.silent()).isEmpty();
        assertThat(ready(b, 113))
                .as("it reports again, and rank 2 is waited for")
                .isEmpty();
        b.add(of(2, 3, 2), 113);
        assertThat(ready(b, 113)).containsExactly(3L);
    }

    @Test
    void aRankThatLeavesAStepOutIsNotCountedForOthers() {
        StepBarrier b = of(3);
        b.add(of(0, 1, 0), 0);
        b.add(of(1, 1, 0), 0);
        b.add(of(2, 2, 1), 0); // it left step 1 out
        assertThat(ready(b, LATE)).containsExactly(1L, 2L);
        StepBarrier c = of(3);
        c.add(of(0, 1, 0), 0);
        c.add(of(1, 1, 0), 0);
        c.add(of(2, 2, 1), 5);
        assertThat(ready(c, LATE)).as("in step 2 the others are missing").containsExactly(1L);
        c.add(of(0, 2, 1), 11);
        assertThat(ready(c, 11)).isEmpty();
        c.add(of(1, 2, 1), 11);
        assertThat(ready(c, 11)).containsExactly(2L);
    }

    @Test
    void countsAnewOnlyWhatBeganLater() {
        StepBarrier b = of(1);
        b.add(of(0, 7, 70), 0);
        assertThat(b.beginsAnew(of(0, 6, 60))).as("out of order").isFalse();
        assertThat(b.beginsAnew(of(0, 7, 70))).as("again").isFalse();
        assertThat(b.beginsAnew(of(0, 8, 80))).isFalse();
        assertThat(b.beginsAnew(of(0, 1, 71))).isTrue();
        assertThat(b.beginsAnew(of(1, 1, 71))).as("another rank").isFalse();
    }

    @Test
    void noMoreIsHeldThanStated() {
        StepBarrier b = of(2);
        for (int step = 0; step < StepBarrier.MOST_OPEN; step++) {
            b.add(of(0, step, step), 0);
        }
        assertThat(ready(b, 0)).isEmpty();
        b.add(of(0, StepBarrier.MOST_OPEN, StepBarrier.MOST_OPEN), 0);
        assertThat(ready(b, 0))
                .as("they go on, and rank 1 is not waited for any more")
                .startsWith(0L, 1L);
        StepBarrier wide = of(StepBarrier.MOST_HELD / 2 + 1);
        for (int step = 0; step < 3; step++) {
            assertThat(ready(wide, 0)).isEmpty();
            for (int rank = 0; rank < StepBarrier.MOST_HELD / 2; rank++) {
                wide.add(of(rank, step, step), 0);
            }
        }
        assertThat(ready(wide, 0)).startsWith(0L);
    }

    @Test
    void nobodyIsFurtherAheadThanWhatMayBeHeld() {
        int ranks = StepBarrier.MOST_HELD / 8;
        StepBarrier b = of(ranks);
        assertThat(b.welcome()).as("nothing waits").isEqualTo(Long.MAX_VALUE);
        b.add(of(0, 100, 0), 0);
        assertThat(b.welcome()).isEqualTo(104);
        for (int rank = 0; rank < ranks - 1; rank++) { // all but one tell all that they may
            for (long step = 100; step <= b.welcome(); step++) {
                b.add(of(rank, step, step), 1);
            }
        }
        assertThat(ready(b, 1)).as("the last one is waited for").isEmpty();
        b.add(of(ranks - 1, 100, 0), 1);
        assertThat(ready(b, 1)).containsExactly(100L);
        assertThat(b.welcome()).isEqualTo(105);
        assertThat(of(1 << 20).welcome()).isEqualTo(Long.MAX_VALUE);
        StepBarrier huge = of(1 << 20);
        huge.add(of(0, Long.MAX_VALUE, 0), 0);
        assertThat(huge.welcome()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void afterAWhileInWhichNobodyListenedAllAreWaitedForUntilTheyAreBack() {
        StepBarrier b = of(3);
        b.add(of(0, 1, 0), 0);
        b.add(of(1, 1, 0), 0);
        assertThat(ready(b, LATE)).containsExactly(1L);
        assertThat(b.silent()).containsExactly(2);
        b.resume(100);
        b.add(of(0, 2, 1), 100);
        assertThat(ready(b, 100 + 5 * LATE)).as("rank 1 is on its way").isEmpty();
        b.add(of(1, 2, 1), 200);
        assertThat(ready(b, 200)).as("rank 2 was silent before").containsExactly(2L);
        b.add(of(0, 3, 2), 201);
        assertThat(ready(b, 201 + LATE)).as("all are back: the usual wait").containsExactly(3L);
        StepBarrier gone = of(2);
        gone.resume(300);
        gone.add(of(0, 4, 3), 300);
        assertThat(ready(gone, 299 + StepBarrier.RETURN_NANOS)).isEmpty();
        assertThat(ready(gone, 300 + StepBarrier.RETURN_NANOS)).as("no longer").containsExactly(4L);
        assertThat(gone.silent()).containsExactly(1);
    }

    @Test
    void timeInWhichNobodyCouldBeHeardIsNoWait() {
        StepBarrier b = of(2);
        b.add(of(0, 1, 0), 0);
        b.unheard(1000);
        assertThat(ready(b, 1000 + LATE - 1)).isEmpty();
        assertThat(ready(b, 1000 + LATE)).containsExactly(1L);
    }

    @Test
    void whatComesLateIsKnownOnce() {
        StepBarrier b = of(2);
        b.add(of(0, 1, 0), 0);
        assertThat(ready(b, LATE)).containsExactly(1L);
        b.add(of(1, 1, 0), 20);
        b.add(of(1, 1, 0), 21); // again
        b.add(of(0, 1, 0), 21); // was in it
        assertThat(b.takeLate()).containsExactly(of(1, 1, 0));
        assertThat(b.takeLate()).isEmpty();
    }
}
