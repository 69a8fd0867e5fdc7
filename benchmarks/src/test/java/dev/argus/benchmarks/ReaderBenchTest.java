package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.testkit.KinetoDialect;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.WrittenJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ReaderBenchTest {
    @TempDir
    private Path folder = Path.of("");

    private final List<String> told = new ArrayList<>();

    private List<Figure> measure(Path... paths) throws Exception {
        return new ReaderBench(0).measure(new BenchRequest(false, List.of(paths), told::add));
    }

    private static Figure figure(List<Figure> figures, String name) {
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void onItsOwnDataItReadsExactlyWhatWasWritten() throws Exception {
        List<Figure> figures = measure();

        assertThat(figures)
                .extracting(Figure::name)
                .containsExactly(
                        "readerBytesPerSecond",
                        "jacksonBytesPerSecond",
                        "plainScanBytesPerSecond",
                        "readerVersusJackson",
                        "readerVersusJacksonTarget",
                        "kernelsRead",
                        "kernelNanosRead");
        assertThat(figure(figures, "kernelsRead").holds()).isTrue();
        assertThat(figure(figures, "kernelNanosRead").holds()).isTrue();
        assertThat(figure(figures, "readerVersusJackson").bar()).isEqualTo(Bar.atLeast(0.8));
        assertThat(figure(figures, "readerVersusJacksonTarget").bar()).isEqualTo(Bar.atLeast(2));
    }

    @Test
    void onGivenFilesItLeavesOutWhatIsBroken() throws Exception {
        WrittenJob written = KinetoTraceWriter.write(folder.resolve("job"), KinetoJob.of(2));
        Files.writeString(folder.resolve("job/broken.json"), "{\"traceEvents\":[{\"ph\":\"X\",");

        List<Figure> figures = measure(folder);

        assertThat(figure(figures, "kernelsRead").value()).isEqualTo((double) written.kernels());
        assertThat(figure(figures, "kernelNanosRead").value()).isEqualTo((double) written.kernelNanos());
        assertThat(figure(figures, "readerBytesPerSecond").reference())
                .contains("3 of 3 given files")
                .contains("1 left out");
        assertThat(told).anyMatch(line -> line.startsWith("left out"));
    }

    private static List<KinetoDialect> dialects() {
        KinetoDialect current = KinetoDialect.CURRENT;
        return List.of(
                current,
                KinetoDialect.OLD,
                current.withPlainList(true),
                current.withIntegerMicros(true),
                current.withStepMarks(false).withGroupArgs(false));
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void everyDialectIsReadToTheNanosecond(KinetoDialect dialect) throws Exception {
        KinetoJob job = KinetoJob.of(2).withHosts(2).withFramesPerStep(30).withHostClockSpreadNanos(5_000_000);
        WrittenJob written = KinetoTraceWriter.write(folder, job.withDialect(dialect));

        List<Figure> figures = measure(folder);

        assertThat(figure(figures, "kernelsRead").value()).isEqualTo((double) written.kernels());
        assertThat(figure(figures, "kernelNanosRead").value()).isEqualTo((double) written.kernelNanos());
    }

    @Test
    void aFolderWithoutTracesCannotBeMeasured() {
        assertThatThrownBy(() -> measure(folder))
                .isInstanceOf(CannotMeasure.class)
                .hasMessageContaining("no .json");
    }
}
