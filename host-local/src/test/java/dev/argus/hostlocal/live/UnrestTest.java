package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.OwnTime;
import dev.argus.model.StepDigest;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a job counts as changed. */
class UnrestTest {
    private static final long STEP = 100_000_000L;
    private long step;

    private JobStep steps(long... lengths) {
        RankStep[] ranks = new RankStep[lengths.length];
        for (int rank = 0; rank < lengths.length; rank++) {
            OwnTime own = new OwnTime(lengths[rank] - STEP / 10, 0, STEP / 10, 0, 0);
            ranks[rank] = new RankStep(
                    new StepDigest(
                            0,
                            rank,
                            step,
                            step * STEP,
                            lengths[rank],
                            false,
                            false,
                            true,
                            own,
                            0,
                            0,
                            10,
                            10,
                            List.of(),
                            List.of(),
                            List.of()),
                    null);
        }
        return new JobStep(0, step++, List.of(ranks));
    }

    private Unrest quiet() {
        Unrest unrest = new Unrest();
        for (int i = 0; i < 2 * Unrest.STEPS_BEGIN; i++) {
            unrest.take(steps(STEP, STEP));
        }
        return unrest;
    }

    @Test
    void theBeginningIsNotPutOff() {
        Unrest unrest = new Unrest();
        for (int i = 0; i < Unrest.STEPS_BEGIN; i++) {
            assertThat(unrest.stirred()).isTrue();
            unrest.take(steps(STEP, STEP));
        }
        for (int i = 0; i < Unrest.STEPS_AFTER; i++) {
            unrest.take(steps(STEP, STEP));
        }
        assertThat(unrest.stirred()).isFalse();
    }

    @Test
    void aStepUnlikeTheOthersOfItsRankStirsForSomeSteps() {
        Unrest unrest = quiet();
        assertThat(unrest.stirred()).isFalse();
        unrest.take(steps(STEP, (long) (STEP * (1 + 1.1 * Unrest.LEAST))));
        for (int i = 0; i < Unrest.STEPS_AFTER; i++) {
            assertThat(unrest.stirred()).isTrue();
            unrest.take(steps(STEP, STEP));
        }
        assertThat(unrest.stirred()).isFalse();
    }

    @Test
    void lessThanTheLeastDoesNot() {
        Unrest unrest = quiet();
        unrest.take(steps(STEP, (long) (STEP * (1 + 0.9 * Unrest.LEAST))));
        assertThat(unrest.stirred()).isFalse();
    }

    @Test
    void aRankThatAlwaysWaversDoesNotButMoreThanThatDoes() {
        Unrest unrest = new Unrest();
        for (int i = 0; i < 200; i++) {
            unrest.take(steps(STEP, i % 2 == 0 ? STEP * 11 / 10 : STEP * 9 / 10));
        }
        assertThat(unrest.stirred()).isFalse();
        unrest.take(steps(STEP, STEP * 15 / 10));
        assertThat(unrest.stirred()).isTrue();
    }

    @Test
    void whatWasSaidAndANewShapeStir() {
        Unrest unrest = quiet();
        unrest.said();
        assertThat(unrest.stirred()).isTrue();
        unrest = quiet();
        unrest.restart();
        assertThat(unrest.stirred()).isTrue();
    }

    // ---------------------------------------------------------------- many ranks

    private static long[] many(int... slow) {
        long[] lengths = new long[2 * Unrest.FEW];
        Arrays.fill(lengths, STEP);
        for (int rank : slow) {
            lengths[rank] = STEP * 11 / 10;
        }
        return lengths;
    }

    private Unrest quietMany() {
        Unrest unrest = new Unrest();
        for (int i = 0; i < 2 * Unrest.STEPS_BEGIN; i++) {
            unrest.take(steps(many()));
        }
        assertThat(unrest.stirred()).isFalse();
        return unrest;
    }

    @Test
    void ofManyRanksOneThatPausesOnceDoesNot() {
        Unrest unrest = quietMany();
        for (int step = 0; step < 20; step++) {
            unrest.take(steps(many(step % 2))); // ever another one
            assertThat(unrest.stirred()).as("step %s", step).isFalse();
        }
    }

    @Test
    void ofManyRanksOneThatStaysUnlikeDoes() {
        Unrest unrest = quietMany();
        unrest.take(steps(many(7)));
        assertThat(unrest.stirred()).isFalse();
        unrest.take(steps(many(7)));
        assertThat(unrest.stirred()).isTrue();
    }

    @Test
    void ofManyRanksSeveralAtOnceDo() {
        Unrest unrest = quietMany();
        unrest.take(steps(many(7, 8)));
        assertThat(unrest.stirred()).as("two of 128").isFalse();
        Unrest other = quietMany();
        other.take(steps(many(7, 8, 9)));
        assertThat(other.stirred()).as("three of 128").isTrue();
    }
}
