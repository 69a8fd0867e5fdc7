package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
    /** What is small has digits, too: only nothing is 0. */
    @Test
    void sharesOfLargeJobsAreNoZero() {
        assertThat(Figures.about(1 / 1024.0)).isEqualTo("0.098 %");
        assertThat(Figures.about(1 / 12_960.0)).isEqualTo("0.0077 %");
        assertThat(Figures.percent(1 / 1024.0)).isEqualTo("0.0977 %");
        assertThat(Figures.percent(4e-9)).isEqualTo("0.000000400 %");
        assertThat(Figures.about(0)).isEqualTo("0 %");
        assertThat(Figures.about(Double.NaN)).isEqualTo("unknown");
    }

    @Test
    void sharesOfUsualSizeHaveTwoDigitsInASentence() {
        assertThat(Figures.about(0.125)).isEqualTo("13 %");
        assertThat(Figures.about(0.034)).isEqualTo("3.4 %");
        assertThat(Figures.about(0.0996)).isEqualTo("10 %");
        assertThat(Figures.about(1.234)).isEqualTo("123 %");
        assertThat(Figures.about(-0.0312)).isEqualTo("-3.1 %");
    }

    @Test
    void whatIsNoNumberIsUnknownAndHasNoUnit() {
        for (double none : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertThat(List.of(
                            Figures.three(none),
                            Figures.percent(none),
                            Figures.about(none),
                            Figures.times(none),
                            Figures.duration(none),
                            Figures.gpuTime(none),
                            Figures.bytes(none)))
                    .containsOnly("unknown");
        }
    }

    @Test
    void whatIsFarOutIsShort() {
        assertThat(Figures.percent(Double.MAX_VALUE)).isEqualTo("1.8E+310 %");
        assertThat(Figures.percent(-1e40)).isEqualTo("-1E+42 %");
        assertThat(Figures.percent(Double.MIN_VALUE)).isEqualTo("4.9E-322 %");
        for (double far : new double[] {Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_VALUE}) {
            assertThat(List.of(
                            Figures.three(far),
                            Figures.percent(far),
                            Figures.times(far),
                            Figures.duration(far),
                            Figures.gpuTime(far),
                            Figures.bytes(far)))
                    .allMatch(text -> text.length() < 30);
        }
    }

    @Test
    void whatIsBelow0HasTheUnitOfItsSize() {
        assertThat(Figures.duration(-5e9)).isEqualTo("-5 s");
        assertThat(Figures.bytes(-5e9)).isEqualTo("-5 GB");
        assertThat(Figures.gpuTime(-7200)).isEqualTo("-2 GPU-hours");
    }

    @Test
    void timesAndAmounts() {
        assertThat(Figures.times(1.3)).isEqualTo("1.30x");
        assertThat(Figures.times(0.0012)).isEqualTo("0.0012x");
        assertThat(Figures.times(12.34)).isEqualTo("12.3x");
        assertThat(Figures.times(Double.NaN)).isEqualTo("unknown");
        assertThat(Figures.gpuTime(0.4)).isEqualTo("0.4 GPU-seconds");
        assertThat(Figures.gpuTime(360)).isEqualTo("0.1 GPU-hours");
        assertThat(Figures.duration(222e6)).isEqualTo("222 ms");
        assertThat(Figures.bytes(999_600)).isEqualTo("1 MB");
    }
}
