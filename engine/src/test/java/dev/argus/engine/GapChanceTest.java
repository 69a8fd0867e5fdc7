package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** What a healthy job shows now and then is no evidence. */
class GapChanceTest {
    private static final int RANKS = 8;
    private static final int STEPS = 24;

    /** Pareto tails of exponent 2, healthy but for what is added to rank 5. */
    private static double[][] job(Random random, double more, int everyNth) {
        double[][] excess = new double[RANKS][STEPS];
        for (int r = 0; r < RANKS; r++) {
            for (int s = 0; s < STEPS; s++) {
                excess[r][s] = 0.4 / Math.sqrt(1 - random.nextDouble());
                excess[r][s] += r == 5 && s % everyNth == 0 ? more : 0;
            }
        }
        return excess;
    }

    @Test
    void upperTailIsTheSumOfTheBinomial() {
        assertThat(GapChance.upperTail(4, 0.125, 3))
                .isCloseTo(4 * 0.125 * 0.125 * 0.125 * 0.875 + 0.000244140625, within(1e-12));
        assertThat(GapChance.upperTail(3, 0.5, 0)).isCloseTo(1, within(1e-12));
        assertThat(GapChance.upperTail(200, 0.01, 200)).isCloseTo(0, within(1e-300));
    }

    /** The best stretch of each of 8 healthy ranks: in 400 jobs, not one in a hundred of them is below the limit. */
    @Test
    void healthyTailsAreSeldomBelowTheLimit() {
        int below = 0;
        for (int seed = 0; seed < 400; seed++) {
            double[][] excess = job(new Random(seed), 0, 1);
            GapChance chance = new GapChance(excess, RANKS);
            boolean any = false;
            for (int r = 0; r < RANKS; r++) {
                for (int first = 0; first + 4 <= STEPS; first++) {
                    any |= chance.of(r, first, first + 3, 1.2) <= GapChance.MOST;
                }
            }
            below += any ? 1 : 0;
        }
        assertThat(below).isLessThanOrEqualTo(4);
    }

    @RepeatedTest(20)
    void anIntermittentStallIsFarBelow(RepetitionInfo run) {
        double[][] excess = job(new Random(run.getCurrentRepetition()), 8, 3);
        assertThat(new GapChance(excess, RANKS).of(5, 0, STEPS - 1, 6)).isLessThan(1e-4);
    }

    /** One of 8 ranks is less surprising when 10,000 ranks could have been it. */
    @Test
    void theWholeJobIsTheFamily() {
        double[][] excess = job(new Random(1), 8, 3);
        double here = new GapChance(excess, RANKS).of(5, 0, STEPS - 1, 6);
        assertThat(here).isPositive().isLessThan(1e-4);
        assertThat(new GapChance(excess, 10_000).of(5, 0, STEPS - 1, 6)).isCloseTo(here * 1250, within(here));
        assertThat(new GapChance(excess, 1).of(5, 0, STEPS - 1, 6)).isEqualTo(here);
    }

    @Test
    void nobodyElseHasAnyGap() {
        double[][] excess = new double[RANKS][STEPS];
        excess[5][3] = excess[5][4] = excess[5][7] = 10;
        assertThat(new GapChance(excess, RANKS).of(5, 3, 7, 5)).isZero();
    }

    @Test
    void missingStepsCountAsNothing() {
        double[][] excess = new double[RANKS][STEPS];
        for (double[] row : excess) {
            Arrays.fill(row, Double.NaN);
        }
        assertThat(new GapChance(excess, RANKS).of(5, 0, 5, 1)).isEqualTo(1);
    }
}
