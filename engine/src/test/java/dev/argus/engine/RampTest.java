package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Drift is told from a step up. */
class RampTest {
    @Test
    void aLineIsARamp() {
        assertThat(WorkStretch.ramp(new double[] {1, 2, 3, 4, 5, 6})).isTrue();
    }

    @Test
    void aStepIsNoRamp() {
        assertThat(WorkStretch.ramp(new double[] {0, 0, 0, 6, 6, 6})).isFalse();
    }

    @Test
    void aLevelIsNoRamp() {
        assertThat(WorkStretch.ramp(new double[] {5, 5, 5, 5, 5, 5})).isFalse();
    }

    @Test
    void fallingIsNoRamp() {
        assertThat(WorkStretch.ramp(new double[] {6, 5, 4, 3, 2, 1})).isFalse();
    }

    @Test
    void fourStepsAreTooFew() {
        assertThat(WorkStretch.ramp(new double[] {1, 2, 3, 4})).isFalse();
    }

    /** A level with noise is nearly never taken for one. */
    @RepeatedTest(50)
    void noiseIsNoRamp(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        double[] excess = new double[20];
        for (int i = 0; i < excess.length; i++) {
            excess[i] = 10 + random.nextGaussian();
        }
        assertThat(WorkStretch.ramp(excess))
                .as("seed %d", run.getCurrentRepetition())
                .isFalse();
    }
}
