package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

final class BenchMainTest {
    /** Gives the figures it is made with and remembers what was asked. */
    private static final class Fixed implements Bench {
        private final List<Figure> figures;
        private final List<BenchRequest> requests = new ArrayList<>();

        Fixed(Figure... figures) {
            this.figures = List.of(figures);
        }

        @Override
        public String name() {
            return "fixed";
        }

        @Override
        public String about() {
            return "what it was told";
        }

        @Override
        public Set<String> takes() {
            return Set.of(PATH, "--ranks", "--per-kind", "--threads", "--only", "--page");
        }

        @Override
        public List<Figure> measure(BenchRequest request) {
            requests.add(request);
            return figures;
        }
    }

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Bench bench, String... args) {
        CommandLine line = BenchMain.commandLine(List.of(bench));
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }

    @Test
    void jsonFollowsTheContractKeyByKey() {
        Fixed bench = new Fixed(
                Figure.median("eventsPerSecond", "1/s", List.of(8.25e7, 8e7, 8.3e7), "plain scan", Bar.atLeast(5e7)),
                Figure.single("peer", "x", 0.5, "a \"peer\"", null));

        assertThat(run(bench, "fixed", "--format", "json")).isZero();

        Machine here = Machine.here();
        assertThat(tokens(out.toString()))
                .containsExactly(
                        "{",
                        "schema:",
                        "argus.bench/1",
                        "bench:",
                        "fixed",
                        "machine:",
                        "{",
                        "cpu:",
                        here.cpu(),
                        "cores:",
                        "" + here.cores(),
                        "jdk:",
                        here.jdk(),
                        "}",
                        "figures:",
                        "[",
                        "{",
                        "name:",
                        "eventsPerSecond",
                        "value:",
                        "82500000",
                        "unit:",
                        "1/s",
                        "runs:",
                        "[",
                        "82500000",
                        "80000000",
                        "83000000",
                        "]",
                        "reference:",
                        "plain scan",
                        "bar:",
                        ">= 50000000",
                        "holds:",
                        "true",
                        "}",
                        "{",
                        "name:",
                        "peer",
                        "value:",
                        "0.5",
                        "unit:",
                        "x",
                        "runs:",
                        "[",
                        "0.5",
                        "]",
                        "reference:",
                        "a \"peer\"",
                        "bar:",
                        "null",
                        "holds:",
                        "null",
                        "}",
                        "]",
                        "}");
        assertThat(here.cores()).isPositive();
        assertThat(here.cpu()).isNotBlank();
        assertThat(here.jdk()).startsWith("25");
    }

    private static List<String> tokens(String json) {
        List<String> tokens = new ArrayList<>();
        try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
                String text = Objects.requireNonNullElse(in.getString(), "");
                tokens.add(token == JsonToken.PROPERTY_NAME ? text + ":" : text);
            }
        }
        return tokens;
    }

    @Test
    void textShowsSpreadBarAndWhetherItHolds() {
        Fixed bench =
                new Fixed(Figure.median("waitSeconds", "s", List.of(0.5, 0.25, 0.75), "a clock", Bar.atMost(0.3)));

        assertThat(run(bench, "fixed"))
                .as("measured, though the bar does not hold")
                .isZero();

        assertThat(out.toString().lines().filter(line -> line.startsWith("waitSeconds")))
                .satisfiesExactly(
                        row -> assertThat(row.split(" +"))
                                .containsExactly(
                                        "waitSeconds", "0.5", "s", "0.25", "0.5", "0.75", "3", "<=", "0.3", "NO"),
                        reference -> assertThat(reference).isEqualTo("waitSeconds: a clock"));
    }

    @Test
    void pathsAndFullReachTheBenchmark() {
        Fixed bench = new Fixed(Figure.single("a", "1", 1, "none", null));

        assertThat(run(bench, "fixed", "--full", "one", "two")).isZero();

        assertThat(bench.requests.getFirst().full()).isTrue();
        assertThat(bench.requests.getFirst().paths())
                .extracting(Object::toString)
                .containsExactly("one", "two");
    }

    @ParameterizedTest
    @CsvSource({
        "--ranks 0,'--ranks: found 0, expected 72 or more'",
        "--ranks -72,'--ranks: found -72, expected 72 or more'",
        "--per-kind 0,'--per-kind: found 0, expected 1 or more'",
        "--threads 0,'--threads: found 0, expected 1 or more'",
        "--only nope,--only: ",
        "--page /nowhere/at/all/page.md,'--page: ''/nowhere/at/all/page.md'' cannot be written'",
        "--page /,'--page: ''/'' cannot be written'",
        "--windows 200,--windows means nothing to fixed; expected --format"
    })
    void whatWouldBePassedOverIsWrongUsage(String given, String said) {
        Fixed bench = new Fixed(Figure.single("a", "1", 1, "none", null));
        String[] option = given.split(" ", -1);

        assertThat(run(bench, "fixed", option[0], option[1])).isEqualTo(2);

        assertThat(err.toString()).contains(said);
        assertThat(bench.requests).as("before any work").isEmpty();
    }

    @Test
    void dataForABenchmarkThatMakesItsOwnIsWrongUsage() {
        CommandLine line = BenchMain.commandLine(Benches.ALL);
        line.setErr(new PrintWriter(err));

        assertThat(line.execute("start", "traces")).isEqualTo(2);
        assertThat(err.toString()).contains("start takes no PATH");
    }

    @Test
    void anUnknownNameIsWrongUsageAndNamesThoseThatExist() {
        assertThat(run(new Fixed(), "readr")).isEqualTo(2);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("No benchmark 'readr'").contains("fixed  what it was told");
    }

    /** The start script shows it before anything is built. */
    @Test
    void theHelpThatNeedsNoBuildIsThatOfTheCommand() throws IOException {
        StringWriter usage = new StringWriter();
        BenchMain.commandLine(Benches.ALL)
                .setUsageHelpWidth(100)
                .usage(new PrintWriter(usage), CommandLine.Help.Ansi.OFF);
        Path file = Path.of("..", "bin", "help-benchmarks.txt");
        Path saved = Path.of("target", "help-benchmarks.txt");
        Files.writeString(saved, usage.toString());
        assertThat(Files.readString(file))
                .as("the new one is saved as %s: copy it over the old one", saved.toAbsolutePath())
                .isEqualTo(usage.toString());
    }

    @Test
    void noNameIsWrongUsage() {
        assertThat(run(new Fixed())).isEqualTo(2);
        assertThat(err.toString()).contains("Missing the name of a benchmark");
    }

    @Test
    void nothingMeasuredIsOne() {
        assertThat(run(new Fixed(), "fixed", "--format", "json")).isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("fixed: nothing could be measured");
    }

    @Test
    void everyBenchmarkHasItsOwnName() {
        assertThat(Benches.ALL).extracting(Bench::name).doesNotHaveDuplicates().contains("reader", "start");
    }
}
