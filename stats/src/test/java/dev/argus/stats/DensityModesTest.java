package dev.argus.stats;

import static dev.argus.stats.Samples.binned;
import static dev.argus.stats.Samples.logNormal;
import static dev.argus.stats.Samples.pareto;
import static dev.argus.stats.Samples.together;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DensityModesTest {
    private static int modes(long... values) {
        return new DensityModes().firstBins(binned(values)).length;
    }

    @RepeatedTest(20)
    void twoModesCloseTogetherBesideOneFarAwayAreThree(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        long[] values = together(
                logNormal(random, 400, 20_000, 0.05),
                logNormal(random, 300, 30_000, 0.05),
                logNormal(random, 100, 2_000_000, 0.05));
        assertThat(modes(values)).isEqualTo(3);
    }

    @Test
    void bordersLieInTheValleys() {
        long[] values =
                together(logNormal(new Random(1), 400, 20_000, 0.02), logNormal(new Random(2), 300, 40_000, 0.02));
        BinnedSample sample = binned(values);
        int[] first = new DensityModes().firstBins(sample);
        assertThat(first).hasSize(2).startsWith(0);
        assertThat(sample.before(first[1])).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"0.01", "0.1", "0.5", "1.5"})
    void aLogNormalIsOneMode(double sigma) {
        for (int seed = 0; seed < 50; seed++) {
            assertThat(modes(logNormal(new Random(seed), 2000, 50_000, sigma)))
                    .as("seed %d", seed)
                    .isOne();
        }
    }

    @ParameterizedTest
    @CsvSource({"1.1, 200", "1.5, 2000", "3, 200", "1.1, 20000"})
    void aHeavyTailHasNoSpuriousModes(double alpha, int n) {
        int spurious = 0;
        for (int seed = 0; seed < 100; seed++) {
            spurious += modes(pareto(new Random(seed), n, 20_000, alpha)) > 1 ? 1 : 0;
        }
        assertThat(spurious).as("of 100").isLessThanOrEqualTo(2);
    }

    @Test
    void aNarrowModeWithAHeavyTailIsOne() {
        int spurious = 0;
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            spurious += modes(together(logNormal(random, 1800, 20_000, 0.01), pareto(random, 200, 20_000, 1.5))) > 1
                    ? 1
                    : 0;
        }
        assertThat(spurious).as("of 100").isLessThanOrEqualTo(2);
    }

    @Test
    void nothingToSeparate() {
        assertThat(modes(5)).isOne();
        assertThat(modes(5, 5, 5, 5, 5, 5, 5, 5, 5)).isOne();
        assertThat(modes(0, 0, 0, 0, 0, 0, 0, 1_000_000)).isOne();
    }
}
