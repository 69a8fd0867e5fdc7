package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What all ranks wait for in every step since one. Times in milliseconds; ten steps, eight ranks. */
class GapShiftsTest {
    private static final int STEPS = 10;
    private static final double LEAST = 8;

    private static GapShifts.@Nullable Shift find(
            DoubleUnaryOperator gap, DoubleUnaryOperator length, DoubleUnaryOperator work) {
        double[][] gaps = new double[8][];
        double[][] done = new double[8][];
        for (int r = 0; r < gaps.length; r++) {
            double apart = 0.1 * r;
            gaps[r] = row(s -> gap.applyAsDouble(s) + apart);
            done[r] = row(work);
        }
        return GapShifts.find(gaps, row(length), done, LEAST);
    }

    private static double[] row(DoubleUnaryOperator of) {
        return IntStream.range(0, STEPS).mapToDouble(s -> of.applyAsDouble(s)).toArray();
    }

    private static double from4(double s, double before, double after) {
        return s < 4 ? before : after;
    }

    @Test
    void findsTheStepAndWhatWasBefore() {
        GapShifts.Shift shift = find(s -> from4(s, 2, 30), s -> from4(s, 100, 128), s -> 1000);
        assertThat(shift).isNotNull();
        assertThat(shift.first()).isEqualTo(4);
        assertThat(shift.before()).isCloseTo(2, within(0.2));
    }

    @Test
    void saysNothingOfLessThanAsked() {
        assertThat(find(s -> from4(s, 2, 9.5), s -> from4(s, 100, 108), s -> 1000))
                .isNull();
    }

    @Test
    void whereStepsAreNoLongerNobodyLoses() {
        assertThat(find(s -> from4(s, 2, 30), s -> 100, s -> 1000)).isNull();
    }

    @Test
    void otherWorkIsNoFault() {
        assertThat(find(s -> from4(s, 2, 30), s -> from4(s, 100, 128), s -> from4(s, 1000, 1100)))
                .isNull();
        assertThat(find(s -> from4(s, 2, 30), s -> from4(s, 100, 128), s -> 0)).isNotNull();
    }

    /** Where lengths vary: a twentieth more work of a step of 100 ms is no reason for gaps of 28 ms more, but for such of 14. */
    @Test
    void littleMoreWorkExplainsNoMuchLongerGaps() {
        assertThat(find(s -> from4(s, 2, 30), s -> from4(s, 100, 128), s -> from4(s, 1000, 1050)))
                .isNotNull();
        assertThat(find(s -> from4(s, 2, 16), s -> from4(s, 100, 114), s -> from4(s, 1000, 1050)))
                .isNull();
    }

    @Test
    void twoStepsAtTheEndAreAnEvent() {
        assertThat(find(s -> s < 8 ? 2 : 30, s -> s < 8 ? 100 : 128, s -> 1000)).isNull();
        assertThat(find(s -> s == 4 || s == 5 ? 30 : 2, s -> s == 4 || s == 5 ? 128 : 100, s -> 1000))
                .isNull();
    }

    @Test
    void whereAQuarterOfTheRanksIsWithoutItItIsNotEverybodys() {
        double[][] gaps = new double[8][];
        double[][] work = new double[8][];
        Arrays.setAll(work, r -> row(s -> 1000));
        Arrays.setAll(gaps, r -> row(s -> from4(s, 2, r < 2 ? 2 : 30)));
        assertThat(GapShifts.find(gaps, row(s -> from4(s, 100, 128)), work, LEAST))
                .isNull();
    }
}
