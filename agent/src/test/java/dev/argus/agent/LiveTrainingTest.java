package dev.argus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.agent.Training.Heard;
import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Severity;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults of a real training job, said while they happen: who, why, and within three steps. */
class LiveTrainingTest {
    private static final int SECONDS = 240;
    private static final int ONSET = 10;
    private static final int WITHIN = 3;
    private static final int BAD = 2;
    private static final int NEIGHBOURS = 6;

    /** Half a minute is what an operator waits for a hang; the tests need not. */
    private static final LiveOptions IMPATIENT = new LiveOptions(
            null,
            LiveOptions.DEFAULT.latenessNanos(),
            LiveOptions.DEFAULT.settleNanos(),
            LiveOptions.DEFAULT.conclusionNanos(),
            8_000_000_000L);

    @TempDir
    private Path folder = Path.of("");

    private Training training(LiveOptions options, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(
                List.of("--size", "128", "--batch", "16", "--fault-rank", "" + BAD, "--fault-from", "" + ONSET));
        all.addAll(List.of(arguments));
        return new Training(folder, SECONDS, options, all.toArray(new String[0]));
    }

    private static boolean names(Heard h, IncidentKind kind) {
        return (h.change().kind() == Kind.OPENED || h.change().kind() == Kind.CHANGED)
                && h.incident().kind() == kind
                && h.incident().ranks().equals(RankSet.of(BAD));
    }

    @ParameterizedTest
    @CsvSource({"loader,data-stall", "gc,gc-pause", "compile,jit-stall", "extension,jit-stall"})
    @Requires(Need.TORCH)
    void aFaultIsNamedWithinThreeSteps(String fault, String text) throws Exception {
        IncidentKind kind = kind(text);
        try (Training t = training(LiveOptions.DEFAULT, "--steps", "20", "--fault", fault, "--fault-ms", "1500")) {
            t.until(heard -> assertThat(heard).anyMatch(h -> names(h, kind)));
            Heard first =
                    t.heard.stream().filter(h -> names(h, kind)).findFirst().orElseThrow();
            assertThat(first.newest()).as(t.told()).isBetween((long) ONSET, (long) ONSET + WITHIN);
            assertThat(first.incident().firstStep()).as(t.told()).isBetween((long) ONSET - 1, (long) ONSET + 1);
            innocent(t);
        }
    }

    private static IncidentKind kind(String text) {
        for (IncidentKind kind : IncidentKind.values()) {
            if (kind.text().equals(text)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(text);
    }

    private static void innocent(Training t) throws IOException {
        assertThat(t.heard)
                .as(t.told())
                .noneMatch(h -> h.incident().severity() == Severity.CRITICAL
                        && h.incident().ranks().minus(RankSet.of(BAD)).size() > 0);
    }

    /** Its neighbours take the CPU of one rank, while the others share the other CPUs as before. */
    @Test
    @Requires(Need.TORCH)
    void aBusyNeighbourIsNamedWithinThreeSteps() throws Exception {
        List<Process> neighbours = new ArrayList<>();
        try (Training t = training(LiveOptions.DEFAULT, "--steps", "40")) {
            t.untilStep(1);
            for (var rank : t.pids().entrySet()) {
                pin(rank.getValue(), rank.getKey() == BAD ? "1" : "0");
            }
            t.untilStep(ONSET - 1);
            for (int i = 0; i < NEIGHBOURS; i++) {
                Process busy = new ProcessBuilder("/usr/bin/python3", "-c", "while True: pass").start();
                neighbours.add(busy);
                pin(busy.pid(), "1");
            }
            long onset = t.newestStep() + 1;
            t.until(heard -> assertThat(heard).anyMatch(h -> names(h, IncidentKind.HOST_CONTENTION)));
            Heard first = t.heard.stream()
                    .filter(h -> names(h, IncidentKind.HOST_CONTENTION))
                    .findFirst()
                    .orElseThrow();
            assertThat(first.newest()).as(t.told()).isBetween(onset, onset + WITHIN);
            innocent(t);
        } finally {
            neighbours.forEach(Process::destroyForcibly);
        }
    }

    private static void pin(long pid, String cpu) throws Exception {
        new ProcessBuilder("taskset", "-a", "-cp", cpu, Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    @Requires(Need.TORCH)
    void aCollectiveThatNeverCompletesNamesWhoDidNotArrive() throws Exception {
        try (Training t = training(IMPATIENT, "--steps", "40", "--fault", "hang")) {
            t.until(heard -> assertThat(heard).anyMatch(h -> names(h, IncidentKind.HANG)));
            Incident hang = t.heard.getLast().incident();
            assertThat(hang.firstStep()).as(t.told()).isEqualTo(ONSET);
            assertThat(hang.summary()).as(t.told()).contains("rank 2 has not called gloo:all_reduce");
        }
    }

    @Test
    @Requires(Need.TORCH)
    void aStoppedProcessIsNamed() throws Exception {
        try (Training t = training(IMPATIENT, "--steps", "400")) {
            t.untilStep(ONSET);
            long pid = Objects.requireNonNull(t.pids().get(BAD), t.told());
            signal("STOP", pid);
            t.until(heard -> assertThat(heard).anyMatch(h -> names(h, IncidentKind.HANG)));
            assertThat(t.heard.getLast().incident().explanation())
                    .as(t.told())
                    .contains("The process of rank 2 is stopped by a signal or a debugger.");
            signal("CONT", pid);
            t.until(heard -> assertThat(heard)
                    .anyMatch(h ->
                            h.change().kind() == Kind.RESOLVED && h.incident().kind() == IncidentKind.HANG));
        }
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    @Requires(Need.TORCH)
    void aHealthyJobGetsNoAlarm() throws Exception {
        try (Training t = training(IMPATIENT, "--steps", "20")) {
            t.untilStep(18);
            assertThat(t.newestStep()).as(t.told()).isGreaterThanOrEqualTo(18);
            assertThat(t.heard).as(t.told()).isEmpty();
            t.until(heard -> assertThat(t.ended()).isTrue());
            t.watch(2 * IMPATIENT.hangNanos());
            assertThat(t.heard)
                    .as("a job that has ended does not stand still: %s", t.told())
                    .isEmpty();
        }
    }
}
