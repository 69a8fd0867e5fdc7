package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.argus.hostlocal.Diagnosis;
import dev.argus.model.HostClock;
import dev.argus.model.Incident;
import dev.argus.model.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whole reports, text and JSON, of the diagnoses in {@link Verdicts}. */
class ReportsTest {
    private static final Path SCHEMA =
            Path.of(Objects.requireNonNull(System.getProperty("argus.root")), "docs/schema/verdict-1.schema.json");

    static Set<String> names() {
        return Verdicts.ALL.keySet();
    }

    @ParameterizedTest
    @MethodSource("names")
    void textIsAsBefore(String name) throws IOException {
        Golden.check(name + ".txt", run(name, "--explain").out());
    }

    @ParameterizedTest
    @MethodSource("names")
    void jsonIsAsBeforeAndFollowsTheSchema(String name) throws IOException {
        String json = run(name, "--format", "json", "--explain").out();
        assertThat(schema().validate(json, InputFormat.JSON)).isEmpty();
        Golden.check(name + ".json", json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"notes\"|\"remarks\"",
                "\"critical\"|\"fatal\"",
                "\"compute-straggler\"|\"checkpoint\"",
                "\"direction\":\"longer\"|\"direction\":\"slower\"",
                "\"steps\":[24,28]|\"steps\":[24]",
                "\"ranks\":[37]|\"ranks\":[-1]",
                "\"stepRatio\":0.12|\"stepRatio\":12",
                "\"analysed\":true|\"analysed\":false",
                "\"uuid\":null|\"uuid\":null,\"name\":\"x\"",
                "\"sinceEpochNanos\":1|\"sinceEpochNanos\":0.1"
            })
    void theSchemaRefusesWhatIsNotTheContract(String right, String wrong) throws IOException {
        String json = run("one-incident", "--format", "json").out();
        assertThat(json).contains(right);
        assertThat(schema().validate(json.replace(right, wrong), InputFormat.JSON))
                .isNotEmpty();
    }

    @Test
    void clocksFollowTheSchema() throws IOException {
        Verdict v = diagnosis("healthy").verdict();
        HostClock off = new HostClock(
                0, "host1", "host0", -14_200_000, 2.5, 3_100, 0.4, 1_755_000_000_000_000_000L, 88, 900, null);
        Verdict with = new Verdict(
                v.job(),
                v.traces(),
                v.quality(),
                v.incidents(),
                v.observations(),
                v.notes(),
                v.unattributedRatio(),
                List.of(off, HostClock.refused(0, "host2", HostClock.Refusal.TOO_FEW_MEETINGS)));
        String json = Run.of(new Diagnosis(with, true, "", List.of()), "diagnose", ".", "--format", "json")
                .out();
        assertThat(schema().validate(json, InputFormat.JSON)).isEmpty();
        assertThat(json)
                .contains(
                        "{\"attempt\":0,\"host\":\"host1\",\"reference\":\"host0\",\"offsetNanos\":-14200000,\"driftPpm\":2.5,"
                                + "\"errorNanos\":3100,\"driftErrorPpm\":0.4,\"atEpochNanos\":1755000000000000000,\"meetings\":88,"
                                + "\"residualNanos\":900,\"refusal\":null}")
                .contains("{\"attempt\":0,\"host\":\"host2\",\"reference\":null,\"offsetNanos\":null,\"driftPpm\":null,"
                        + "\"errorNanos\":null,\"driftErrorPpm\":null,\"atEpochNanos\":null,\"meetings\":null,"
                        + "\"residualNanos\":null,\"refusal\":\"too-few-meetings\"}");
    }

    @Test
    void narrowTerminalsGetNarrowLines() throws IOException {
        Diagnosis diagnosis = diagnosis("several");
        Run run = Run.with((p, o, t, g) -> diagnosis, Map.of("COLUMNS", "60"), "diagnose", ".");
        Golden.check("several-60-columns.txt", run.out());
        assertThat(run.out().lines().filter(line -> line.length() > 60))
                .as("only a name that cannot be broken may stick out")
                .singleElement()
                .asString()
                .contains("ampere_bf16_s16816gemm");
    }

    @Test
    void hostileNamesReachNoTerminalAndStayExactInJson() {
        Run text = run("hostile", "--explain");
        assertThat(text.out().codePoints().filter(c -> c != '\n' && (Character.isISOControl(c) || c > 0x2026)))
                .isEmpty();
        assertThat(text.out().lines()).noneMatch(line -> line.startsWith("incident: none"));
        JsonNode json =
                JsonMapper.shared().readTree(run("hostile", "--format", "json").out());
        Incident incident = diagnosis("hostile").verdict().incidents().getFirst();
        assertThat(json.at("/incidents/0/kernels/0").stringValue())
                .isEqualTo(incident.kernels().getFirst());
        assertThat(json.at("/incidents/0/sinceEpochNanos").longValue()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void onlyAHealthyJobLooksHealthy() {
        Stream<String> healthy = names().stream().filter(name -> run(name).out().contains("OK:"));
        assertThat(healthy).containsExactly("healthy", "observations");
    }

    @Test
    void theSuspectIsNamedInTheFirstSentence() {
        assertThat(run("one-incident").out().lines().toList().get(1)).contains("rank 37");
    }

    private static Run run(String name, String... options) {
        String[] args =
                Stream.concat(Stream.of("diagnose", "."), Stream.of(options)).toArray(String[]::new);
        return Run.of(diagnosis(name), args);
    }

    private static Diagnosis diagnosis(String name) {
        return Objects.requireNonNull(Verdicts.ALL.get(name));
    }

    private static Schema schema() throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
    }
}
