package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PerfettoBenchTest {
    @Test
    void theSizesAreMeasuredOnWhatIsWritten() throws Exception {
        List<Figure> figures = new PerfettoBench(8_000, 0).measure(new BenchRequest(false, List.of(), line -> {}));

        assertThat(figures)
                .extracting(Figure::name)
                .contains("bytesPerSlice", "bytesPerSlicePacked", "slicesPerSecond", "slicesPerSecondPacked");
        for (Figure f : figures) {
            boolean size = f.name().startsWith("bytesPerSlice") && f.bar() != null;
            assertThat(!size || Boolean.TRUE.equals(f.holds()))
                    .describedAs(f.name())
                    .isTrue();
        }
    }
}
