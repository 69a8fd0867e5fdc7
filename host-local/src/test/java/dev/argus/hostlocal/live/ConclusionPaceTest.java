package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When detectors are asked. */
class ConclusionPaceTest {
    private static final long SECOND = 1_000_000_000L;

    private long now = 1000 * SECOND;

    /** Seconds from the first conclusion on at which one is drawn, asked once a second for some time. */
    private List<Long> drawn(ConclusionPace pace, int ranks, boolean stirred, int seconds) {
        List<Long> at = new ArrayList<>();
        long begin = now;
        for (int s = 0; s < seconds; s++) {
            now += SECOND;
            if (pace.due(ranks, stirred, now)) {
                pace.concluded(ranks, now);
                at.add((now - begin) / SECOND);
            }
        }
        return at;
    }

    private ConclusionPace begun(int ranks, long spentNanos) {
        ConclusionPace pace = new ConclusionPace(SECOND / 4);
        pace.spent(spentNanos);
        assertThat(pace.due(ranks, false, now))
                .as("the first one waits for nothing")
                .isTrue();
        pace.concluded(ranks, now);
        return pace;
    }

    @Test
    void aQuarterOfTheTimeAtMost() {
        assertThat(drawn(begun(12_960, 3 * SECOND), 12_960, true, 120))
                .hasSize(120 / 12)
                .containsSequence(12L, 24L, 36L);
    }

    @Test
    void rarelyWhileAllStepsAreAlike() {
        assertThat(drawn(begun(12_960, 3 * SECOND), 12_960, false, 130)).containsExactly(60L, 120L);
        assertThat(drawn(begun(8, 0), 8, false, 11)).containsExactly(5L, 10L);
    }

    @Test
    void whatBeginsAfterAQuietTimeIsLookedAtStepByStep() {
        ConclusionPace pace = begun(12_960, 3 * SECOND);
        drawn(pace, 12_960, false, 59);
        assertThat(drawn(pace, 12_960, true, 13))
                .as("four at once, then as time allows")
                .startsWith(1L, 2L, 3L, 4L)
                .hasSize(4 + 1);
    }

    @Test
    void smallJobsAreAskedAsOftenAsTheyMay() {
        ConclusionPace pace = begun(8, 0);
        assertThat(pace.due(8, true, now + SECOND / 4 - 1)).isFalse();
        assertThat(pace.due(8, true, now + SECOND / 4)).isTrue();
    }

    @Test
    void goesOnWhereItWasWrittenDown() {
        ConclusionPace pace = begun(1000, 2 * SECOND);
        drawn(pace, 1000, true, 5);
        WireWriter to = new WireWriter();
        pace.encode(to);
        ConclusionPace again = new ConclusionPace(SECOND / 4);
        again.decode(new WireReader(to.toByteArray()));
        long at = now;
        List<Long> plain = drawn(pace, 1000, true, 100);
        now = at;
        assertThat(drawn(again, 1000, true, 100)).isEqualTo(plain);
    }
}
