package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.TraceFacts;
import dev.argus.model.TraceFacts.StepDuration;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The bars on public data: figures equal to independent facts, faults of the labelled cases found, healthy jobs silent. */
@Requires(Need.SHARED)
class PublicDataTest {
    /** Facts are rounded to 0.001 us; 0.01 us is agreed. */
    private static final double TOLERANCE_MICROS = 0.01;

    private static final Pattern MARK = Pattern.compile("ProfilerStep#(\\d+)");

    @TestFactory
    Stream<DynamicTest> labelledCases() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path folder : foldersOf(Shared.path("data/cases"))) {
            JsonTree truth = JsonTree.of(folder.resolve("truth.json"));
            List<JsonTree> parts = truth.at("parts").isMissing()
                    ? List.of(truth)
                    : truth.at("parts").list();
            for (JsonTree part : parts) {
                Path traces = folder.resolve(part.at("trace_dir").text());
                tests.add(DynamicTest.dynamicTest(folder.getFileName() + "/" + traces.getFileName(), () -> {
                    Diagnosis d = Diagnosing.of(traces);
                    assertThat(d.analysed()).as(d.failure()).isTrue();
                    assertThat(Scoreboard.faultsOf(d.verdict(), part)).isEmpty();
                    assertThat(d.verdict().job().ranks())
                            .isEqualTo((int) part.at("world_size").number());
                    assertThat(claimed(d)).isLessThanOrEqualTo(1);
                }));
            }
        }
        assertThat(tests).hasSizeGreaterThanOrEqualTo(24);
        return tests.stream();
    }

    /** Two attempts in one go: the world shrinks between them; still nothing to report. */
    @Test
    void bothAttemptsOfAnElasticJob() {
        Diagnosis d = Diagnosing.of(
                Shared.path("data/cases/d28-elastic/traces-0"), Shared.path("data/cases/d28-elastic/traces-1"));
        assertThat(d.analysed()).as(d.failure()).isTrue();
        assertThat(d.verdict().incidents()).isEmpty();
        assertThat(d.verdict().traces().stream().map(TraceFacts::attempt).distinct())
                .containsExactlyInAnyOrder(0, 1);
    }

    @TestFactory
    Stream<DynamicTest> figuresEqualTheTruth() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String folder : List.of("hta", "tracelens", "kineto_tb", "param")) {
            Path root = Shared.path("data/" + folder);
            for (JsonTree truth :
                    JsonTree.of(root.resolve("truth.json")).at("traces").list()) {
                String file = truth.at("file").text();
                tests.add(DynamicTest.dynamicTest(folder + "/" + file, () -> figures(root.resolve(file), truth)));
            }
        }
        assertThat(tests).hasSizeGreaterThanOrEqualTo(20);
        return tests.stream();
    }

    private static void figures(Path file, JsonTree truth) {
        Diagnosis d = Diagnosing.of(file);
        assertThat(d.verdict().traces()).hasSize(1);
        TraceFacts facts = d.verdict().traces().getFirst();
        assertThat(facts.kernels()).isEqualTo(truth.at("kernels").integer());
        equal(facts.kernelNanos(), truth.at("kernel_total_us"));
        equal(facts.commNanos(), truth.at("comm_total_us"));
        equal(facts.busyNanos(), truth.at("kernel_union_busy_us"));
        assertThat(facts.steps()).containsExactlyElementsOf(steps(truth.at("steps")));
        assertThat(d.verdict().incidents())
                .as("a single rank is nobody's straggler")
                .isEmpty();
    }

    private static void equal(long nanos, JsonTree micros) {
        if (!micros.isMissing()) {
            assertThat(nanos / 1e3).isCloseTo(micros.number(), within(TOLERANCE_MICROS));
        }
    }

    /** The marks of the CPU: a twin on the GPU is not counted. */
    private static List<StepDuration> steps(JsonTree truth) {
        List<StepDuration> steps = new ArrayList<>();
        for (String category : List.of("user_annotation", "Operator")) {
            for (JsonTree mark : truth.at(category).list()) {
                Matcher m = MARK.matcher(mark.at("name").text());
                if (m.matches()) {
                    steps.add(new StepDuration(
                            Long.parseLong(m.group(1)),
                            Math.round(mark.at("dur_us").number() * 1e3)));
                }
            }
        }
        return steps;
    }

    /** A real job whose last stage is 1.63 times the others on both replicas. */
    @Test
    void unevenStagesOfARealJobAreNobodysFault() {
        Diagnosis d = Diagnosing.of(Shared.path("data/straggler_analysis/ST/timeline-ST.json.gz"));
        assertThat(d.analysed()).as(d.failure()).isTrue();
        assertThat(d.verdict().incidents())
                .extracting(Incident::summary)
                .as("no worker of it is bad")
                .isEmpty();
        assertThat(d.verdict().observations())
                .filteredOn(i -> i.kind() == IncidentKind.STAGE_IMBALANCE)
                .singleElement()
                .satisfies(i -> assertThat(i.ranks().size()).isEqualTo(2));
    }

    /** Two of 128 ranks: nobody is named. */
    @Test
    void aSampleOfALargeJobAccusesNobody() {
        Diagnosis d = Diagnosing.of(Shared.path("data/hta/ws128_pair"));
        assertThat(d.analysed()).as(d.failure()).isTrue();
        assertThat(d.verdict().incidents()).isEmpty();
        assertThat(d.verdict().quality().ranksExpected()).isEqualTo(128);
        assertThat(d.verdict().quality().ranksRead()).isEqualTo(2);
    }

    private static double claimed(Diagnosis d) {
        return Stream.concat(d.verdict().incidents().stream(), d.verdict().observations().stream())
                .mapToDouble(i -> i.cost().stepRatio())
                .sum();
    }

    private static List<Path> foldersOf(Path root) throws IOException {
        try (Stream<Path> list = Files.list(root)) {
            return list.filter(Files::isDirectory).sorted().toList();
        }
    }
}
