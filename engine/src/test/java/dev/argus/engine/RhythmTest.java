package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RhythmTest {
    private static long of(long... steps) {
        return Rhythm.of(steps);
    }

    @Test
    void evenlyApartIsARhythm() {
        assertThat(of(50, 100, 150)).isEqualTo(50);
        assertThat(of(10, 11, 20, 30, 31)).as("steps in a row are one time").isEqualTo(10);
        assertThat(Rhythm.times(new long[] {10, 11, 20, 30, 31})).containsExactly(10L, 20L, 30L);
        assertThat(of(LongStream.range(0, 20)
                        .filter(k -> k != 7)
                        .map(k -> 5 * k)
                        .toArray()))
                .as("one is missing")
                .isEqualTo(5);
    }

    @Test
    void anythingElseIsNone() {
        assertThat(of()).isEqualTo(-1);
        assertThat(of(50, 100)).as("two times").isEqualTo(-1);
        assertThat(of(50, 100, 151)).isEqualTo(-1);
        assertThat(of(10, 20, 90)).as("most of them are missing").isEqualTo(-1);
        assertThat(of(4, 5, 6, 7)).as("one time").isEqualTo(-1);
    }
}
