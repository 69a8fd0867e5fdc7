package dev.argus.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final long MS = 1_000_000;
    private static final int WORK = 0;
    private static final int STREAM = 1;

    /** Two ranks, two rounds of work and a collective of 2 ms; rank 1 is 5 ms late each time. Clocks a second apart. */
    private static ScheduleBuilder late() {
        ScheduleBuilder b = new ScheduleBuilder(100);
        for (int round = 0; round < 2; round++) {
            long from = 20 * MS * round;
            b.add(0, WORK, 0, from, 10 * MS, "");
            b.add(0, STREAM, 1, from + 10 * MS, 7 * MS, "c" + round);
            b.add(1, WORK, 0, 1000 * MS + from, 15 * MS, "");
            b.add(1, STREAM, 1, 1000 * MS + from + 15 * MS, 2 * MS, "c" + round);
        }
        return b;
    }

    @Test
    void playsWhatWasRecorded() {
        Schedule s = late().build().orElseThrow();
        assertThat(s.size()).isEqualTo(8);
        assertThat(s.replay()).isCloseTo(2 * 17 * MS, within(1.0));
    }

    @Test
    void aLateRankWithThePeersTimeFreesAll() {
        Schedule s = late().build().orElseThrow();
        assertThat(s.replay(i -> s.rank(i) == 1 && !s.meets(i) ? 10 * MS : s.nanos(i)))
                .isCloseTo(2 * 12 * MS, within(1.0));
    }

    @Test
    void aVictimsTimeFreesNobody() {
        Schedule s = late().build().orElseThrow();
        assertThat(s.replay(i -> s.rank(i) == 0 && !s.meets(i) ? MS : s.nanos(i)))
                .isCloseTo(s.replay(), within(1.0));
    }

    /** Communication beside compute that ends before anybody needs it costs nothing, until it lasts longer than the compute. */
    @Test
    void coveredCommunicationCostsNothing() {
        ScheduleBuilder b = new ScheduleBuilder(100);
        for (int rank = 0; rank < 2; rank++) {
            b.add(rank, WORK, 0, 0, 4 * MS, "");
            b.add(rank, STREAM, 1, 4 * MS, 5 * MS, "c");
            b.add(rank, WORK, 0, 4 * MS, 6 * MS, "");
            b.add(rank, WORK, 2, 10 * MS, MS, "");
        }
        Schedule s = b.build().orElseThrow();
        assertThat(s.replay()).isCloseTo(11 * MS, within(1.0));
        assertThat(s.replay(i -> s.meets(i) ? 8 * MS : s.nanos(i))).isCloseTo(13 * MS, within(1.0));
    }

    @Test
    void aCircleIsRefused() {
        ScheduleBuilder b = new ScheduleBuilder(100);
        b.add(0, STREAM, 1, 0, MS, "a");
        b.add(0, STREAM, 1, 2 * MS, MS, "b");
        b.add(1, STREAM, 1, 0, MS, "b");
        b.add(1, STREAM, 1, 2 * MS, MS, "a");
        assertThat(b.build()).isEmpty();
    }

    @Test
    void tooManyAreRefused() {
        ScheduleBuilder b = new ScheduleBuilder(2);
        for (int i = 0; i < 4; i++) {
            b.add(0, WORK, 0, i * MS, MS, "");
        }
        assertThat(b.full()).isTrue();
        assertThat(b.build()).isEmpty();
        assertThat(new ScheduleBuilder(2).build()).as("nothing at all").isEmpty();
    }

    /** Oracle: a job simulated by hand, in which all wait for all after each round, costs the sum of the longest rounds. */
    @RepeatedTest(20)
    void roundsCostTheirSlowestRank(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        int ranks = 2 + random.nextInt(6);
        int rounds = 1 + random.nextInt(20);
        ScheduleBuilder b = new ScheduleBuilder(10_000);
        long now = 0;
        long[] work = new long[ranks * rounds];
        for (int round = 0; round < rounds; round++) {
            long longest = 0;
            for (int rank = 0; rank < ranks; rank++) {
                work[round * ranks + rank] = MS + random.nextLong(20 * MS);
                longest = Math.max(longest, work[round * ranks + rank]);
            }
            for (int rank = 0; rank < ranks; rank++) {
                long own = work[round * ranks + rank];
                b.add(rank, WORK, rank, now + 7_000_000_000L * rank, own, "");
                b.add(rank, STREAM, -1, now + 7_000_000_000L * rank + own, longest - own + MS, "c" + round);
            }
            now += longest + MS;
        }
        Schedule s = b.build().orElseThrow();
        assertThat(s.replay()).isCloseTo((double) now, within(1.0));
        int slow = random.nextInt(ranks);
        double without = 0;
        for (int round = 0; round < rounds; round++) {
            long longest = 0;
            for (int rank = 0; rank < ranks; rank++) {
                longest = Math.max(longest, rank == slow ? MS : work[round * ranks + rank]);
            }
            without += longest + MS;
        }
        assertThat(s.replay(i -> s.kind(i) == slow ? MS : s.nanos(i))).isCloseTo(without, within(1.0));
    }
}
