package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A short run of a small job: nobody but the planted faults is named, each soon and under one id. */
class SoakBenchTest {
    @Test
    void namesTheFaultsAndNobodyElse() {
        List<Figure> figures = new SoakBench(64, 144).measure(new BenchRequest(false, List.of(), line -> {}));

        assertThat(figures)
                .filteredOn(f -> f.bar() != null && !f.name().equals("heapGrowth")) // states still fill
                .hasSize(7)
                .allSatisfy(f -> assertThat(f.holds()).as(f.name()).isTrue());
    }
}
