package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Naming other ranks than the slow ones is an exception: a small job suffices to see that none comes. */
class ScaleBenchTest {
    @Test
    void namesTheSlowRanks() {
        List<Figure> figures = new ScaleBench(288, 0, 1).measure(new BenchRequest(false, List.of(), line -> {}));

        assertThat(figures)
                .filteredOn(f -> f.name().equals("bytesPerRankStep"))
                .singleElement()
                .satisfies(f -> assertThat(f.holds()).isTrue());
    }
}
