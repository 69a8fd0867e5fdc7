package dev.argus.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0",
                "1|1",
                "1.314|1.31",
                "1.2|1.2",
                "81.44|81.4",
                "999.6|1,000",
                "12345|12,300",
                "0.00123456|0.00123",
                "-2.346|-2.35",
                "NaN|unknown",
                "Infinity|unknown",
                "1e-9|1E-9",
                "1e18|1E+18"
            })
    void threeDigits(double value, String text) {
        assertThat(Numbers.three(value)).isEqualTo(text);
    }

    @Test
    void units() {
        assertThat(Numbers.percent(0.1234)).isEqualTo("12.3\u00a0%");
        assertThat(Numbers.probability(0.97)).isEqualTo("97\u00a0%");
        assertThat(Numbers.probability(0.9999)).isEqualTo("99\u00a0%");
        assertThat(Numbers.withUnit(1.2234, "x")).isEqualTo("1.22x");
        assertThat(Numbers.withUnit(31.24, "ms")).isEqualTo("31.2\u00a0ms");
        assertThat(Numbers.withUnit(7, "1")).isEqualTo("7");
        assertThat(Numbers.percent(0.12)).isEqualTo("12.0\u00a0%");
        assertThat(Numbers.percent(0.009)).isEqualTo("0.900\u00a0%");
        assertThat(Numbers.percent(0.99961)).isEqualTo("100\u00a0%");
        assertThat(Numbers.percent(0)).isEqualTo("0\u00a0%");
        assertThat(Numbers.percent(0.0894, 2)).isEqualTo("8.9\u00a0%");
        assertThat(Numbers.percent(0.134, 2)).isEqualTo("13\u00a0%");
        assertThat(Numbers.withUnit(1.3, "x")).isEqualTo("1.30x");
        assertThat(Numbers.withUnit(9.996, "x")).isEqualTo("10x");
        assertThat(Numbers.withUnit(0.0012, "x")).isEqualTo("0.0012x");
        assertThat(Numbers.gpuTime(81.4)).isEqualTo("81.4\u00a0GPU-seconds");
        assertThat(Numbers.gpuTime(111_600)).isEqualTo("31\u00a0GPU-hours");
        assertThat(Numbers.duration(222_442_191)).isEqualTo("222\u00a0ms");
        assertThat(Numbers.duration(1_350_000_000)).isEqualTo("1.35\u00a0s");
        assertThat(Numbers.bytes(1_240_000_000)).isEqualTo("1.24\u00a0GB");
        assertThat(Numbers.bytes(999)).isEqualTo("999\u00a0B");
    }

    @Test
    void stepsAndTimes() {
        assertThat(Numbers.steps(5, 5)).isEqualTo("step 5");
        assertThat(Numbers.steps(41_200, 41_300)).isEqualTo("steps 41,200 to 41,300");
        assertThat(Numbers.steps(-1, -1)).isEqualTo("no steps");
        assertThat(Numbers.isDate(123_456)).isFalse();
        assertThat(Numbers.utc(1_777_636_800_123_456_789L)).isEqualTo("2026-05-01 12:00:00 UTC");
        assertThat(Numbers.utc(Long.MAX_VALUE)).isEqualTo("2262-04-11 23:47:16 UTC");
    }

    @Test
    void progressLine() {
        long gigabyte = 1_000_000_000L;
        assertThat(ProgressLine.of("reading traces", gigabyte, 4 * gigabyte, 5 * gigabyte, 100))
                .isEqualTo("reading traces: 1 GB of 4 GB, 25 %, 200 MB/s, 15 s left");
        assertThat(ProgressLine.of("reading", 0, 0, 0, 100)).isEqualTo("reading");
        assertThat(ProgressLine.of("reading", 7, 5, 1_000_000_000, 100)).isEqualTo("reading: 7 B of 5 B, 100 %, 7 B/s");
        assertThat(ProgressLine.of("a\nb", 1, 2, 1, 10)).isEqualTo("a\\x0ab: 1 ");
    }

    @Test
    void wrapping() {
        assertThat(Page.wrap("aa bb cc", 5)).containsExactly("aa bb", "cc");
        assertThat(Page.wrap("took 5 % at step 24 of 30", 10))
                .containsExactly("took 5\u00a0%", "at step\u00a024", "of 30");
        assertThat(Page.wrap("a 81.4 GPU-seconds lost", 6)).containsExactly("a", "81.4\u00a0GPU-seconds", "lost");
        assertThat(Page.wrap("", 5)).containsExactly("");
        assertThat(Page.wrap("a veryverylong b", 5)).containsExactly("a", "veryverylong", "b");
    }
}
