package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.StepMark;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Lines of iterations in logs. */
class IterationLogTest {
    private static String line(int minute, double second, int iteration, double millis) {
        return String.format(
                Locale.ROOT,
                " [2026-05-11 02:%02d:%09.6f] iteration %8d/      20 | consumed samples:  896 |"
                        + " elapsed time per iteration (ms): %.1f | learning rate: 5.0E-06 |\n",
                minute,
                second,
                iteration,
                millis);
    }

    private static Reading read(String text) {
        return Reading.of("train.log", text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Long> durations(Reading read) {
        return read.steps.stream().map(StepMark::durationNanos).toList();
    }

    @Test
    void everyIterationIsAStep() {
        Reading read = read(
                "starting\n" + line(1, 10, 1, 5000) + line(1, 12, 2, 2000) + "loss is fine\n" + line(1, 14, 3, 1990));
        assertThat(read.outcome.format()).isEqualTo("megatron-log");
        assertThat(read.problems()).isEmpty();
        assertThat(read.steps).extracting(StepMark::step).containsExactly(1L, 2L, 3L);
        assertThat(durations(read)).containsExactly(5_000_000_000L, 2_000_000_000L, 1_990_000_000L);
        assertThat(read.steps.getFirst().endNanos()).as("read as UTC").isEqualTo(1_778_464_870_000_000_000L);
        assertThat(read.header().rank()).isEqualTo(-1);
    }

    /** With colours, a rank, and each line twice. */
    @Test
    void decoratedLines() {
        String decorated =
                "[\u001b[32m20260511 02:59:23\u001b[0m][\u001b[36mrank-7/8\u001b[0m]\u001b[34m[utils.py:425] : "
                        + line(1, 10, 1, 5000).strip() + "\u001b[0m\n";
        Reading read = read(decorated
                + decorated
                + decorated.replace("        1/", "        2/").replace("01:10", "01:15"));
        assertThat(read.steps).hasSize(2);
        assertThat(read.header().rank()).isEqualTo(7);
        assertThat(read.header().worldSize()).isEqualTo(8);
    }

    @Test
    void aPrintedMeanIsReplacedByTheGap() {
        Reading read = read(line(1, 10, 1, 8000) + line(1, 12, 2, 5000) + line(1, 14, 3, 2019));
        assertThat(durations(read))
                .as("a percent is agreement")
                .containsExactly(8_000_000_000L, 2_000_000_000L, 2_019_000_000L);
        assertThat(read.problems()).containsExactly("printed-mean");
    }

    @Test
    void aLineForSeveralIterationsIsTheirMean() {
        Reading read = read(line(1, 10, 10, 1000) + line(1, 15, 15, 1000));
        assertThat(read.steps).extracting(StepMark::step).containsExactly(10L, 11L, 12L, 13L, 14L, 15L);
        assertThat(read.steps.getLast().endNanos() - read.steps.get(1).startNanos())
                .isEqualTo(5_000_000_000L);
        assertThat(read.problems()).containsExactly("averaged-steps");
    }

    @Test
    void aRestartIsAnotherPart() {
        Reading read =
                read(line(1, 10, 7, 1000) + line(1, 11, 8, 1000) + line(3, 10, 8, 1000.5) + line(3, 11, 9, 1000));
        assertThat(read.outcome.parts()).extracting(Part::label).containsExactly("train.log#run0", "train.log#run1");
        assertThat(read.steps).extracting(StepMark::step).containsExactly(7L, 8L, 8L, 9L);
    }

    @Test
    void withoutTimesTheyAreRelative() {
        Reading read = read((line(1, 10, 1, 5000) + line(1, 12, 2, 2000)).replaceAll("\\[2026[^]]*]", ""));
        assertThat(read.problems()).containsExactly("relative-time");
        assertThat(read.steps.getLast().startNanos()).isEqualTo(5_000_000_000L);
    }

    @Test
    void cutAnywhereItGivesWhatIsThere() {
        byte[] text = (line(1, 10, 1, 5000) + line(1, 12, 2, 2000)).getBytes(StandardCharsets.UTF_8);
        for (int n = 0; n < text.length; n += 5) {
            Reading cut = Reading.of("train.log", Arrays.copyOf(text, n));
            assertThat(cut.steps.size()).isLessThanOrEqualTo(2);
        }
        byte[] packed = Reading.gzip(text);
        Reading cut = Reading.of("train.log.gz", Arrays.copyOf(packed, packed.length - 9));
        assertThat(cut.outcome.problems()).isNotEmpty();
    }

    @Test
    void hostileNumbers() {
        for (String bad : List.of("1e999", "-5", "nan", "", "99999999999999")) {
            Reading read = read(line(1, 10, 1, 5000).replace("5000.0", bad));
            assertThat(read.steps).as(bad).isEmpty();
        }
        Reading jump =
                read(line(1, 10, 1, 5000) + line(1, 12, 999_999_999, 2000).replace("2026", "9999"));
        assertThat(jump.steps.size()).isLessThanOrEqualTo(1 << 20);
        assertThat(read(line(1, 10, 1, 5000).replace("05-11", "13-41")).problems())
                .contains("relative-time");
    }

    /** Numbers that go back and forth are no restarts of a job: their number is bounded, and said. */
    @Test
    void endlessRestartsAreBounded() {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            log.append(line(1, 10, 8 - i % 2, 1000 + i));
        }
        Reading read = read(log.toString());
        assertThat(read.outcome.parts()).hasSizeLessThanOrEqualTo(IterationLog.MAX_RUNS);
        assertThat(read.problems()).contains("restarts-beyond");
    }

    @Test
    void oneIterationIsOne() {
        Reading read = read(line(1, 10, 1, 8000) + line(1, 12, 2, 5000));
        assertThat(read.outcome.problems().getFirst().detail()).contains("printed for 1 iteration is not");
    }

    @Test
    void otherLogsAreNone() {
        assertThat(read("iteration 5/10 | loss 3\n").outcome.status()).isEqualTo(Status.IGNORED);
        assertThat(read("[INFO] hello\n[WARN] there\n").outcome.status()).isEqualTo(Status.IGNORED);
        assertThat(Reading.of("x.json", Reading.bytes("[1, 2]")).outcome.records())
                .isEmpty();
    }
}
