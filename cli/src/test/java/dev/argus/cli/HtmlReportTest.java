package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.cli.html.HtmlReport;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.Diagnosis;
import dev.argus.hostlocal.report.AttemptReporter;
import dev.argus.hostlocal.report.ReportData;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.Topology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page as a file: what it admits, what it holds, how large it is. */
class HtmlReportTest {
    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

    @TempDir
    private Path folder = Path.of("");

    static Set<String> names() {
        return Verdicts.ALL.keySet();
    }

    private static String page(String name) {
        Diagnosis diagnosis = Objects.requireNonNull(Verdicts.ALL.get(name));
        return Run.of(diagnosis, "diagnose", ".", "--format", "html", "--explain")
                .out();
    }

    private static JsonNode data(String page) {
        Matcher matcher = DATA.matcher(page);
        assertThat(matcher.find()).as("a block of data").isTrue();
        return JsonMapper.shared().readTree(matcher.group(1));
    }

    private static String between(String page, String begin, String end) {
        int from = page.lastIndexOf(begin) + begin.length();
        return page.substring(from, page.indexOf(end, from));
    }

    private static String hash(String text) throws NoSuchAlgorithmException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }

    @ParameterizedTest
    @MethodSource("names")
    void theCardSaysWhatTheTextSays(String name) {
        Diagnosis diagnosis = Objects.requireNonNull(Verdicts.ALL.get(name));
        String first = Run.of(diagnosis, "diagnose", ".")
                .out()
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow();
        String headline = data(page(name)).get("headline").stringValue().replace('\u00a0', ' ');
        assertThat(headline).startsWith(first.strip());
        if (!diagnosis.analysed()) {
            assertThat(data(page(name)).get("tone").stringValue()).isEqualTo("bad");
        }
    }

    @Test
    void onlyAHealthyJobIsGreen() {
        assertThat(names().stream()
                        .filter(n -> data(page(n)).get("tone").stringValue().equals("good")))
                .containsExactly("healthy", "observations");
    }

    @ParameterizedTest
    @MethodSource("names")
    void thePolicyAdmitsTheScriptAndTheStyleInItAndNothingElse(String name) throws NoSuchAlgorithmException {
        String page = page(name);
        String policy = between(page, "Content-Security-Policy\" content=\"", "\"");
        assertThat(policy)
                .startsWith("default-src 'none'; ")
                .contains("script-src " + hash(between(page, "<script>", "</script>")))
                .contains("style-src " + hash(between(page, "<style>", "</style>")))
                .doesNotContain("unsafe");
        assertThat(page.split("<script", -1)).hasSize(3);
        assertThat(page).doesNotContain("src=\"", "https:", "url(");
    }

    @Test
    void hostileNamesStayInsideTheData() {
        String page = page("hostile");
        assertThat(page.codePoints().filter(c -> c != '\n' && Character.isISOControl(c)))
                .isEmpty();
        assertThat(page).doesNotContain("\u202e", "\u2028");
        assertThat(data(page).get("headline").stringValue()).doesNotContain("\u001b");
    }

    @Test
    void anEarlierPageMayBeReplacedAndATraceMayNot() throws IOException {
        Path page = folder.resolve("report.html");
        Diagnosis diagnosis = Objects.requireNonNull(Verdicts.ALL.get("healthy"));
        String[] command = {"diagnose", folder.toString(), "--format", "html", "--out", page.toString()};
        assertThat(Run.of(diagnosis, command).exitCode()).isZero();
        assertThat(Run.of(diagnosis, command).exitCode()).isZero();
        Files.writeString(page, "{\"traceEvents\": []}");
        assertThat(Run.of(diagnosis, command).exitCode()).isEqualTo(ExitCode.USAGE);
    }

    /** The promise of README: 64 ranks in 300 KB. */
    @Test
    void aJobOf64RanksAndManyStepsIsSmall() {
        Path job = folder.resolve("job");
        assertThat(Run.with(
                                Diagnoser.LOCAL,
                                Map.of(),
                                "simulate",
                                "--out",
                                job.toString(),
                                "--kind",
                                "compute",
                                "--topology",
                                "tp=2,dp=8,pp=4",
                                "--steps",
                                "8",
                                "--seed",
                                "7")
                        .exitCode())
                .isZero();
        Path page = folder.resolve("report.html");
        Run run = Run.with(
                Diagnoser.LOCAL, Map.of(), "diagnose", job.toString(), "--format", "html", "--out", page.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(page.toFile().length()).isLessThan(300_000);
        String text = page.toFile().length() > 0 ? read(page) : "";
        assertThat(data(text).at("/attempts/0/heat/rows").size()).isEqualTo(64);
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Sizes that the Javadoc of the page states, of records without anything to compress: random times. */
    @ParameterizedTest
    @CsvSource({"64, 128, 200", "64, 1000, 300", "2000, 256, 900"})
    void theSizeIsBounded(int ranks, int steps, int mostKilobytes) throws IOException {
        RankSet all = RankSet.range(0, ranks - 1);
        Map<Integer, String> hosts = new HashMap<>();
        all.stream().forEach(r -> hosts.put(r, "host" + r / 8));
        JobShape shape = new JobShape(
                0,
                ranks,
                all,
                hosts,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                List.of(all),
                List.of("all ranks"));
        AttemptReporter reporter = new AttemptReporter(
                shape,
                new NameTable(),
                Thresholds.DEFAULT,
                List.of(),
                LongStream.range(0, steps).toArray());
        Random random = new Random(1);
        for (long step = 0; step < steps; step++) {
            List<StepDigest> digests = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                digests.add(digest(r, step, random));
            }
            reporter.step(step, digests);
        }
        Diagnosis like = Objects.requireNonNull(Verdicts.ALL.get("one-incident"));
        StringBuilder out = new StringBuilder();
        HtmlReport.write(out, like.verdict(), null, null, ReportData.of(List.of(reporter.build())));
        assertThat(out.length()).isLessThan(mostKilobytes * 1000);
    }

    private static StepDigest digest(int rank, long step, Random random) {
        long slow = rank == 37 && step > 20 ? 30_000_000 : 0;
        OwnTime own = new OwnTime(
                90_000_000 + slow + random.nextInt(9_000_000),
                random.nextInt(1_000_000),
                40_000_000 - slow + random.nextInt(9_000_000),
                random.nextInt(3_000_000),
                0);
        return new StepDigest(
                0,
                rank,
                step,
                1_777_636_800_000_000_000L + step * 140_000_000,
                140_000_000 + random.nextInt(1_000_000),
                false,
                false,
                true,
                own,
                0,
                0,
                1,
                1,
                List.of(),
                List.of(),
                List.of());
    }
}
