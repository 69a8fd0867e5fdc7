package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** 24 ranks on hosts of eight, whose healthy ranks differ by 0.5 %. */
class HostsApartTest {
    private static final IntFunction<String> HOSTS = r -> "host" + r / 8;
    private final Random random = new Random(2);

    private double[] lasting(int ranks, double... byHost) {
        double[] lasting = new double[ranks];
        Arrays.setAll(lasting, r -> byHost[r / 8] + 0.005 * random.nextGaussian());
        return lasting;
    }

    private static boolean[] slower(double[] lasting, IntFunction<String> hostOf) {
        return HostsApart.slower(lasting, hostOf, 0.004, 0.015);
    }

    private static boolean[] eightOf(int ranks, int first) {
        boolean[] slower = new boolean[ranks];
        Arrays.fill(slower, first, first + 8, true);
        return slower;
    }

    @Test
    void aSlowHostOfThreeAndOneOfTwo() {
        assertThat(slower(lasting(24, 0, 0.022, 0), HOSTS)).isEqualTo(eightOf(24, 8));
        assertThat(slower(lasting(16, 0.022, 0), HOSTS)).isEqualTo(eightOf(16, 0));
    }

    @Test
    void equalHostsAndSmallDifferencesAreNothing() {
        assertThat(slower(lasting(24, 0, 0, 0), HOSTS)).isNull();
        assertThat(slower(lasting(24, 0, 0.012, 0), HOSTS)).as("1.2 %").isNull();
    }

    @Test
    void moreThanHalfIsTheReferenceAndNotSlow() {
        assertThat(slower(lasting(24, 0.022, 0.022, 0), HOSTS)).isNull();
    }

    @Test
    void oneVerySlowRankIsNoSlowHost() {
        double[] lasting = lasting(24, 0, 0, 0);
        lasting[9] = 0.5;
        assertThat(slower(lasting, HOSTS)).isNull();
    }

    @Test
    void slowRanksOfAllHostsAreNoHost() {
        double[] lasting = lasting(24, 0, 0, 0);
        for (int r = 0; r < 24; r += 3) {
            lasting[r] += 0.022;
        }
        assertThat(slower(lasting, HOSTS)).isNull();
    }

    @Test
    void withoutNamesOfHostsNothingIsSaid() {
        assertThat(slower(lasting(24, 0, 0.022, 0), r -> "")).isNull();
        assertThat(slower(new double[0], HOSTS)).isNull();
    }
}
