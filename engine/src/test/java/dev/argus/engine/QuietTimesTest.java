package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class QuietTimesTest {
    private static List<List<long[]>> split(long[]... all) {
        return QuietTimes.split(List.of(all), s -> s);
    }

    private static long[] range(long first, long last) {
        return LongStream.rangeClosed(first, last).toArray();
    }

    @Test
    void whatIsLongOverIsNoPartOfWhatBegins() {
        assertThat(split(range(70, 79), range(190, 199), range(191, 199))).hasSize(2);
        assertThat(split(range(70, 79), range(100, 109))).hasSize(2);
        assertThat(split(range(70, 79), range(90, 99)))
                .as("it has not ended yet")
                .hasSize(1);
    }

    @Test
    void whatComesAndGoesIsOne() {
        List<Long> pauses = new ArrayList<>();
        for (long step = 10; step < 400; step += 20) {
            pauses.add(step);
        }
        assertThat(QuietTimes.split(pauses, s -> new long[] {s})).hasSize(1);
        assertThat(split(new long[] {10, 20, 30}, new long[] {58, 68})).hasSize(1);
        assertThat(split(new long[] {10, 20, 30}, new long[] {68, 78})).hasSize(2);
    }

    @Test
    void aRhythmThatIsKnownLaterJoinsWhatCameBefore() {
        assertThat(split(new long[] {10}, new long[] {40, 55}, new long[] {70, 85}))
                .hasSize(1);
    }

    @Test
    void nothingIsOneOverMoreStepsThanAnIncidentReturnsIn() {
        assertThat(split(new long[] {10, 60}, new long[] {125, 175})).hasSize(2);
    }

    @Test
    void theOrderInWhichTheyCameDoesNotMatter() {
        assertThat(split(range(190, 199), range(70, 79), range(191, 195)).stream()
                        .map(List::size))
                .containsExactly(1, 2);
    }
}
