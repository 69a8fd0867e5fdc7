package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.cli.text.Look;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SurroundingsTest {
    @Test
    void coloursOnlyForATerminalThatWantsThem() {
        assertThat(terminal(Map.of()).colour(false)).isTrue();
        assertThat(terminal(Map.of()).colour(true)).isFalse();
        assertThat(terminal(Map.of("NO_COLOR", "1")).colour(false)).isFalse();
        assertThat(terminal(Map.of("NO_COLOR", "")).colour(false)).isTrue();
        assertThat(terminal(Map.of("TERM", "dumb")).colour(false)).isFalse();
        assertThat(Surroundings.piped(new ByteArrayOutputStream(), new ByteArrayOutputStream(), Map.of())
                        .colour(false))
                .isFalse();
    }

    @Test
    void colouredReportsSayTheSame() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Surroundings around =
                new Surroundings(out, Surroundings.utf8(new ByteArrayOutputStream()), Map.of(), true, false);
        new Cli(around, (p, o, t, g) -> Objects.requireNonNull(Verdicts.ALL.get("several"))).run("diagnose", ".");
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text).contains("\u001b[1;31mSLOW");
        assertThat(text.replaceAll("\u001b\\[[0-9;]*m", ""))
                .isEqualTo(Run.of(Objects.requireNonNull(Verdicts.ALL.get("several")), "diagnose", ".")
                        .out());
    }

    @Test
    void aFailureIsSaidOnce() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings around = new Surroundings(out, Surroundings.utf8(err), Map.of(), true, true);
        new Cli(around, (p, o, t, g) -> Objects.requireNonNull(Verdicts.ALL.get("nothing"))).run("diagnose", ".");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("NOT ANALYSED");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        Run piped = Run.of(Objects.requireNonNull(Verdicts.ALL.get("nothing")), "diagnose", ".");
        assertThat(piped.out()).contains("NOT ANALYSED");
        assertThat(piped.err()).isEqualTo("argus: nothing analysed: the report says why\n");
        assertThat(Run.of(Objects.requireNonNull(Verdicts.ALL.get("nothing")), "diagnose", ".", "--format", "json")
                        .err())
                .contains("nothing analysed");
    }

    @Test
    void widthFollowsTheTerminalWithinReason() {
        assertThat(Look.of(Map.of("COLUMNS", "80"), false).width()).isEqualTo(80);
        assertThat(Look.of(Map.of("COLUMNS", "3"), false).width()).isEqualTo(60);
        assertThat(Look.of(Map.of("COLUMNS", "999999"), false).width()).isEqualTo(120);
        assertThat(Look.of(Map.of("COLUMNS", "wide"), false).width()).isEqualTo(100);
        assertThat(Look.of(Map.of(), false).width()).isEqualTo(100);
    }

    @Test
    void quickWorkShowsNoProgress() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream terminal = Surroundings.utf8(err);
        try (ConsoleProgress progress = ConsoleProgress.start(terminal, 80)) {
            progress.totalBytes(10);
            progress.readBytes(10);
            progress.phase("judging");
        }
        assertThat(err.size()).isZero();
    }

    private static Surroundings terminal(Map<String, String> environment) {
        PrintStream err = Surroundings.utf8(new ByteArrayOutputStream());
        return new Surroundings(new ByteArrayOutputStream(), err, environment, true, true);
    }
}
