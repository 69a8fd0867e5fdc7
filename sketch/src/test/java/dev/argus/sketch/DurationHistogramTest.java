package dev.argus.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Against the sorted durations themselves. */
class DurationHistogramTest {
    private static final int KNOTS = 16;

    private static DurationHistogram of(long... durations) {
        DurationHistogram h = new DurationHistogram();
        LongStream.of(durations).forEach(h::add);
        return h;
    }

    /** From nanoseconds to hours, with zeros and modes far apart. */
    private static long[] durations(Random random) {
        long[] d = new long[1 + random.nextInt(300)];
        int octaves = 1 + random.nextInt(42);
        for (int i = 0; i < d.length; i++) {
            d[i] = random.nextInt(20) == 0 ? 0 : random.nextLong(1L << random.nextInt(octaves + 1));
        }
        return d;
    }

    private static double[] quantiles(DurationHistogram h) {
        double[] q = new double[KNOTS];
        h.quantiles(q);
        return q;
    }

    private static void assertSame(DurationHistogram a, DurationHistogram b) {
        assertThat(quantiles(a)).isEqualTo(quantiles(b));
        assertThat(new long[] {a.count(), a.sumNanos(), a.minNanos(), a.maxNanos()})
                .containsExactly(b.count(), b.sumNanos(), b.minNanos(), b.maxNanos());
    }

    @Test
    void binsAreContiguousAndEachHoldsItsMiddle() {
        long nanos = 0;
        for (int bin = 0; bin < 40 * 64; bin++) {
            long first = nanos;
            assertThat(DurationHistogram.bin(first)).isEqualTo(bin);
            long width = bin < 128 ? 1 : 1L << (bin / 64 - 1);
            assertThat(DurationHistogram.bin(first + width - 1)).isEqualTo(bin);
            assertThat(DurationHistogram.middle(bin)).isEqualTo(first + (width - 1) / 2.0);
            nanos += width;
        }
    }

    @Test
    void powersOfTwoAndTheirNeighboursAscend() {
        int before = -1;
        for (int k = 1; k < 63; k++) {
            for (long nanos = (1L << k) - 1; nanos <= (1L << k) + 1; nanos++) {
                int bin = DurationHistogram.bin(nanos);
                assertThat(bin).as("%d ns", nanos).isGreaterThanOrEqualTo(before);
                assertThat(k > 52 || Math.abs(DurationHistogram.middle(bin) - nanos) <= nanos / 128.0)
                        .as("%d ns", nanos)
                        .isTrue();
                before = bin;
            }
            assertThat(DurationHistogram.bin(1L << k)).isEqualTo(DurationHistogram.bin((1L << k) - 1) + 1);
        }
        assertThat(DurationHistogram.bin(Long.MAX_VALUE)).isLessThan(64 * 58);
    }

    @RepeatedTest(300)
    void quantilesAreTheSortedDurationsWithin128th(RepetitionInfo run) {
        long[] sorted = durations(new Random(run.getCurrentRepetition()));
        double[] q = quantiles(of(sorted));
        Arrays.sort(sorted);
        for (int i = 0; i < KNOTS; i++) {
            long exact = sorted[(int) Math.ceil((i + 0.5) / KNOTS * sorted.length) - 1];
            assertThat(q[i]).as("knot %d", i).isCloseTo((double) exact, within(exact / 128.0));
        }
    }

    @RepeatedTest(100)
    void countSumAndEndsAreExact(RepetitionInfo run) {
        long[] d = durations(new Random(run.getCurrentRepetition()));
        DurationHistogram h = of(d);
        assertThat(h.count()).isEqualTo(d.length);
        assertThat(h.sumNanos()).isEqualTo(LongStream.of(d).sum());
        assertThat(h.minNanos()).isEqualTo(LongStream.of(d).min().orElseThrow());
        assertThat(h.maxNanos()).isEqualTo(LongStream.of(d).max().orElseThrow());
        double[] q = quantiles(h);
        assertThat(q).isSorted();
        assertThat(q[0]).isGreaterThanOrEqualTo((double) h.minNanos());
        assertThat(q[KNOTS - 1]).isLessThanOrEqualTo((double) h.maxNanos());
    }

    @RepeatedTest(100)
    void orderOfEventsAndMergesDoesNotMatter(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        long[] a = durations(random);
        long[] b = durations(random);
        long[] c = durations(random);
        long[] all = LongStream.concat(LongStream.of(c), LongStream.concat(LongStream.of(b), LongStream.of(a)))
                .toArray();
        DurationHistogram left = of(a);
        left.merge(of(b));
        left.merge(of(c));
        DurationHistogram right = of(c);
        right.merge(of(b));
        DurationHistogram outer = of(a);
        outer.merge(right);
        assertSame(left, of(all));
        assertSame(outer, of(all));
    }

    @Test
    void emptyAndZeros() {
        DurationHistogram empty = new DurationHistogram();
        assertThat(quantiles(empty)).containsOnly(0);
        assertThat(new long[] {empty.count(), empty.sumNanos(), empty.minNanos(), empty.maxNanos()})
                .containsOnly(0);
        DurationHistogram zeros = of(0, 0, 0);
        zeros.merge(empty);
        assertThat(quantiles(zeros)).containsOnly(0);
        assertThat(zeros.count()).isEqualTo(3);
        DurationHistogram half = of(0, 100);
        assertThat(quantiles(half)).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 100, 100, 100, 100, 100, 100, 100, 100);
        empty.merge(half);
        assertSame(empty, half);
    }
}
