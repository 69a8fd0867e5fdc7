package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.Diagnosis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
}
