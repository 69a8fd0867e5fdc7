package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.argus.engine.Concluded;
import dev.argus.engine.Pace;
import dev.argus.hostlocal.Script.Line;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of pure transforms: one script of records, and whatever the order within the allowed lateness, duplicates,
 * snapshots and restores do to it, the same conclusion.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransformContractTest {
    private Script script = Script.EMPTY;
    private List<Line> lines = List.of();
    private Concluded expected =
            new Concluded(0, List.of(), List.of(), List.of(), 0, 0, 0, true, new Pace(-1, -1, 0, 0, 0, List.of()));

    @BeforeAll
    void write(@TempDir Path folder) throws IOException {
        KinetoTraceWriter.write(
                folder,
                KinetoJob.of(8)
                        .withHosts(2)
                        .withSteps(21, 8)
                        .withLayers(3, 6)
                        .withSlowRank(3, 1.4, 23)
                        .withStall(6, 25, 60));
        script = Script.of(folder);
        lines = script.lines();
        expected = script.conclude(lines);
    }

    private void same(Concluded actual, String how) {
        assertThat(actual.incidents()).as(how).isEqualTo(expected.incidents());
        assertThat(actual.observations()).as(how).isEqualTo(expected.observations());
        assertThat(actual.notes()).as(how).isEqualTo(expected.notes());
        assertThat(actual.lostNanos()).as(how).isCloseTo(expected.lostNanos(), within(1.0));
        assertThat(actual.claimedNanos()).as(how).isCloseTo(expected.claimedNanos(), within(1.0));
        assertThat(actual.measuredNanos()).as(how).isCloseTo(expected.measuredNanos(), within(1.0));
    }

    /** The script is worth playing: it holds two faults. */
    @Test
    void theScriptHoldsTwoFaults() {
        assertThat(expected.incidents())
                .extracting(Incident::kind)
                .contains(IncidentKind.COMPUTE_STRAGGLER)
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(lines).hasSize(2 * 8 * 8);
    }

    @RepeatedTest(10)
    void shuffledByUpToOneStep(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        IdentityHashMap<Line, Double> place = new IdentityHashMap<>();
        lines.forEach(l -> place.put(l, l.step() + 1.99 * random.nextDouble()));
        List<Line> order = new ArrayList<>(lines);
        order.sort(Comparator.comparingDouble(l -> place.getOrDefault(l, 0.0)));
        assertThat(order).isNotEqualTo(lines);
        same(script.conclude(order), "seed " + run.getCurrentRepetition());
    }

    @RepeatedTest(10)
    void ranksInterleavedDifferently(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        Map<Integer, Integer> place = new HashMap<>();
        for (int r = 0; r < 8; r++) {
            place.put(r, random.nextInt());
        }
        List<Line> order = new ArrayList<>(lines);
        Comparator<Line> byRank = Comparator.comparingInt(l -> place.getOrDefault(l.rank(), 0));
        boolean whole = run.getCurrentRepetition() % 2 == 0;
        order.sort(whole ? byRank : Comparator.comparingLong(Line::step).thenComparing(byRank));
        same(script.conclude(order), "seed " + run.getCurrentRepetition() + (whole ? ", rank after rank" : ""));
    }

    /** To the last bit: who works at what moment changes nothing. */
    @RepeatedTest(7)
    void anyNumberOfLanes(RepetitionInfo run) {
        int lanes = run.getCurrentRepetition();
        try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
            Concluded actual = script.concludeOn(new Lanes(executor, lanes));
            assertThat(actual).as(lanes + " lanes").isEqualTo(expected);
        }
    }

    @RepeatedTest(10)
    void duplicates(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        List<Line> order = new ArrayList<>();
        for (Line line : lines) {
            order.add(line);
            if (random.nextInt(3) == 0) {
                order.add(line);
            }
        }
        same(script.conclude(order), "seed " + run.getCurrentRepetition());
    }

    /**
     * A source that was restarted gives everything since its last mark again: the same incidents at the same price. Only the share of
     * the waits in the evidence may differ, for steps that were closed are counted again.
     */
    @RepeatedTest(5)
    void aStretchGivenTwice(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        int from = random.nextInt(lines.size());
        int to = Math.min(lines.size(), from + lines.size() / 8);
        List<Line> order = new ArrayList<>(lines.subList(0, to));
        order.addAll(lines.subList(from, lines.size()));
        String how = "seed " + run.getCurrentRepetition() + ", lines " + from + " to " + to + " twice";
        same(script.conclude(order), how);
    }

    @RepeatedTest(10)
    void snapshotAndRestoreInTheMiddle(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        int at = run.getCurrentRepetition() == 1 ? 0 : random.nextInt(lines.size() + 1);
        GraphRunner first = script.runner();
        Script.play(first, lines.subList(0, at));
        GraphRunner second = script.runner();
        Script.play(second, lines.subList(0, Math.min(10, at))); // what it held before is gone
        second.restore(first.snapshot());
        Script.play(second, lines.subList(at, lines.size()));
        same(Script.conclude(second), "restored after " + at + " records");
    }

    @Test
    void aSnapshotOfARestoredStateIsTheSame() {
        GraphRunner first = script.runner();
        Script.play(first, lines.subList(0, lines.size() / 2));
        Map<String, byte[]> snapshot = first.snapshot();
        GraphRunner second = script.runner();
        second.restore(snapshot);
        Map<String, byte[]> again = second.snapshot();
        assertThat(again.keySet()).isEqualTo(snapshot.keySet());
        snapshot.forEach((name, bytes) -> assertThat(again.get(name)).as(name).isEqualTo(bytes));
    }

    @Test
    void aSnapshotWithoutADetectorIsRefused() {
        Map<String, byte[]> snapshot = new HashMap<>(script.runner().snapshot());
        snapshot.remove("waits");
        assertThatThrownBy(() -> script.runner().restore(snapshot))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("waits");
    }

    /** Cut anywhere: refused by name, never another exception. */
    @Test
    void aCutSnapshotIsRefused() {
        GraphRunner full = script.runner();
        Script.play(full, lines);
        Random random = new Random(5);
        full.snapshot().forEach((name, bytes) -> {
            for (int i = 0; i < 200; i++) {
                int cut = random.nextInt(bytes.length);
                Map<String, byte[]> damaged = new HashMap<>(full.snapshot());
                damaged.put(name, Arrays.copyOf(bytes, cut));
                assertThatThrownBy(() -> script.runner().restore(damaged))
                        .as("%s cut at %d of %d", name, cut, bytes.length)
                        .isInstanceOf(WireException.class);
            }
        });
    }

    /** Flipped bits are refused or give some state: never another exception, never memory without end. */
    @RepeatedTest(20)
    void aDamagedSnapshotIsRefusedOrRead(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        GraphRunner full = script.runner();
        Script.play(full, lines);
        Map<String, byte[]> snapshot = full.snapshot();
        snapshot.forEach((name, bytes) -> {
            for (int i = 0; i < 100; i++) {
                byte[] copy = bytes.clone();
                for (int b = 0; b <= random.nextInt(3); b++) {
                    copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
                }
                Map<String, byte[]> damaged = new HashMap<>(snapshot);
                damaged.put(name, copy);
                try {
                    script.runner().restore(damaged);
                } catch (WireException e) {
                    assertThat(e).hasMessageMatching("(?s).+");
                } catch (RuntimeException e) {
                    throw new AssertionError(
                            "seed " + run.getCurrentRepetition() + ", state " + name + ", flip " + i, e);
                }
            }
        });
    }
}
