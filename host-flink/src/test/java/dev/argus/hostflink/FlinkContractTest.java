package dev.argus.hostflink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostflink.replay.ReplayScript;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.ShippedJob;
import dev.argus.simulator.ShippedJob.Way;
import dev.argus.simulator.Wish;
import dev.argus.wire.Shipment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same input gives the same through a plain live job and through Flink: with duplicates, late hosts, partitions read in any order, at any parallelism, taken up again from a savepoint at another one, and
 * with a failure in between. What is said again after a failure is the same under the same number.
 */
class FlinkContractTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int PARTITIONS = 4;

    @TempDir
    Path folder;

    private @Nullable Run running;

    private Run start(ReplayScript script, HostOptions options, int parallelism, @Nullable String savepoint)
            throws Exception {
        Run run = new Run(script, folder, options);
        running = run;
        return run.start(parallelism, savepoint);
    }

    @AfterEach
    void end() {
        if (running != null) {
            running.end();
            running.script().close();
        }
    }

    static Scenario scenario(ScenarioKind kind, long seed) {
        return Scenarios.draw(Wish.of(seed, kind)
                .maxRanks(24)
                .noise(NoiseLevel.USUAL)
                .firstStep(10)
                .stepCount(40)
                .onset(22)
                .duration(8));
    }

    static ShippedJob shipped(String job, ScenarioKind kind, long seed) {
        return ShippedJob.standing(
                job, scenario(kind, seed), Played.BEGIN_MILLIS * 1_000_000, SECOND, 35 * SECOND, Way.ROUGH);
    }

    private static final Map<String, ScenarioKind> KINDS = Map.of(
            "alpha", ScenarioKind.COMPUTE,
            "beta", ScenarioKind.NIC,
            "gamma", ScenarioKind.HEALTHY);

    private static Played played() {
        Played played = new Played(PARTITIONS);
        KINDS.forEach((job, kind) -> played.add(shipped(job, kind, 4000 + kind.ordinal())));
        return played;
    }

    /** What was said of a job, each number once; the same number is always the same. */
    private static List<String> once(List<String> said) {
        Map<String, String> byNumber = new HashMap<>();
        List<String> all = new ArrayList<>();
        for (String json : said) {
            String number = json.replaceFirst(".*?\"number\":([0-9]+).*", "$1");
            String before = byNumber.putIfAbsent(number, json);
            if (before == null) {
                all.add(json);
            } else {
                assertThat(json).isEqualTo(before);
            }
        }
        return all;
    }

    private static void holds(Run run, List<Arrival> input) {
        int changes = 0;
        for (String job : KINDS.keySet()) {
            List<String> expected = Reference.of(job, input);
            assertThat(once(run.said(Said.INCIDENTS, job))).as(job).isEqualTo(expected);
            changes += expected.size();
        }
        assertThat(changes).as("what is compared").isGreaterThan(2);
    }

    private static void allSaid(Run run, Played played) throws Exception {
        for (String job : KINDS.keySet()) {
            run.untilMetrics(job, played.endMillis() - 1000);
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "4"})
    void theSameAtAnyParallelism(int parallelism) throws Exception {
        Played played = played();
        ReplayScript script = played.script();
        Run run = start(script, HostOptions.DEFAULT, parallelism, null);
        allSaid(run, played);
        holds(run, script.inOrder());
    }

    @ParameterizedTest
    @CsvSource({"1,4", "4,2", "2,1"})
    void theSameWithASavepointBetween(int before, int after) throws Exception {
        Played played = played();
        ReplayScript script = played.script();
        long stop = Played.BEGIN_MILLIS + 18_000 + new Random(before).nextInt(20_000);
        script.stopAt(stop);
        Run run = start(script, HostOptions.DEFAULT, before, null);
        for (String job : KINDS.keySet()) {
            run.untilMetrics(job, stop / 10_000 * 10_000);
        }
        String savepoint = run.stop();
        script.goOn();
        run.start(after, savepoint);
        allSaid(run, played);
        holds(run, script.inOrder());
        // Stopped at a savepoint nothing is done again: each change was said once.
        for (String job : KINDS.keySet()) {
            assertThat(run.said(Said.INCIDENTS, job)).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void theSameAfterAFailure(int parallelism) throws Exception {
        Played played = played();
        ReplayScript script = played.script();
        script.stopAt(Played.BEGIN_MILLIS + 30_000);
        script.failAt(script.inOrder().stream()
                        .filter(a -> a.atMillis() < Played.BEGIN_MILLIS + 30_000)
                        .count()
                + 200);
        Run run = start(script, HostOptions.DEFAULT, parallelism, null);
        for (String job : KINDS.keySet()) {
            run.untilMetrics(job, Played.BEGIN_MILLIS + 20_000);
        }
        script.goOn();
        allSaid(run, played);
        assertThat(script.hasFailed()).isTrue();
        holds(run, script.inOrder());
    }

    @Test
    void poisonIsCountedAndSteppedOver() throws Exception {
        Played played = played();
        Random random = new Random(5);
        for (int i = 0; i < 40; i++) {
            byte[] poison = new byte[1 + random.nextInt(300)];
            random.nextBytes(poison);
            played.add(random.nextInt(PARTITIONS), Played.BEGIN_MILLIS + 1000L * i, poison);
        }
        ReplayScript script = played.script();
        List<Arrival> readable = script.inOrder().stream()
                .filter(a -> a.isTick() || a.bytes().length > 300)
                .toList();
        Run run = start(script, HostOptions.DEFAULT, 2, null);
        allSaid(run, played);
        holds(run, readable);
    }

    @Test
    void aBrokerThatWasAwayIsToldToAllJobs() throws Exception {
        // Everything after 20 s comes 45 s later: nobody stood still meanwhile.
        long from = Played.BEGIN_MILLIS + 20_000;
        // One that begins right before: it hears of the gap, whether its partition was read before those that told it.
        Played played = played().add(ShippedJob.of(
                "delta", scenario(ScenarioKind.HEALTHY, 6), (from - 1500) * 1_000_000, SECOND, Way.PLAIN));
        List<String> all = List.of("alpha", "beta", "gamma", "delta");
        ReplayScript script = played.script(from, 45_000);
        List<Arrival> input = script.inOrder();
        Run run = start(script, HostOptions.DEFAULT, 2, null);
        for (String job : all) {
            run.untilMetrics(job, (played.endMillis() - 1000 + 45_000) / 10_000 * 10_000);
        }
        for (String job : all) {
            List<String> plain = new ArrayList<>();
            new PlainRun(job, HostOptions.DEFAULT).play(of(job, input), 5000, said -> {
                if (said.topic() == Said.INCIDENTS) {
                    plain.add(said.json());
                }
            });
            assertThat(once(run.said(Said.INCIDENTS, job))).as(job).isEqualTo(plain);
            assertThat(plain)
                    .as("no hang until the end of the job")
                    .noneMatch(c -> c.contains("\"kind\":\"hang\"")
                            && c.contains("\"change\":\"opened\"")
                            && atMillis(c) < from + 45_000 + 30_000);
        }
    }

    private static long atMillis(String json) {
        return Long.parseLong(json.replaceFirst(".*?\"atEpochNanos\":([0-9]+).*", "$1")) / 1_000_000;
    }

    private static List<Arrival> of(String job, List<Arrival> input) {
        return input.stream()
                .filter(a -> a.isTick() || Shipment.decode(a.bytes()).job().equals(job))
                .toList();
    }

    @Test
    void aJobThatVanishedIsForgotten() throws Exception {
        Played played = new Played(PARTITIONS)
                .add(shipped("alpha", ScenarioKind.COMPUTE, 4000))
                .add(ShippedJob.of(
                        "later",
                        scenario(ScenarioKind.HEALTHY, 5),
                        (Played.BEGIN_MILLIS + 100_000) * 1_000_000,
                        SECOND,
                        Way.PLAIN));
        ReplayScript script = played.script();
        Run run = start(script, HostOptions.DEFAULT.expiring(30 * SECOND), 2, null);
        run.untilMetrics("later", (played.endMillis() - 1000) / 10_000 * 10_000 - 30_000);
        List<String> metrics = run.said(Said.METRICS, "alpha");
        assertThat(atMillis(metrics.getLast())).isLessThan(Played.BEGIN_MILLIS + 130_000);
        List<String> changes = once(run.said(Said.INCIDENTS, "alpha"));
        long opened = changes.stream()
                .filter(c -> c.contains("\"change\":\"opened\""))
                .count();
        long over = changes.stream()
                .filter(c -> c.contains("\"change\":\"ended\"")
                        || c.contains("\"change\":\"resolved\"")
                        || c.contains("\"change\":\"withdrawn\""))
                .count();
        assertThat(over).as("nothing stays open").isEqualTo(opened).isPositive();
    }
}
