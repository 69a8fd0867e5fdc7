package dev.argus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What recording costs, in jobs of which it is known. */
class OverheadMeterTest {
    private static OverheadMeter.Estimate measure(long seed, double cost, double drift, int steps) {
        OverheadMeter meter = new OverheadMeter();
        SplittableRandom random = new SplittableRandom(seed);
        for (int s = 0; s < steps; s++) {
            boolean recorded = s / 8 % 2 == 0;
            double hiccup = random.nextInt(20) == 0 ? 1.5 : 1;
            double noise = 1 + 0.01 * random.nextDouble();
            meter.add(s, 1e8 * (1 + drift * s) * noise * hiccup * (recorded ? 1 + cost : 1), recorded);
        }
        return meter.estimate();
    }

    @Test
    void theCostIsInTheIntervalAlsoWhenTheJobGetsSlower() {
        int inside = 0;
        for (long seed = 0; seed < 100; seed++) {
            OverheadMeter.Estimate e = measure(seed, 0.02, 1e-4, 1600);
            inside += e.low() <= 0.0205 && 0.019 <= e.high() ? 1 : 0;
            assertThat(e.pairs()).isEqualTo(99);
            assertThat(e.high() - e.low()).isLessThan(0.005);
        }
        assertThat(inside).isGreaterThanOrEqualTo(90);
    }

    @Test
    void nothingCostsNothing() {
        assertThat(measure(1, 0, 0, 3200).ratio()).isCloseTo(0, Offset.offset(0.001));
    }

    @Test
    void fewRunsHaveNoInterval() {
        assertThat(new OverheadMeter().estimate().pairs()).isZero();
        OverheadMeter.Estimate e = measure(1, 0.02, 0, 48);
        assertThat(e.pairs()).isEqualTo(2);
        assertThat(e.high()).isInfinite();
    }

    @Test
    void stepsThatAreMissingOrComeTwiceJoinNoRuns() {
        OverheadMeter meter = new OverheadMeter();
        meter.add(1, 10, true);
        meter.add(2, 10, false);
        meter.add(2, 99, false);
        meter.add(4, 10, false);
        meter.add(5, 10, true);
        assertThat(meter.estimate().pairs()).as("step 3 is missing").isZero();
    }
}
