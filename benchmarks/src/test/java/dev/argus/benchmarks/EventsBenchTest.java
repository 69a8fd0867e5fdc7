package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class EventsBenchTest {
    @Test
    void threeModesOfEachKeyAreFoundAndRatesAreGiven() throws Exception {
        List<Figure> figures = new EventsBench(1 << 17, 0).measure(new BenchRequest(false, List.of(), line -> {}));

        assertThat(figures)
                .extracting(Figure::name)
                .containsExactly(
                        "eventsPerSecond",
                        "scanRecordsPerSecond",
                        "timeVersusScan",
                        "closeMillis",
                        "modes",
                        "knots",
                        "footprint");
        assertThat(figures.get(4).holds()).as("300 modes").isTrue();
        assertThat(figures).allSatisfy(figure -> assertThat(figure.value()).isPositive());
    }
}
