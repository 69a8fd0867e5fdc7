package dev.argus.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Against the definitions, spelled out value by value. */
class RobustTest {
    private static final double NONE = Double.NaN;

    /** By counting: the value with at most k smaller ones and more than k not larger. */
    private static double ranked(double[] values, int k) {
        for (double v : values) {
            long smaller = DoubleStream.of(values).filter(x -> x < v).count();
            long notLarger = DoubleStream.of(values).filter(x -> x <= v).count();
            if (smaller <= k && k < notLarger) {
                return v;
            }
        }
        return NONE;
    }

    private static double middle(double[] values) {
        int n = values.length;
        return (ranked(values, (n - 1) / 2) + ranked(values, n / 2)) / 2;
    }

    private static double[] withGaps(double[] values, Random random) {
        double[] gaps = Arrays.copyOf(values, values.length + 5);
        Arrays.fill(gaps, values.length, gaps.length, NONE);
        for (int i = gaps.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            double v = gaps[i];
            gaps[i] = gaps[j];
            gaps[j] = v;
        }
        return gaps;
    }

    @RepeatedTest(200)
    void medianAndSigmaAreTheDefinitions(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        double[] values =
                random.ints(1 + random.nextInt(40), -30, 30).asDoubleStream().toArray();
        double median = middle(values);
        double mad =
                middle(DoubleStream.of(values).map(v -> Math.abs(v - median)).toArray());
        double[] gaps = withGaps(values, random);
        double[] before = gaps.clone();
        assertThat(Robust.median(gaps)).isEqualTo(median);
        assertThat(Robust.sigma(gaps)).isCloseTo(1.4826022185056018 * mad, within(1e-12));
        assertThat(gaps).isEqualTo(before);
        assertThat(Robust.medianOf(gaps)).isEqualTo(median); // may reorder them
        assertThat(Robust.medianOf(new double[] {NONE, NONE})).isNaN();
    }

    @RepeatedTest(100)
    void quantilesInterpolateBetweenOrderStatistics(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        double[] values = random.doubles(1 + random.nextInt(30)).toArray();
        double[] gaps = withGaps(values, random);
        for (int k = 0; k + 1 < values.length; k++) {
            double share = random.nextDouble();
            double expected = (1 - share) * ranked(values, k) + share * ranked(values, k + 1);
            assertThat(Robust.quantile(gaps, (k + share) / (values.length - 1))).isCloseTo(expected, within(1e-12));
        }
        assertThat(Robust.quantile(gaps, 0)).isEqualTo(ranked(values, 0));
        assertThat(Robust.quantile(gaps, 1)).isEqualTo(ranked(values, values.length - 1));
    }

    @Test
    void nothingMeasuredIsNotANumber() {
        for (double[] nothing : new double[][] {{}, {NONE, NONE}}) {
            assertThat(Robust.median(nothing)).isNaN();
            assertThat(Robust.sigma(nothing)).isNaN();
            assertThat(Robust.lowerSigma(nothing)).isNaN();
            assertThat(Robust.measured(nothing)).isEmpty();
        }
    }

    @Test
    void measuredIsAscendingWithoutGaps() {
        assertThat(Robust.measured(new double[] {3, NONE, -1, Double.POSITIVE_INFINITY, 2}))
                .containsExactly(-1, 2, 3, Double.POSITIVE_INFINITY);
    }

    @Test
    void sigmaOfANormalSampleIsItsStandardDeviation() {
        double[] values = new Random(1)
                .ints(20_000)
                .mapToDouble(s -> 7 + 3 * new Random(s).nextGaussian())
                .toArray();
        assertThat(Robust.sigma(values)).isCloseTo(3, within(0.1));
        assertThat(Robust.lowerSigma(values)).isCloseTo(3, within(0.15));
        assertThat(Robust.sigmaAround(values, 7)).isCloseTo(3, within(0.1));
    }

    @RepeatedTest(50)
    void aSlowHalfCannotMoveTheLowerSigma(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        double[] healthy = random.doubles(9, 100, 110).sorted().toArray();
        double[] slow = healthy.clone();
        for (int i = 5; i < slow.length; i++) {
            slow[i] *= 1 + 10 * random.nextDouble();
        }
        assertThat(Robust.lowerSigma(slow)).isEqualTo(Robust.lowerSigma(healthy));
        slow[0] -= 50;
        slow[1] -= 50;
        slow[2] -= 50;
        assertThat(Robust.lowerSigma(slow)).isGreaterThan(Robust.lowerSigma(healthy));
    }

    @Test
    void theRootMeanSquareSeesTheTailThatTheMedianDeviationDoesNot() {
        double[] values = {1, 1, 1, 1, 1, 1, 1, 11, Double.NaN};
        assertThat(Robust.sigmaAround(values, 1)).isZero();
        assertThat(Robust.rmsAround(values, 1)).isCloseTo(10 / Math.sqrt(7), within(1e-12));
        assertThat(Robust.rmsAround(new double[] {5, Double.NaN}, 5)).isNaN();
    }

    @RepeatedTest(100)
    void middleMeanIsTheMeanOfTheMiddleHalf(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        int n = 1 + random.nextInt(200);
        double[] values = random.doubles(n + 3, 0, 100).toArray();
        double[] sorted = Arrays.copyOf(values, n);
        Arrays.sort(sorted);
        double mean = Arrays.stream(sorted, n / 4, n - n / 4).average().orElseThrow();
        double[] before = values.clone();
        assertThat(Robust.middleMean(values, n)).isCloseTo(mean, within(1e-9));
        assertThat(values).isEqualTo(before);
        assertThat(Robust.middleMean(values, 0)).isNaN();
    }

    @RepeatedTest(50)
    void runningMediansAreThoseOfTheFirstValues(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        double[] values =
                random.ints(random.nextInt(40), -9, 9).asDoubleStream().toArray();
        double[] medians = Robust.runningMedians(values);
        assertThat(medians).hasSameSizeAs(values);
        for (int n = 1; n <= values.length; n++) {
            assertThat(medians[n - 1]).isEqualTo(Robust.median(Arrays.copyOf(values, n)));
        }
    }
}
