package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whether the steps of a fault stand out in the step times of the job alone. */
class JobTimesTest {
    private static JobTimes times(double... stepNanos) {
        long[] steps = new long[stepNanos.length];
        double[] zero = new double[stepNanos.length];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = i;
        }
        return new JobTimes(List.of(new WorkReference(0, 0, 8, steps, zero, zero, stepNanos, zero, zero, zero, 0, 0)));
    }

    @Test
    void oneSlowStepOfASteadyJobStandsOut() {
        assertThat(times(1000, 1001, 999, 1000, 1014).slowerIn(Set.of(4L))).isTrue();
    }

    @Test
    void lessThanAHundredthDoesNot() {
        assertThat(times(1000, 1001, 999, 1000, 1009, 1009, 1009, 1009).slowerIn(Set.of(4L, 5L, 6L, 7L)))
                .isFalse();
    }

    @Test
    void whatIsUsualBetweenStepsDoesNot() {
        assertThat(times(1000, 1020, 980, 1010, 990, 1040).slowerIn(Set.of(5L))).isFalse();
        assertThat(times(1000, 1020, 980, 1010, 990, 1100).slowerIn(Set.of(5L))).isTrue();
    }

    @Test
    void aFaultFromTheFirstStepOnHasNothingToStandOutFrom() {
        assertThat(times(1100, 1100, 1100).slowerIn(Set.of(0L, 1L, 2L))).isFalse();
    }
}
