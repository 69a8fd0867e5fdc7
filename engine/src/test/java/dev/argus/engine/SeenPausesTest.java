package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Eight ranks with 0.2 ms of gaps in steps of 100 ms, in milliseconds. */
class SeenPausesTest {
    private static final int STEPS = 12;
    private final Random random = new Random(4);
    private final double[][] gaps = new double[8][STEPS];
    private final double[] steps = new double[STEPS];

    SeenPausesTest() {
        for (double[] row : gaps) {
            Arrays.setAll(row, s -> 0.2 + 0.01 * random.nextGaussian());
        }
        Arrays.setAll(steps, s -> 100 + 0.1 * random.nextGaussian());
    }

    private void pause(int rank, int step, double millis) {
        gaps[rank][step] += millis;
    }

    private List<SeenPauses.Pause> found() {
        return SeenPauses.of(gaps, steps);
    }

    @Test
    void nothingInQuietSteps() {
        assertThat(found()).isEmpty();
    }

    @Test
    void aPauseThatTheJobWaitedFor() {
        pause(5, 7, 6);
        steps[7] += 6;
        assertThat(found()).singleElement().satisfies(p -> {
            assertThat(p.r()).isEqualTo(5);
            assertThat(p.step()).isEqualTo(7);
            assertThat(p.nanos()).isCloseTo(6, within(0.5));
        });
    }

    @Test
    void aPauseThatNobodyWaitedForAndAStepWithoutOne() {
        pause(5, 7, 6);
        steps[9] += 6;
        assertThat(found()).isEmpty();
    }

    @Test
    void whereAllPauseTheLongestAreKept() {
        for (int r = 0; r < 8; r++) {
            pause(r, 7, 5 + 0.2 * r);
        }
        steps[7] += 6.5;
        assertThat(found()).extracting(SeenPauses.Pause::r).containsExactly(7, 6, 5, 4);
    }

    /** One after the other in every step: no step is quiet, yet without their pauses all are alike. */
    @Test
    void aPauseInEveryStep() {
        for (int s = 1; s < STEPS; s++) {
            double millis = 30 + 3 * random.nextGaussian();
            pause(s % 8, s, millis);
            steps[s] += millis;
        }
        assertThat(found()).hasSize(STEPS - 1).allSatisfy(p -> {
            assertThat(p.r()).isEqualTo(p.step() % 8);
            assertThat(p.nanos()).isCloseTo(30, within(12.0));
        });
    }

    @Test
    void aRankOfWhichNothingIsKnownHidesNothing() {
        Arrays.fill(gaps[6], Double.NaN);
        gaps[2][5] = Double.NaN;
        for (int s = 1; s < STEPS; s++) {
            double millis = 30 + 3 * random.nextGaussian();
            pause(s % 2, s, millis);
            steps[s] += millis;
        }
        assertThat(found()).extracting(SeenPauses.Pause::r).containsExactly(1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
    }

    /** A checkpoint, whose gaps are left out: that steps are alike without it does not make the others long. */
    @Test
    void aStepWithoutGapsIsNoReasonToCallTheOthersLong() {
        for (int s = 1; s < STEPS; s++) {
            pause(s % 8, s, 3); // nobody waits for them
        }
        steps[6] += 400;
        for (double[] row : gaps) {
            row[6] = Double.NaN;
        }
        assertThat(found()).isEmpty();
    }

    /** Steps that differ for another reason are not explained by gaps of the same size here and there. */
    @Test
    void stepsThatWanderForAnotherReason() {
        for (int s = 1; s < STEPS; s++) {
            steps[s] += 30 + 3 * random.nextGaussian();
            pause(s % 8, s, 30 + 3 * random.nextGaussian());
        }
        assertThat(found()).isEmpty();
    }

    @Test
    void fewStepsShowNoQuietOnes() {
        assertThat(SeenPauses.of(new double[][] {{0, 9, 0, 0}}, new double[] {100, 109, 100, 100}))
                .isEmpty();
    }
}
