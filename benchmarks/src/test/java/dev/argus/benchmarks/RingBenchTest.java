package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RingBenchTest {
    @Test
    void everyRoundReadsTheSameAndRatesAreGiven() throws Exception {
        List<Figure> figures = new RingBench(1 << 16, 0).measure(new BenchRequest(false, List.of(), line -> {}));

        assertThat(figures)
                .extracting(Figure::name)
                .containsExactly(
                        "recordsPerSecond",
                        "scanRecordsPerSecond",
                        "copyRecordsPerSecond",
                        "timeVersusScan",
                        "timeVersusCopy",
                        "writeNanos",
                        "dropNanos",
                        "bytesPerKernel");
        assertThat(figures).allSatisfy(figure -> assertThat(figure.value()).isPositive());
    }
}
