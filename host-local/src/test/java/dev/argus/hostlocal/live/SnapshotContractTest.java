package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.engine.Thresholds;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.RankState;
import dev.argus.model.RankState.ProcessState;
import dev.argus.model.StepDigest;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Wish;
import dev.argus.wire.WireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job that is written down and taken up again, at any moment and any number of times, says the same at the same times. */
class SnapshotContractTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<NoiseLevel> NOISE = List.of(NoiseLevel.QUIET, NoiseLevel.USUAL, NoiseLevel.NOISY);

    /** One call of a job. */
    private interface Call {
        List<LiveTick> to(LiveJob job);
    }

    private record Told(long atNanos, Call call) {}

    private static Scenario scenario(ScenarioKind kind, long seed) {
        return Scenarios.draw(Wish.of(seed, kind)
                .maxRanks(24)
                .noise(NOISE.get((int) (seed % NOISE.size())))
                .firstStep(10)
                .stepCount(34)
                .onset(22)
                .duration(8));
    }

    /** Everything a job is told: late and in other orders, some of it twice, and ticks in between. */
    private static List<Told> script(Played p, Random random) {
        List<Told> told = new ArrayList<>();
        long begin = SECOND;
        for (RankDeclaration d : p.ranks.values()) {
            long at = begin + (random.nextInt(8) == 0 ? 5 * SECOND : 0);
            told.add(new Told(at, job -> declare(job, d, at)));
        }
        long now = begin;
        for (long step : p.steps.keySet()) {
            now += SECOND;
            for (Map.Entry<Integer, RankStep> e : p.of(step).entrySet()) {
                RankStep s = e.getValue();
                long delay = random.nextInt(20) == 0 ? 15 * SECOND : (long) (random.nextDouble() * 2.5 * SECOND);
                long at = now + delay;
                told.add(new Told(at, job -> step(job, s, at)));
                if (random.nextInt(10) == 0) {
                    long again = at + random.nextInt(4) * SECOND;
                    told.add(new Told(again, job -> step(job, s, again)));
                }
                long then = now;
                told.add(new Told(at, job -> state(job, s.digest(), then)));
            }
            for (int i = 1; i <= 4; i++) {
                long at = now + i * SECOND / 4;
                told.add(new Told(at, job -> List.of(job.tick(at))));
            }
            if (random.nextInt(6) == 0) {
                long spent = random.nextLong(SECOND / 2);
                told.add(new Told(now, job -> {
                    job.spent(spent);
                    return List.of();
                }));
            }
        }
        for (int i = 0; i < 60; i++) {
            now += SECOND;
            long at = now;
            // It stands still, all ranks say what they said last, and that is said too.
            p.of(p.steps.lastKey()).values().forEach(s -> told.add(new Told(at, job -> state(job, s.digest(), at))));
            told.add(new Told(at, job -> List.of(job.tick(at))));
        }
        told.sort(Comparator.comparingLong(Told::atNanos));
        return told;
    }

    private static List<LiveTick> declare(LiveJob job, RankDeclaration d, long at) {
        job.declare(d, at);
        return List.of();
    }

    private static List<LiveTick> step(LiveJob job, RankStep s, long at) {
        job.take(s, at);
        return List.of();
    }

    private static List<LiveTick> state(LiveJob job, StepDigest d, long at) {
        job.take(
                new RankState(d.attempt(), d.rank(), at, ProcessState.ALIVE, at, d.step() + 1, at, d.step(), at, -1, 0),
                at);
        return List.of();
    }

    private static List<LiveTick> play(Played p, List<Told> script, Set<Integer> restarts) {
        LiveJob job = new LiveJob(p.names, Thresholds.DEFAULT, LiveOptions.DEFAULT);
        List<LiveTick> all = new ArrayList<>();
        for (int i = 0; i < script.size(); i++) {
            if (restarts.contains(i)) {
                byte[] bytes = job.snapshot();
                job = restore(bytes);
                assertThat(job.snapshot())
                        .as("what was taken up, at call %s", i)
                        .isEqualTo(bytes);
            }
            all.addAll(script.get(i).call().to(job));
        }
        return all;
    }

    private static LiveJob restore(byte[] bytes) {
        return LiveJob.restore(bytes, Thresholds.DEFAULT, LiveOptions.DEFAULT, Runnable::run, 1);
    }

    private static void holds(ScenarioKind kind, long seed, int restarts) {
        Played p = new Played(scenario(kind, seed));
        Random random = new Random(seed);
        List<Told> script = script(p, random);
        List<LiveTick> plain = play(p, script, new TreeSet<>());
        TreeSet<Integer> at = new TreeSet<>();
        while (at.size() < restarts) {
            at.add(random.nextInt(script.size()));
        }
        List<LiveTick> restarted = play(p, script, at);
        assertThat(plain).as("what is compared").anyMatch(t -> !t.changes().isEmpty());
        assertThat(restarted).hasSameSizeAs(plain);
        for (int i = 0; i < plain.size(); i++) {
            String how = kind + ", seed " + seed + ", tick " + i + ", restarts " + at;
            assertThat(restarted.get(i).changes())
                    .as(how)
                    .isEqualTo(plain.get(i).changes());
            assertThat(restarted.get(i).steps()).as(how).isEqualTo(plain.get(i).steps());
            assertThat(restarted.get(i).concluded())
                    .as(how)
                    .isEqualTo(plain.get(i).concluded());
        }
    }

    @ParameterizedTest
    @EnumSource(ScenarioKind.class)
    void everyKindOfJob(ScenarioKind kind) {
        holds(kind, 4000 + kind.ordinal(), 3);
    }

    @RepeatedTest(2)
    void restartedAgainAndAgain(RepetitionInfo run) {
        ScenarioKind[] kinds = {ScenarioKind.COMPUTE, ScenarioKind.HEALTHY, ScenarioKind.COMPUTE, ScenarioKind.HEALTHY};
        holds(kinds[run.getCurrentRepetition() - 1], 90 + run.getCurrentRepetition(), 25);
    }

    // ---------------------------------------------------------------- what is refused

    private static byte[] some() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 7));
        p.declareAll();
        p.until(30);
        return p.job.snapshot();
    }

    @Test
    void namesKeepTheirIds() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 7));
        p.declareAll();
        p.until(20);
        LiveJob again = restore(p.job.snapshot());
        assertThat(again.names().size()).isEqualTo(p.names.size());
        for (int id = 0; id < p.names.size(); id++) {
            assertThat(again.names().name(id)).isEqualTo(p.names.name(id));
        }
        assertThat(again.shape()).isNotNull();
        assertThat(again.declared()).isEqualTo(RankSet.of(p.ranks.keySet()));
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] bytes = some();
        bytes[4]++;
        assertThatThrownBy(() -> restore(bytes))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("version " + (LiveJobCodec.VERSION + 1) + ", expected " + LiveJobCodec.VERSION);
    }

    @Test
    void somethingElseIsRefused() {
        assertThatThrownBy(() -> restore(new byte[100]))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("no state of a job");
        assertThatThrownBy(() -> restore(new byte[3])).isInstanceOf(WireException.class);
    }

    @Test
    void damageIsRefused() {
        byte[] bytes = some();
        Random random = new Random(3);
        for (int i = 0; i < 60; i++) {
            byte[] copy = bytes.clone();
            copy[5 + random.nextInt(copy.length - 5)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> restore(copy)).isInstanceOf(WireException.class);
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            assertThatThrownBy(() -> restore(cut)).isInstanceOf(WireException.class);
        }
    }
}
