package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FigureTest {
    @ParameterizedTest
    @CsvSource({
        ">=, 0.8, 0.8, true",
        ">=, 0.8, 0.79, false",
        "<=, 0.3, 0.3, true",
        "<=, 0.3, 0.31, false",
        "==, 5, 5, true",
        "==, 5, 6, false"
    })
    void aBarHoldsAtItsBound(String relation, double bound, double value, boolean holds) {
        assertThat(new Bar(relation, bound).holds(value)).isEqualTo(holds);
    }

    @Test
    void aBarRefusesOtherRelations() {
        assertThatThrownBy(() -> new Bar("<", 1)).hasMessageContaining("'<'").hasMessageContaining("expected >=");
    }

    @Test
    void theValueIsTheMedianOfTheRunsInAnyOrder() {
        assertThat(Figure.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
        assertThat(Figure.median(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3.0);
        assertThat(Figure.median(List.of(7.0))).isEqualTo(7.0);
        assertThatThrownBy(() -> Figure.median(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ratiosAreTakenRoundByRound() {
        assertThat(Figure.ratios(List.of(4.0, 9.0), List.of(2.0, 3.0))).containsExactly(2.0, 3.0);
        assertThatThrownBy(() -> Figure.ratios(List.of(4.0), List.of())).hasMessageContaining("1 runs against 0");
    }

    @Test
    void aFigureIsFiniteAndInformationHasNoVerdict() {
        assertThat(Figure.single("a", "1", 3, "none", null).holds()).isNull();
        assertThat(Figure.single("a", "1", 3, "none", Bar.atLeast(4)).holds()).isFalse();
        assertThatThrownBy(() -> Figure.single("a", "1", Double.NaN, "none", null))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> new Figure("a", 1, "1", List.of(), "none", null))
                .hasMessageContaining("0 runs");
    }

    @ParameterizedTest
    @CsvSource({
        "3, 3",
        "0.8, 0.8",
        "0.123456, 0.1235",
        "12.3456, 12.35",
        "999.96, 1000",
        "8.1e7, 8.100e+07",
        "0, 0",
        "-2.5, -2.5"
    })
    void numbersForPeopleHaveFourDigits(double value, String text) {
        assertThat(Figure.plain(value)).isEqualTo(text);
    }
}
