package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompressionBenchTest {
    @TempDir
    private Path folder = Path.of("");

    private static Figure figure(List<Figure> figures, String name) {
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void onMadeKernelsEveryBarHolds() throws Exception {
        List<Figure> figures = new CompressionBench().measure(new BenchRequest(false, List.of(), line -> {}));

        assertThat(figures)
                .filteredOn(f -> f.bar() != null)
                .hasSize(5)
                .allSatisfy(f ->
                        assertThat(f.holds()).as("%s = %s", f.name(), f.value()).isTrue());
        assertThat(figures)
                .extracting(Figure::name)
                .contains("bytesWithoutNames", "bytesWithNames", "extremeBytes", "hdrBytesWithoutNames", "reqW1Worst");
        assertThat(figure(figures, "w1TimeWeighted").value())
                .isLessThan(figure(figures, "tripleW1TimeWeighted").value() / 5);
    }

    @Test
    void stepsAreWindowsAndWhatIsRebuiltIsWritten() throws Exception {
        KinetoTraceWriter.write(folder.resolve("traces"), KinetoJob.of(1).withSteps(21, 3));
        Path rebuilt = folder.resolve("rebuilt.jsonl");
        List<Figure> figures = new CompressionBench()
                .measure(new BenchRequest(
                        false,
                        List.of(folder.resolve("traces")),
                        line -> {},
                        BenchRequest.Window.step,
                        rebuilt,
                        BenchRequest.Trials.DEFAULT,
                        0,
                        0,
                        line -> {}));

        assertThat(figure(figures, "w1TimeWeighted").holds()).isTrue();
        List<String> lines = Files.readAllLines(rebuilt);
        assertThat(lines)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line)
                        .matches("\\{\"file\":\".*\",\"kernel\":\".*\",\"stream\":\\d+,\"window\":\\d+,\"count\":\\d+,"
                                + "\"quantilesNanos\":\\[[0-9.E]+(,[0-9.E]+){999}]}"));
        assertThat(lines).anyMatch(line -> line.contains("\"window\":22,"));
    }

    @Test
    void contendersGiveBackWhatTheyWereGiven() {
        long[] durations = new Random(3).longs(500, 10_000, 20_000).sorted().toArray();
        double sum = Arrays.stream(durations).sum();
        for (Contender contender : Contender.ALL) {
            Contender.Result result = contender.of(durations);
            assertThat(result.bytes()).as(contender.name()).isBetween(24, 10_000);
            assertThat(result.error(durations) / sum).as(contender.name()).isLessThan(0.1);
        }
    }

    @Test
    void theTripleIsRebuiltAsALogNormal() {
        assertThat(PublishedTriple.normalQuantile(0.5)).isCloseTo(0, within(1e-9));
        assertThat(PublishedTriple.normalQuantile(0.99)).isCloseTo(2.3263478740, within(1e-8));
        assertThat(PublishedTriple.normalQuantile(0.01)).isCloseTo(-2.3263478740, within(1e-8));
        long[] two = new long[40];
        Arrays.fill(two, 0, 20, 1000);
        Arrays.fill(two, 20, 40, 9000);
        assertThat(PublishedTriple.bytes(two)).isEqualTo(48);
        assertThat(PublishedTriple.rebuilt(two))
                .containsExactly(Arrays.stream(two).asDoubleStream().toArray());
        assertThat(PublishedTriple.rebuilt(new long[] {0, 0, 5})).containsExactly(0, 0, 5);
    }
}
