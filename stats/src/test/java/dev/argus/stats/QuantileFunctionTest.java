package dev.argus.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class QuantileFunctionTest {
    private static QuantileFunction random(Random random) {
        int n = 2 + random.nextInt(8);
        double[] p = random.doubles(n).map(x -> Math.floor(x * 8) / 8).sorted().toArray();
        double[] q = random.doubles(n, 0, 100).map(Math::floor).sorted().toArray();
        p[0] = 0;
        p[n - 1] = 1;
        return QuantileFunction.of(p, q);
    }

    /** Brute force: a fine midpoint sum. */
    private static double bruteForce(QuantileFunction a, QuantileFunction b) {
        int n = 400_000;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double p = (i + 0.5) / n;
            sum += Math.abs(b.at(p) - a.at(p));
        }
        return sum / n;
    }

    @RepeatedTest(25)
    void distanceIsWhatBruteForceFinds(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        QuantileFunction a = random(random);
        QuantileFunction b = random(random);
        assertThat(a.shiftTo(b).distance()).isCloseTo(bruteForce(a, b), within(1e-3));
        assertThat(a.shiftTo(b).signed()).isCloseTo(b.mean() - a.mean(), within(1e-9));
    }

    @RepeatedTest(200)
    void distanceIsAMetric(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        QuantileFunction a = random(random);
        QuantileFunction b = random(random);
        QuantileFunction c = random(random);
        double ab = a.shiftTo(b).distance();
        assertThat(ab).isCloseTo(b.shiftTo(a).distance(), within(1e-9));
        assertThat(a.shiftTo(c).distance())
                .isLessThanOrEqualTo(ab + b.shiftTo(c).distance() + 1e-9);
        assertThat(a.shiftTo(a).distance()).isZero();
        boolean equal = true;
        for (int i = 0; i < 1000; i++) {
            equal &= Math.abs(a.at((i + 0.5) / 1000) - b.at((i + 0.5) / 1000)) < 1e-12;
        }
        assertThat(ab < 1e-12).isEqualTo(equal);
    }

    @RepeatedTest(50)
    void stepsAreTheInverseOfTheEmpiricalDistribution(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        double[] x = random.doubles(1 + random.nextInt(20), 0, 50)
                .map(Math::floor)
                .sorted()
                .toArray();
        QuantileFunction q = QuantileFunction.steps(x);
        for (int i = 0; i < 1000; i++) {
            double p = (i + 0.5) / 1000;
            assertThat(q.at(p)).isEqualTo(x[(int) Math.ceil(p * x.length - 1e-9) - 1]);
        }
        for (double v = -1; v < 52; v += 0.5) {
            double value = v;
            double share = Arrays.stream(x).filter(y -> y <= value).count() / (double) x.length;
            assertThat(q.cdf(value)).isCloseTo(share, within(1e-12));
        }
        assertThat(q.mean()).isCloseTo(Arrays.stream(x).average().orElseThrow(), within(1e-9));
    }

    /** The mixture of step functions is the step function of all events together. */
    @RepeatedTest(50)
    void mixtureIsOfAllEventsTogether(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        double[] x = random.doubles(1 + random.nextInt(9), 0, 9)
                .map(Math::floor)
                .sorted()
                .toArray();
        double[] y = random.doubles(1 + random.nextInt(9), 0, 9)
                .map(Math::floor)
                .sorted()
                .toArray();
        double[] all =
                DoubleStream.concat(Arrays.stream(x), Arrays.stream(y)).sorted().toArray();
        QuantileFunction mixed = QuantileFunction.mixture(
                List.of(QuantileFunction.steps(x), QuantileFunction.steps(y)), new double[] {x.length, y.length});
        assertThat(mixed.shiftTo(QuantileFunction.steps(all)).distance()).isCloseTo(0, within(1e-9));
    }

    @RepeatedTest(50)
    void mixtureHasTheMeanDistributionFunction(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        QuantileFunction a = random(random);
        QuantileFunction b = random(random);
        QuantileFunction mixed = QuantileFunction.mixture(List.of(a, b), new double[] {1, 3});
        assertThat(mixed.mean()).isCloseTo(0.25 * a.mean() + 0.75 * b.mean(), within(1e-9));
        for (int i = 0; i < 100; i++) {
            double v = random.nextDouble() * 100;
            assertThat(mixed.cdf(v)).isCloseTo(0.25 * a.cdf(v) + 0.75 * b.cdf(v), within(1e-9));
        }
        assertThat(QuantileFunction.mixture(List.of(a), new double[] {7})).isSameAs(a);
    }

    @RepeatedTest(50)
    void partMeansAddUpToTheMean(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        QuantileFunction q = random(random);
        int n = 1 + random.nextInt(40);
        double[] means = q.partMeans(n);
        assertThat(Arrays.stream(means).average().orElseThrow()).isCloseTo(q.mean(), within(1e-9));
        for (int i = 0; i < n; i++) {
            assertThat(means[i])
                    .isCloseTo(q.slice((double) i / n, (i + 1.0) / n).mean(), within(1e-9));
        }
    }

    @Test
    void sliceIsThePartBetween() {
        QuantileFunction q = QuantileFunction.of(new double[] {0, 0.5, 0.5, 1}, new double[] {10, 20, 100, 200});
        assertThat(q.slice(0, 0.5).max()).isEqualTo(20);
        assertThat(q.slice(0.5, 1).min()).isEqualTo(100);
        assertThat(q.slice(0.5, 1).mean()).isEqualTo(150);
        assertThat(q.slice(0.5, 0.5).mean()).isEqualTo(20);
    }

    @Test
    void knotsMustAscend() {
        assertThatThrownBy(() -> QuantileFunction.of(new double[] {0, 1}, new double[] {2, 1}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("below its predecessor");
        assertThatThrownBy(() -> QuantileFunction.of(new double[] {0, 0.9}, new double[] {1, 2}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from probability 0 to 1");
    }
}
