package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Eight ranks, twelve steps; sequences differ by 10 %. */
class WorkExplainedTest {
    private static final int RANKS = 8;
    private static final int STEPS = 12;
    private final double[][] work = new double[RANKS][STEPS];
    private final double[][] relative = new double[RANKS][STEPS];

    /** Durations that grow with the work to a power; rank 3 slower by 6 %, or not. */
    private void durations(double power, double slower) {
        Random random = new Random(5);
        for (int r = 0; r < RANKS; r++) {
            for (int s = 0; s < STEPS; s++) {
                double length = 1 + 0.1 * random.nextGaussian();
                work[r][s] = 4096 * length;
                double noise = 1 + 0.004 * random.nextGaussian();
                relative[r][s] = Math.pow(length, power) * noise * (r == 3 ? slower : 1) - 1;
            }
        }
    }

    @Test
    void whatIsLeftIsTheSlowRank() {
        durations(1, 1.06);
        assertThat(WorkExplained.takeOut(relative, work)).isTrue();
        for (int s = 0; s < STEPS; s++) {
            assertThat(relative[3][s]).isCloseTo(0.06, within(0.02));
            assertThat(relative[0][s]).isCloseTo(0, within(0.02));
        }
    }

    @Test
    void attentionGrowsWithTheSquare() {
        durations(2, 1.06);
        assertThat(WorkExplained.takeOut(relative, work)).isTrue();
        assertThat(relative[3][7]).isCloseTo(0.06, within(0.02));
        assertThat(relative[5][7]).isCloseTo(0, within(0.02));
    }

    @Test
    void workThatExplainsNothingIsLeftAlone() {
        durations(1, 1.06);
        Random random = new Random(6);
        for (double[] row : work) {
            for (int s = 0; s < STEPS; s++) {
                row[s] = 4096 * (1 + 0.1 * random.nextGaussian());
            }
        }
        double before = relative[2][4];
        assertThat(WorkExplained.takeOut(relative, work)).isFalse();
        assertThat(relative[2][4]).isEqualTo(before);
    }

    @Test
    void equalOrUnknownWorkExplainsNothing() {
        durations(0, 1.06);
        for (double[] row : work) {
            java.util.Arrays.fill(row, 4096);
        }
        assertThat(WorkExplained.takeOut(relative, work)).isFalse();
        for (double[] row : work) {
            java.util.Arrays.fill(row, Double.NaN);
        }
        assertThat(WorkExplained.takeOut(relative, work)).isFalse();
        assertThat(WorkExplained.takeOut(new double[0][], new double[0][])).isFalse();
    }

    /** Always more work on one rank, which takes longer by just that: it is not slow. */
    @Test
    void moreWorkForGoodIsNotSlow() {
        durations(1, 1);
        for (int s = 0; s < STEPS; s++) {
            work[3][s] *= 1.2;
            relative[3][s] = (1 + relative[3][s]) * 1.2 - 1;
        }
        assertThat(WorkExplained.takeOut(relative, work)).isTrue();
        assertThat(relative[3][5]).isCloseTo(0, within(0.02));
    }
}
