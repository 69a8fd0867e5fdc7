package dev.argus.stats;

import static dev.argus.stats.Samples.ascending;
import static dev.argus.stats.Samples.binned;
import static dev.argus.stats.Samples.logNormal;
import static dev.argus.stats.Samples.pareto;
import static dev.argus.stats.Samples.together;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class KnotFitTest {
    private static long[] sample(Random random) {
        int n = 9 + random.nextInt(800);
        return switch (random.nextInt(6)) {
            case 0 -> logNormal(random, n, 50_000, 0.01 + random.nextDouble());
            case 1 -> pareto(random, n, 3_000, 1.1 + 2 * random.nextDouble());
            case 2 -> together(logNormal(random, n, 4_000, 0.03), logNormal(random, n / 3 + 1, 90_000, 0.2));
            case 3 -> random.longs(n, 0, 6).map(x -> 1000 * x).toArray(); // a clock of microseconds, zeros
            case 4 -> together(logNormal(random, n, 20_000, 0.01), new long[] {800_000}); // one stall
            default -> random.longs(n, 0, 300).toArray();
        };
    }

    @RepeatedTest(300)
    void theBoundHoldsForTheWholeAndForEachMode(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        long[] values = sample(random);
        Arrays.sort(values);
        long sum = Arrays.stream(values).sum();
        double share = random.nextBoolean() ? 0.01 : 0.03;
        BinnedSample sample = binned(values);
        int[] firstBins = new DensityModes().firstBins(sample);

        Knots knots = new KnotFit().fit(sample, firstBins, (double) sum, share);

        assertThat(knots.errorRatio()).isLessThanOrEqualTo(share);
        QuantileFunction truth = QuantileFunction.steps(ascending(values));
        QuantileFunction rebuilt =
                Knots.rebuild(values.length, sum, knots.positionBits(), knots.places(), knots.bins());
        double mean = (double) sum / values.length;
        assertThat(rebuilt.mean()).isCloseTo(mean, within(1e-9 * mean + 1e-12));
        assertThat(truth.shiftTo(rebuilt).distance()).isLessThanOrEqualTo(knots.errorRatio() * mean + 1e-9);

        assertThat(knots.modeFirst()).hasSameSizeAs(firstBins);
        PositionGrid grid = new PositionGrid(values.length, knots.positionBits());
        for (int m = 0; m < firstBins.length; m++) {
            int last = (m + 1 < firstBins.length ? knots.modeFirst()[m + 1] : knots.places().length) - 1;
            int from = (int) sample.before(firstBins[m]);
            int to = (int) sample.before(m + 1 < firstBins.length ? firstBins[m + 1] : sample.size());
            double[] own = Arrays.copyOfRange(ascending(values), from, to);
            QuantileFunction mode = rebuilt.slice(
                    (double) grid.position(knots.places()[knots.modeFirst()[m]]) / values.length,
                    (double) grid.position(knots.places()[last]) / values.length);
            double modeMean = Arrays.stream(own).average().orElse(0);
            assertThat(QuantileFunction.steps(own).shiftTo(mode).distance())
                    .as("mode %d", m)
                    .isLessThanOrEqualTo(share * modeMean + 1e-9);
        }
    }

    @RepeatedTest(40)
    void theOuterKnotsAreMinimumAndMaximum(RepetitionInfo info) {
        long[] values = sample(new Random(info.getCurrentRepetition()));
        BinnedSample sample = binned(values);
        Knots knots = new KnotFit()
                .fit(sample, new int[] {0}, (double) Arrays.stream(values).sum(), 0.01);
        assertThat(knots.bins()[0]).isEqualTo(sample.firstBin());
        assertThat(knots.bins()[knots.bins().length - 1]).isEqualTo(sample.lastBin());
    }

    @Test
    void narrowDistributionsNeedTwoKnotsAndStallsTwoMore() {
        long[] narrow = logNormal(new Random(3), 10_000, 50_000, 0.002);
        assertThat(fit(narrow).places()).hasSize(2);
        narrow[17] = 40 * 50_000;
        Knots withStall = fit(narrow);
        assertThat(withStall.places()).hasSizeBetween(3, 5);
        assertThat(LogBins.middle(withStall.bins()[withStall.bins().length - 1], 7))
                .isCloseTo(2e6, within(8e3));
    }

    @Test
    void equalValuesAreTwoKnotsOfOneBin() {
        long[] values = new long[20];
        Arrays.fill(values, 12_345);
        Knots knots = fit(values);
        assertThat(knots.bins()).containsExactly(LogBins.bin(12_345, 7), LogBins.bin(12_345, 7));
    }

    @Test
    void zerosAlone() {
        Knots knots = fit(new long[12]);
        assertThat(knots.errorRatio()).isZero();
        assertThat(Knots.rebuild(12, 0, knots.positionBits(), knots.places(), knots.bins())
                        .max())
                .isZero();
    }

    private static Knots fit(long... values) {
        return new KnotFit()
                .fit(
                        binned(values),
                        new int[] {0},
                        (double) Arrays.stream(values).sum(),
                        0.01);
    }
}
