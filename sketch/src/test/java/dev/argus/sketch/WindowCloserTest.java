package dev.argus.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.DurationSummary;
import dev.argus.model.DurationSummary.Form;
import dev.argus.stats.QuantileFunction;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class WindowCloserTest {
    private static long[] durations(Random random, int n, double scale) {
        long[] values = new long[n];
        for (int i = 0; i < n; i++) {
            double mode = i % 3 == 0 ? 4 : 1;
            values[i] = Math.round(scale * mode * 20_000 * Math.exp(0.05 * random.nextGaussian()));
        }
        Arrays.sort(values);
        return values;
    }

    private static DurationSummary close(WindowCloser closer, long[] values) {
        KernelSketch sketch = new KernelSketch(16);
        for (long value : values) {
            sketch.add(3, 7, 0, value);
        }
        return closer.close(sketch, 0, 0, 0).kernels().getFirst().durations();
    }

    private static double errorRatio(long[] values, DurationSummary summary) {
        QuantileFunction truth =
                QuantileFunction.steps(Arrays.stream(values).asDoubleStream().toArray());
        return truth.shiftTo(Rebuilt.of(summary)).distance() / truth.mean();
    }

    @RepeatedTest(20)
    void everyWindowOfAStreamKeepsItsBound(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        WindowCloser closer = new WindowCloser(0.01, false);
        int n = 2 + random.nextInt(300);
        for (int window = 0; window < 40; window++) {
            int now = window % 10 == 9 ? n + random.nextInt(5) : n;
            long[] values = durations(random, now, window < 20 ? 1 : 1.3);
            DurationSummary summary = close(closer, values);
            assertThat(summary.boundRatio()).as("window %d", window).isLessThanOrEqualTo(0.01);
            assertThat(errorRatio(values, summary)).isLessThanOrEqualTo(summary.boundRatio() + 1e-9);
            assertThat(summary.sumNanos()).isEqualTo(Arrays.stream(values).sum());
        }
    }

    @Test
    void similarWindowsKeepTheirShape() {
        WindowCloser closer = new WindowCloser(0.01, false);
        Random random = new Random(4);
        long[] base = durations(random, 300, 1);
        DurationSummary first = close(closer, base);
        int kept = 0;
        for (int window = 0; window < 20; window++) {
            long[] next = Arrays.stream(base)
                    .map(x -> Math.round(x * (1 + 0.003 * random.nextGaussian())))
                    .sorted()
                    .toArray();
            kept += Arrays.equals(close(closer, next).places(), first.places()) ? 1 : 0;
        }
        assertThat(kept).isEqualTo(20);
    }

    @Test
    void modesAreReadFromTheKnots() {
        DurationSummary summary = close(new WindowCloser(), durations(new Random(9), 3000, 1));
        assertThat(Rebuilt.modes(summary)).isEqualTo(2);
        assertThat((double) Rebuilt.modeCount(summary, 0)).isCloseTo(2000, within(40.0));
        assertThat((double) Rebuilt.modeCount(summary, 1)).isCloseTo(1000, within(40.0));
        assertThat(Rebuilt.mode(summary, 0).at(0.5)).isCloseTo(20_000, within(400.0));
        assertThat(Rebuilt.mode(summary, 1).at(0.99)).isCloseTo(80_000 * Math.exp(0.05 * 2.33), within(3000.0));
    }

    @Test
    void distanceIsSigned() {
        DurationSummary before = close(new WindowCloser(), durations(new Random(1), 500, 1));
        DurationSummary after = close(new WindowCloser(), durations(new Random(1), 500, 1.2));
        assertThat(Rebuilt.distance(before, after).signed()).isCloseTo(before.meanNanos() * 0.2, within(1.0));
        assertThat(Rebuilt.distance(before, after).less()).isLessThan(20);
        assertThat(Rebuilt.distance(before, before).distance()).isZero();
    }

    @Test
    void fewEventsOfAStreamAreSteps() {
        DurationSummary one = close(new WindowCloser(0.01, false), new long[] {123_457});
        assertThat(one.form()).isEqualTo(Form.STEPS);
        assertThat(Rebuilt.of(one).at(0.5)).isEqualTo(123_457);
    }

    @Test
    void nothingHasNoDistribution() {
        assertThatThrownBy(() -> Rebuilt.of(DurationSummary.ofEvents(new long[0])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 events");
    }

    @Test
    void sharesOutOfReachAreRefused() {
        assertThatThrownBy(() -> new WindowCloser(0.001, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected 0.005");
    }
}
