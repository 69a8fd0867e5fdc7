package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Four groups or so whose transfers differ for as long as was seen. */
class LinkSpreadTest {
    private static final double SIGMA = 0.005;

    private static double[] steady(double ratio) {
        return changing(ratio, 1, 10);
    }

    private static double[] changing(double ratio, double factor, int from) {
        return IntStream.range(0, 10)
                .mapToDouble(s -> Math.log(ratio * (s >= from ? factor : 1)))
                .toArray();
    }

    private static LinkSpread of(double[]... groups) {
        return new LinkSpread(groups, SIGMA);
    }

    @Test
    void aLittleForEverIsTakenOff() {
        LinkSpread spread = of(steady(1), steady(1), steady(1.001), steady(1.04));
        assertThat(spread.lasting(3)).isCloseTo(Math.log(1.04), within(0.002));
        assertThat(spread.lasting(2)).isZero();
    }

    @Test
    void muchForEverStays() {
        LinkSpread spread = of(steady(1), steady(1), steady(1.001), steady(1.08));
        assertThat(spread.limit).isBetween(Math.log(1.045), Math.log(1.06));
        assertThat(spread.lasting(3)).isZero();
    }

    /** Where healthy groups are far apart, more is demanded. */
    @Test
    void theSpreadIsMeasured() {
        LinkSpread spread = of(steady(0.94), steady(0.97), steady(1), steady(1.03), steady(1.08));
        assertThat(spread.limit).isGreaterThan(Math.log(1.1));
        assertThat(spread.lasting(4)).isPositive();
    }

    /** What a group was above the others before it changed is taken off, its change is not. */
    @Test
    void aChangeStays() {
        LinkSpread spread = of(steady(1), steady(1), steady(1.001), changing(1.03, 1.15, 4));
        assertThat(spread.lasting(3)).isCloseTo(Math.log(1.03), within(0.002));
    }

    @Test
    void oneOfTwoIsSlow() {
        assertThat(of(steady(1), steady(1.1)).lasting(1)).isZero();
        assertThat(of(steady(1), steady(1.04)).lasting(1)).isCloseTo(Math.log(1.04), within(0.001));
    }

    @Test
    void nothingSeenIsNothing() {
        double[] nothing = new double[10];
        Arrays.fill(nothing, Double.NaN);
        assertThat(of(steady(1), steady(1.03), nothing).lasting(2)).isZero();
    }
}
