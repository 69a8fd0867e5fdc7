package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.argus.model.StepMark;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every public trace against facts computed by others: the truth files, else Jackson with exact decimals. */
@Requires(Need.SHARED)
class PublicTracesTest {
    @ParameterizedTest
    @ValueSource(strings = {"hta", "tracelens", "kineto_tb", "param"})
    void kernelsEqualTheTruth(String folder) throws IOException {
        Path root = Shared.path("data/" + folder);
        byte[] truth = Files.readAllBytes(root.resolve("truth.json"));
        Map<?, ?> facts = (Map<?, ?>) Objects.requireNonNull(JsonTree.parse(truth, 0, truth.length));
        List<?> traces = (List<?>) Objects.requireNonNull(facts.get("traces"));
        assertThat(traces).isNotEmpty();
        for (Object entry : traces) {
            Map<?, ?> trace = (Map<?, ?>) Objects.requireNonNull(entry);
            Reading read = Reading.of(root.resolve(String.valueOf(trace.get("file"))));
            String file = folder + "/" + trace.get("file");
            assertThat(read.outcome.status()).as(file).isEqualTo(Status.COMPLETE);
            assertThat((long) read.kernels().size()).as(file).isEqualTo(trace.get("kernels"));
            Object micros = trace.get("kernel_total_us");
            if (micros instanceof Number total) {
                assertThat(Math.abs(read.kernelNanos() - total.doubleValue() * 1000))
                        .as(file)
                        .isLessThan(10);
            }
        }
    }

    @Test
    void casesEqualAnotherEngine() throws IOException {
        List<TraceFile> files = TraceInputs.find(List.of(Shared.path("data/cases"))).files().stream()
                .filter(f -> f.label().matches(".*rank0000[03]\\..*gz"))
                .toList();
        assertThat(files).hasSizeGreaterThan(40);
        for (TraceFile file : files) {
            Reading read = Reading.of(file.path());
            assertThat(read.outcome.status()).as(file.label()).isEqualTo(Status.COMPLETE);
            assertThat(read.kernels()).as(file.label()).hasSizeGreaterThan(100);
            assertThat(read.quarantined).as(file.label()).isEmpty();
            try (InputStream json = new GZIPInputStream(Files.newInputStream(file.path()), 1 << 16)) {
                long nanos = JacksonOracle.events(json).stream()
                        .filter(e -> "X".equals(e.get("ph")) && "kernel".equals(e.get("cat")))
                        .mapToLong(e -> JacksonOracle.nanos(e, "dur"))
                        .sum();
                assertThat(read.kernelNanos()).as(file.label()).isEqualTo(nanos);
            }
        }
    }

    @Test
    void stepsAreTheFrameworksOwn() {
        Reading read = Reading.of(Shared.path("data/hta/a100_ddp_rank0of2_nccl_meta.json.gz"));
        assertThat(read.steps)
                .filteredOn(s -> !s.onGpu())
                .extracting(StepMark::step, StepMark::durationNanos)
                .containsExactly(tuple(4L, 222_442_191L), tuple(5L, 219_726_905L), tuple(6L, 224_936_243L));
        assertThat(read.kernels().stream().mapToLong(k -> k.startNanos()).min()).hasValue(1_716_423_322_422_880_181L);
    }

    @Test
    void timelineOfARealJob() {
        Reading read = Reading.of(Shared.path("data/straggler_analysis/ST/timeline-ST.json.gz"));
        assertThat(read.outcome.status()).isEqualTo(Status.COMPLETE);
        assertThat(read.outcome.parts()).hasSize(8);
        assertThat(read.spans).hasSize(6784);
        assertThat(read.steps).hasSize(8 * 32);
    }
}
