package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccuracyBenchTest {
    private final List<String> details = new ArrayList<>();

    private List<Figure> measure(int threads, String... kinds) throws Exception {
        BenchRequest.Trials trials = new BenchRequest.Trials(3L, List.of(kinds), 2, threads, true, null, false);
        return new AccuracyBench()
                .measure(new BenchRequest(
                        false, List.of(), line -> {}, BenchRequest.Window.trace, null, trials, 0, 0, details::add));
    }

    @Test
    void theSameWhateverRunsAtATime() throws Exception {
        List<Figure> one = measure(1, "compute", "gc", "healthy");
        List<String> told = List.copyOf(details);
        details.clear();

        assertThat(measure(3, "compute", "gc", "healthy")).isEqualTo(one);
        assertThat(details).isEqualTo(told);
        assertThat(one)
                .filteredOn(f -> f.bar() != null)
                .extracting(Figure::name)
                .contains("strongExact", "strongDelayL1", "weakExact", "healthyAlarms");
    }

    @Test
    void aStrongFaultIsFoundAlsoThroughFiles() throws Exception {
        List<Figure> figures = measure(2, "compute", "data", "jit-stacks");

        assertThat(figures)
                .filteredOn(f -> f.name().equals("strongExact"))
                .singleElement()
                .extracting(Figure::value)
                .as(details.toString())
                .isEqualTo(1.0);
    }

    @Test
    void anUnknownKindIsNamed() {
        assertThatThrownBy(() -> measure(1, "comptue"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kind is comptue");
    }
}
