package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.Diagnosis;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the card says of files that tell only a part: never that a job is healthy. */
class CardTest {
    @TempDir
    private Path folder = Path.of("");

    private Run diagnose(String... more) {
        String[] args = new String[2 + more.length];
        args[0] = "diagnose";
        args[1] = folder.toString();
        System.arraycopy(more, 0, args, 2, more.length);
        return Run.with(Diagnoser.LOCAL, Map.of(), args);
    }

    private void stacks(int ranks, int odd) throws IOException {
        for (int rank = 0; rank < ranks; rank++) {
            String inner = rank == odd
                    ? "get (queue.py:179)\n    _next_data (torch/utils/data/dataloader.py:9)"
                    : "all_reduce (torch/distributed/distributed_c10d.py:1)";
            Files.writeString(
                    folder.resolve("stack_rank" + rank + ".txt"),
                    "Process " + (100 + rank) + ": python train.py\n\nThread " + (100 + rank)
                            + " (active): \"MainThread\"\n    " + inner + "\n    main (train.py:3)\n");
        }
    }

    @Test
    void stacksAloneNameTheOddRankAndClaimNoHealth() throws IOException {
        stacks(8, 5);
        assertThat(diagnose().out())
                .contains("CANNOT BE JUDGED: no file has a timeline; rank 5 stands out")
                .contains("while 7 of 8 processes wait in a collective")
                .doesNotContain("NO INCIDENT FOUND");
    }

    @Test
    void metricsAloneSayThatNothingCanBeJudged() throws IOException {
        Files.writeString(folder.resolve("metrics.prom"), """
                DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-0",Hostname="n1"} 60
                DCGM_FI_DEV_GPU_TEMP{gpu="1",UUID="GPU-1",Hostname="n1"} 61
                """);
        assertThat(diagnose().out())
                .contains("CANNOT BE JUDGED: no file has a timeline")
                .contains("no file tells a rank")
                .contains("size and topology not known")
                .contains("read: 1 x dcgm-exporter")
                .doesNotContain("0 ranks")
                .doesNotContain("NO INCIDENT FOUND");
    }

    @Test
    void aLogJudgesStepsAndNoRank() throws IOException {
        StringBuilder log = new StringBuilder();
        for (int i = 10; i < 40; i++) {
            log.append("[rank-7/8] [2026-05-11 02:00:" + i + "] iteration " + i
                    + "/ 40 | elapsed time per iteration (ms): 1000.0 |\n");
        }
        Files.writeString(folder.resolve("train.log"), log);
        assertThat(diagnose().out())
                .contains("ranks cannot be judged from it")
                .contains("the job's log, no rank by itself; steps 10 to 39")
                .doesNotContain("1 of 8")
                .doesNotContain("rank 7");
    }

    /** What was asked for and not done stands on the card, not only far below. */
    @Test
    void aLayoutThatIsNotUsedIsSaidOnTop() {
        Run made = Run.with(
                Diagnoser.LOCAL,
                Map.of(),
                "simulate",
                "--topology",
                "dp=8",
                "--noise",
                "quiet",
                "--seed",
                "3",
                "--out",
                folder.resolve("job").toString());
        assertThat(made.exitCode()).isZero();
        String out = diagnose("--topology", "tp=2,dp=8").out();
        String card = out.substring(0, out.indexOf("Coverage"));
        assertThat(card).contains("But: --topology describes 16 ranks");
        assertThat(out).as("what simulate writes is no surprise").doesNotContain("truth.json");
    }

    /** Scripts can tell what cannot be judged from what is fine. */
    @Test
    void whatCannotBeJudgedHasItsOwnExitCodeAndStatus() throws IOException {
        stacks(8, 5);
        assertThat(diagnose("--exit-code").exitCode()).isEqualTo(11);
        assertThat(diagnose().exitCode()).isZero();
        assertThat(diagnose("--format", "json").out()).contains("\"status\":\"cannot-be-judged\"");
        assertThat(Run.of(Verdicts.unexplained(0.12), "diagnose", ".", "--format", "json")
                        .out())
                .contains("\"status\":\"slow-without-fault\"");
    }

    /** A checkpoint explains what it takes; what nothing explains is no fault, and not fine either. */
    @Test
    void muchTimeLostForNoKnownReasonIsNotCalledFine() {
        assertThat(Run.of(Verdicts.unexplained(0.12), "diagnose", ".").out())
                .contains("NO FAULT FOUND, but 12 % of the time was lost and nothing recorded says why")
                .doesNotContain("OK:");
        assertThat(Run.of(Verdicts.unexplained(0.04), "diagnose", ".").out()).contains("OK: nothing to act on");
    }

    /** What comes every so many steps on all ranks is said as what it is, not as a loss that nobody understands. */
    @Test
    void regularPausesAreSaidCalmly() {
        String out = Run.of(Verdicts.regularPauses(0.064, 0.01), "diagnose", ".")
                .out()
                .replaceAll("\\s+", " ");
        assertThat(out)
                .contains("OK: no fault; all ranks pause at once every 50 steps, which takes 6.4 % of the time")
                .contains("such as writing checkpoints; nothing in the data marks them", "every 50 steps, 4 times")
                .doesNotContain("NO FAULT FOUND, but");
        assertThat(Run.of(Verdicts.regularPausesBesideACheckpoint(), "diagnose", ".")
                        .out()
                        .replaceAll("\\s+", " "))
                .contains("checkpoints were written in this time, see the observations below")
                .doesNotContain("nothing in the data marks");
        assertThat(Run.of(Verdicts.regularPauses(0.064, 0.12), "diagnose", ".").out())
                .contains("NO FAULT FOUND, but 12 % of the time was lost and nothing recorded says why");
    }

    /** The headline counts long steps and what was lost beside them; the line below says that it counts the latter alone. */
    @Test
    void whatWasLostBesideLongStepsIsToldApart() {
        assertThat(Run.of(Verdicts.longStep(0.034), "diagnose", ".").out().replaceAll("\\s+", " "))
                .contains("NO FAULT FOUND, but 15 % of the time was lost and nothing recorded says why")
                .contains(
                        "3.4 % of the measured time, beside what the observed long steps cost, was lost without a cause");
        assertThat(Run.of(Verdicts.unexplained(0.034), "diagnose", ".").out())
                .contains("3.4 % of the measured time was lost without a cause");
    }

    @Test
    void groupsAndJobsAreSubjectsOfTheirSentences() {
        assertThat(Run.of(Verdicts.ofScope(Scope.GROUP, RankSet.range(4, 7)), "diagnose", ".")
                        .out())
                .contains("SLOW: the group of ranks 4-7 costs this job")
                .contains("these GPUs compute slower");
        assertThat(Run.of(Verdicts.ofScope(Scope.JOB, RankSet.EMPTY), "diagnose", ".")
                        .out())
                .contains("SLOW: the whole job loses 12.0 % of its time");
    }

    @ParameterizedTest
    @CsvSource({"host1,host1", "Host-7,Host-7", "n17,host n17"})
    void aHostIsCalledOneOnce(String name, String said) {
        Diagnosis healthy = Verdicts.onHost(name);
        assertThat(Run.of(healthy, "diagnose", ".").out())
                .contains("SLOW: " + said + " (ranks 0-7)")
                .doesNotContain("host host");
    }
}
