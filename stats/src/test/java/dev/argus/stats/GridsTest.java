package dev.argus.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GridsTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "127, 127", "255, 255", "256, 256", "257, 256", "258, 257", "511, 383", "512, 384"})
    void binsAreExactBelow256AndThen128AnOctave(long value, int bin) {
        assertThat(LogBins.bin(value, 7)).isEqualTo(bin);
    }

    @Test
    void binsFollowEachOtherWithoutGap() {
        for (int bin = 0; bin < LogBins.lastBin(7); bin++) {
            assertThat(LogBins.high(bin, 7) + 1).isEqualTo(LogBins.low(bin + 1, 7));
            assertThat(LogBins.bin(LogBins.low(bin, 7), 7)).isEqualTo(bin);
            assertThat(LogBins.bin(LogBins.high(bin, 7), 7)).isEqualTo(bin);
            assertThat(LogBins.halfWidth(bin, 7)).isLessThanOrEqualTo(LogBins.low(bin, 7) / 256.0);
        }
        assertThat(LogBins.high(LogBins.lastBin(7), 7)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void doublesHaveTheSameBinsAndSmallOnesOtherNumbers() {
        for (int bin = 128; LogBins.low(bin, 7) < 1L << 53; bin++) {
            assertThat(LogBins.binOfDouble((double) LogBins.low(bin, 7), 7)).isEqualTo(bin);
            assertThat(LogBins.binOfDouble((double) LogBins.high(bin, 7), 7)).isEqualTo(bin);
        }
        assertThat(LogBins.binOfDouble((double) (1L << 53), 7)).isEqualTo(LogBins.bin(1L << 53, 7));
        for (long small = 0; small < 128; small++) {
            assertThat(LogBins.binOfDouble((double) small, 7)).isLessThan(128);
        }
    }

    @Test
    void negativeValuesAreAboveEveryBin() {
        assertThat(LogBins.bin(-1, 7)).isGreaterThan(LogBins.lastBin(7));
        assertThat(LogBins.bin(Long.MIN_VALUE, 7)).isGreaterThan(LogBins.lastBin(7));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 9, 40, 1000, 65_537, 1L << 40})
    void placesAscendFromNothingToAll(long n) {
        for (int bits = 1; bits <= PositionGrid.MOST_BITS; bits++) {
            PositionGrid grid = new PositionGrid(n, bits);
            assertThat(grid.position(0)).isZero();
            assertThat(grid.position(grid.last())).isEqualTo(n);
            for (int place = 1; place <= grid.last(); place++) {
                assertThat(grid.position(place)).isGreaterThan(grid.position(place - 1));
            }
        }
    }

    @Test
    void everyPositionOfFewEventsIsAPlace() {
        PositionGrid grid = new PositionGrid(15, 2);
        assertThat(grid.last()).isEqualTo(15);
        assertThat(grid.position(7)).isEqualTo(7);
    }

    @RepeatedTest(50)
    void nearestIsNearest(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        PositionGrid grid = new PositionGrid(1 + random.nextInt(5000), 1 + random.nextInt(6));
        double position = random.nextDouble() * grid.n();
        double off = Math.abs(grid.position(grid.nearest(position)) - position);
        for (int place = 0; place <= grid.last(); place++) {
            assertThat(Math.abs(grid.position(place) - position)).isGreaterThanOrEqualTo(off);
        }
    }
}
