package dev.argus.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RingClockTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long EPOCH = 1_700_000_000L * SECOND;

    @Test
    void timesOfClockMonotonicStayAndGetOneOffset() {
        RingClock clock = new RingClock(RingHeader.MONOTONIC);
        clock.add(5 * SECOND, 5 * SECOND, EPOCH + 5 * SECOND);
        assertThat(clock.monotonic(7 * SECOND)).isEqualTo(7 * SECOND);
        assertThat(clock.epoch(7 * SECOND)).isEqualTo(EPOCH + 7 * SECOND);

        clock.add(15 * SECOND, 15 * SECOND, EPOCH + 3600 * SECOND);
        assertThat(clock.epoch(16 * SECOND))
                .as("a wall clock put forward by an hour moves nothing")
                .isEqualTo(EPOCH + 16 * SECOND);
    }

    @Test
    void aClockOfItsOwnIsInterpolatedBetweenPairs() {
        RingClock clock = new RingClock(RingHeader.OTHER, EPOCH);
        assertThat(clock.monotonic(123)).isEqualTo(123);
        assertThat(clock.unplaced()).isEqualTo(1);
        clock.add(1000 * SECOND, 50 * SECOND, 1);
        assertThat(clock.monotonic(1003 * SECOND)).as("one pair: the offset").isEqualTo(53 * SECOND);
        assertThat(clock.monotonic(999 * SECOND)).isEqualTo(49 * SECOND);
        clock.add(1010 * SECOND, 60 * SECOND + 1000, 2); // 100 ppm of a microsecond each second
        assertThat(clock.monotonic(1005 * SECOND)).isCloseTo(55 * SECOND + 500, within(1L));
        assertThat(clock.monotonic(1010 * SECOND)).isEqualTo(60 * SECOND + 1000);
        assertThat(clock.monotonic(1020 * SECOND)).as("goes on drifting").isCloseTo(70 * SECOND + 2000, within(1L));
        assertThat(clock.monotonic(990 * SECOND)).as("and did before").isCloseTo(40 * SECOND - 1000, within(1L));
        assertThat(clock.epoch(1005 * SECOND) - clock.monotonic(1005 * SECOND)).isEqualTo(EPOCH);
    }

    @Test
    void pairsCloseTogetherDoNotExtrapolateTheirNoise() {
        RingClock clock = new RingClock(RingHeader.OTHER, 0);
        clock.add(10 * SECOND, 10 * SECOND, 1);
        clock.add(10 * SECOND + 10_000, 10 * SECOND + 15_000, 1); // read 5 us late, after a gap
        assertThat(clock.monotonic(20 * SECOND)).isCloseTo(20 * SECOND, within(6_000L));
    }

    @Test
    void aWallClockPutForwardBetweenTwoPairsMovesOnlyWhatIsNearer() {
        RingClock clock = new RingClock(RingHeader.REALTIME);
        clock.add(EPOCH, 100 * SECOND, EPOCH);
        clock.add(EPOCH + 70 * SECOND, 110 * SECOND, EPOCH + 70 * SECOND); // 60 s forward, somewhere
        assertThat(clock.monotonic(EPOCH + 2 * SECOND)).isEqualTo(102 * SECOND);
        assertThat(clock.monotonic(EPOCH + 68 * SECOND)).isEqualTo(108 * SECOND);
        assertThat(clock.monotonic(EPOCH + 30 * SECOND)).as("never shown").isEqualTo(110 * SECOND);
        assertThat(clock.monotonic(EPOCH + 75 * SECOND)).isEqualTo(115 * SECOND);
        assertThat(clock.epoch(EPOCH + 75 * SECOND)).as("one offset").isEqualTo(EPOCH + 15 * SECOND);
        assertThat(clock.restarts()).isZero();
    }

    @Test
    void aWallClockPutBackALittle() {
        RingClock clock = new RingClock(RingHeader.REALTIME);
        clock.add(EPOCH, 100 * SECOND, EPOCH);
        clock.add(EPOCH + 9 * SECOND, 110 * SECOND, EPOCH + 9 * SECOND); // 1 s back
        assertThat(clock.monotonic(EPOCH + 4 * SECOND)).isEqualTo(104 * SECOND);
        assertThat(clock.monotonic(EPOCH + 5 * SECOND)).isEqualTo(106 * SECOND);
        assertThat(clock.monotonic(EPOCH + 10 * SECOND)).isEqualTo(111 * SECOND);
    }

    @Test
    void aClockThatBeginsAgainForgetsWhatWas() {
        RingClock clock = new RingClock(RingHeader.OTHER, 0);
        clock.add(1000 * SECOND, 100 * SECOND, 1);
        clock.add(1010 * SECOND, 110 * SECOND + 5000, 1);
        clock.add(SECOND, 120 * SECOND, 1);
        assertThat(clock.restarts()).isEqualTo(1);
        assertThat(clock.monotonic(3 * SECOND)).isEqualTo(122 * SECOND);
    }

    @Test
    void impossiblePairsAreRefused() {
        RingClock clock = new RingClock(RingHeader.OTHER, 0);
        assertThat(clock.add(-1, 1, 1)).isFalse();
        assertThat(clock.add(1, Long.MAX_VALUE, 1)).isFalse();
        assertThat(clock.add(1, 1, Long.MIN_VALUE)).isFalse();
        assertThat(clock.add(10, 10, 10)).isTrue();
        assertThat(clock.add(20, 10, 20)).as("the monotonic clock stands").isFalse();
        assertThat(clock.add(20, 9, 20)).isFalse();
        assertThat(clock.refused()).isEqualTo(5);
    }

    /** Any pairs at all: an answer, never an error; and order is kept while the clock neither stops nor steps. */
    @Test
    void orderIsKeptWhateverTheDrift() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 200; round++) {
            RingClock clock = new RingClock(RingHeader.OTHER, 0);
            long here = random.nextLong(1L << 50);
            long there = random.nextLong(1L << 50);
            long first = here;
            for (int i = 0; i < 100; i++) {
                clock.add(here, there, 1);
                long more = 1 + random.nextLong(20 * SECOND);
                here += more;
                there += more + (long) (more * (random.nextDouble() - 0.5) * 1e-4) + 1;
            }
            long before = Long.MIN_VALUE;
            for (long t = first; t < here; t += 1 + random.nextLong(SECOND)) {
                long at = clock.monotonic(t);
                assertThat(at).isGreaterThanOrEqualTo(before);
                before = at;
            }
            RingClock wild = new RingClock(RingHeader.OTHER);
            for (int i = 0; i < 50; i++) {
                wild.add(random.nextLong(), random.nextLong(), random.nextLong());
                wild.epoch(random.nextLong());
            }
        }
    }
}
