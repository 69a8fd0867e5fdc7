package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When a step was, by clocks of which some are wrong. */
class StepClockTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final long T = 1_800_000_000_000_000_000L;

    private static StepClock of(long... startsOfHosts) {
        StepClock clock = new StepClock(4);
        for (int host = 0; host < startsOfHosts.length; host++) {
            clock.put(host, 7, startsOfHosts[host], startsOfHosts[host] + 10);
        }
        return clock;
    }

    private static long start(StepClock clock) {
        return clock.times(0).startNanos()[0];
    }

    @Test
    void aHostWhoseClockIsWrongMovesNothing() {
        assertThat(start(of(T, T + 3, T - 5 * HOUR))).isEqualTo(T);
        assertThat(start(of(T, T + 3, T + 5 * HOUR))).isEqualTo(T + 3);
        assertThat(start(of(T - 5 * HOUR, T))).as("of two the later").isEqualTo(T);
        assertThat(start(of(T))).isEqualTo(T);
    }

    @Test
    void ofAHostTheFirstRankBeginsAndTheLastOneEndsAStep() {
        StepClock clock = of(T);
        clock.put(0, 7, T - 2, T + 5);
        clock.put(0, 7, T + 1, T + 20);
        assertThat(clock.times(0).startNanos()).containsExactly(T - 2);
        assertThat(clock.times(0).endNanos()).containsExactly(T + 20);
    }

    @Test
    void aHostThatIsNotHeardCountsForNothing() {
        StepClock clock = new StepClock(4);
        clock.put(9, 7, T, T + 10);
        assertThat(start(clock)).isEqualTo(T);
        assertThat(new StepClock(4).times(0).steps()).isEmpty();
    }

    @Test
    void theOrderOfRecordsAndARestartChangeNothing() {
        List<long[]> records = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < 200; i++) {
            records.add(new long[] {random.nextInt(9), random.nextInt(8), T + random.nextLong(HOUR)});
        }
        byte[] before = null;
        for (int turn = 0; turn < 5; turn++) {
            Collections.shuffle(records, random);
            StepClock clock = new StepClock(8);
            records.forEach(r -> clock.put((int) r[0], r[1], r[2], r[2] + 10));
            WireWriter out = new WireWriter();
            clock.encode(out);
            StepClock again = StepClock.decode(8, new WireReader(out.toByteArray()));
            assertThat(again.times(0).startNanos()).isEqualTo(clock.times(0).startNanos());
            assertThat(again.times(0).endNanos()).isEqualTo(clock.times(0).endNanos());
            WireWriter twice = new WireWriter();
            again.encode(twice);
            assertThat(twice.toByteArray()).isEqualTo(out.toByteArray());
            assertThat(before == null ? out.toByteArray() : before).isEqualTo(out.toByteArray());
            before = out.toByteArray();
        }
    }

    @Test
    void theNewestStepsAreKept() {
        StepClock clock = new StepClock(2);
        for (long step : new long[] {5, 7, 6, 1}) {
            clock.put(0, step, T + step, T + step + 1);
        }
        assertThat(clock.times(0).steps()).containsExactly(6, 7);
    }

    @Test
    void damageIsRefused() {
        WireWriter out = new WireWriter();
        of(T, T).encode(out);
        byte[] bytes = out.toByteArray();
        assertThatThrownBy(() -> StepClock.decode(0, new WireReader(bytes)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected at most 0");
    }
}
