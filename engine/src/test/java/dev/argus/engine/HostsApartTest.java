package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** 24 ranks on hosts of eight, whose healthy ranks differ by 0.5 %. */
class HostsApartTest {
    private final Random random = new Random(2);

    private static String host(int r) {
        return "host" + r / 8;
    }

    private double[] lasting(int ranks, double... byHost) {
        double[] lasting = new double[ranks];
        Arrays.setAll(lasting, r -> byHost[r / 8] + 0.005 * random.nextGaussian());
        return lasting;
    }

    private static boolean @Nullable [] slower(double[] lasting, IntFunction<String> hostOf) {
        return HostsApart.slower(lasting, hostOf, 0.004, 0.015);
    }

    private static boolean[] eightOf(int ranks, int first) {
        boolean[] slower = new boolean[ranks];
        Arrays.fill(slower, first, first + 8, true);
        return slower;
    }

    @Test
    void aSlowHostOfThreeAndOneOfTwo() {
        assertThat(slower(lasting(24, 0, 0.022, 0), HostsApartTest::host)).isEqualTo(eightOf(24, 8));
        assertThat(slower(lasting(16, 0.022, 0), HostsApartTest::host)).isEqualTo(eightOf(16, 0));
    }

    /** Sorted, the halves of any noise lie apart, and the more surely the more hosts there are. */
    @Test
    void halvesOfSortedNoiseAreNoSlowHosts() {
        double[] lasting = new double[400];
        Arrays.setAll(lasting, r -> 0.015 * random.nextGaussian());
        assertThat(slower(lasting, r -> "host" + r)).as("a rank on each").isNull();
        assertThat(slower(lasting, r -> "host" + r / 2)).as("two on each").isNull();
    }

    @Test
    void equalHostsAndSmallDifferencesAreNothing() {
        assertThat(slower(lasting(24, 0, 0, 0), HostsApartTest::host)).isNull();
        assertThat(slower(lasting(24, 0, 0.012, 0), HostsApartTest::host))
                .as("1.2 %")
                .isNull();
    }

    /** No GPU is faster than it should be: far apart, the slower hosts are slow, though they are most. */
    @Test
    void mostOfTheRanksMayBeSlow() {
        boolean @Nullable [] slower = slower(lasting(24, 0.06, 0, 0.06), HostsApartTest::host);
        boolean[] expected = new boolean[24];
        Arrays.fill(expected, true);
        Arrays.fill(expected, 8, 16, false);
        assertThat(slower).isEqualTo(expected);
    }

    @Test
    void aLittleSlowerMoreThanHalfIsTheReference() {
        assertThat(slower(lasting(24, 0.022, 0.022, 0), HostsApartTest::host)).isNull();
    }

    @Test
    void oneVerySlowRankIsNoSlowHost() {
        double[] lasting = lasting(24, 0, 0, 0);
        lasting[9] = 0.5;
        assertThat(slower(lasting, HostsApartTest::host)).isNull();
    }

    @Test
    void slowRanksOfAllHostsAreNoHost() {
        double[] lasting = lasting(24, 0, 0, 0);
        for (int r = 0; r < 24; r += 3) {
            lasting[r] += 0.022;
        }
        assertThat(slower(lasting, HostsApartTest::host)).isNull();
    }

    @Test
    void ranksOfWhichNothingIsKnownAreLeftOut() {
        double[] lasting = lasting(24, 0, 0.022, 0);
        lasting[3] = Double.NaN;
        assertThat(slower(lasting, HostsApartTest::host)).isEqualTo(eightOf(24, 8));
        Arrays.fill(lasting, 0, 8, Double.NaN);
        Arrays.fill(lasting, 16, 24, Double.NaN);
        assertThat(slower(lasting, HostsApartTest::host)).as("one host is left").isNull();
    }

    @Test
    void manyHosts() {
        double[] lasting = lasting(80, 0, 0, 0.022, 0, 0, 0.022, 0, 0.024, 0, 0);
        boolean @Nullable [] slower = slower(lasting, HostsApartTest::host);
        boolean[] expected = new boolean[80];
        for (int host : new int[] {2, 5, 7}) {
            Arrays.fill(expected, 8 * host, 8 * host + 8, true);
        }
        assertThat(slower).isEqualTo(expected);
    }

    @Test
    void withoutNamesOfHostsNothingIsSaid() {
        assertThat(slower(lasting(24, 0, 0.022, 0), r -> "")).isNull();
        assertThat(slower(new double[0], HostsApartTest::host)).isNull();
    }
}
