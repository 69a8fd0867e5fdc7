package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MedianIntervalTest {
    @Test
    void theIntervalIsOfOrderStatisticsAroundTheMiddle() {
        List<Double> hundred =
                IntStream.rangeClosed(1, 100).mapToObj(i -> (double) i).toList();
        MedianInterval interval = MedianInterval.of(hundred);
        assertThat(interval.median()).isEqualTo(50.5);
        // of 100 values: the 40th or 41st to the 60th or 61st, by the binomial
        assertThat(interval.low()).isBetween(40.0, 41.0);
        assertThat(interval.high()).isBetween(60.0, 61.0);
        assertThat(interval.width()).isEqualTo(interval.high() - interval.low());
    }

    @Test
    void ofFewValuesItIsAllOfThem() {
        MedianInterval interval = MedianInterval.of(List.of(3.0, 1.0, 2.0));
        assertThat(interval.low()).isEqualTo(1);
        assertThat(interval.high()).isEqualTo(3);
        assertThat(interval.count()).isEqualTo(3);
    }
}
