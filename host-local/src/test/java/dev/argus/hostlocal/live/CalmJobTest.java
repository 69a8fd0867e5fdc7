package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Gap;
import dev.argus.model.OwnTime;
import dev.argus.model.RankSet;
import dev.argus.model.Severity;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Wish;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that are late, shed, cut or not there, hosts that pause, restarts: of a healthy job nothing is said, and what is said of a sick one is said in order. */
class CalmJobTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int FIRST = 10;
    private static final int STEPS = 90;
    private static final int ONSET = 40;

    private static Scenario scenario(ScenarioKind kind, long seed) {
        return Scenarios.draw(Wish.of(seed, kind)
                .maxRanks(32)
                .noise(seed % 2 == 0 ? NoiseLevel.QUIET : NoiseLevel.USUAL)
                .firstStep(FIRST)
                .stepCount(STEPS)
                .onset(ONSET)
                .duration(10));
    }

    /** Plays a job with everything that may happen on the way of its records. */
    private static List<IncidentChange> damaged(Played p, long seed) {
        Random random = new Random(seed);
        LiveJob job = p.job;
        List<Integer> ranks = List.copyOf(p.ranks.keySet());
        long[] begins = new long[ranks.getLast() + 1];
        for (int rank : ranks) { // ranks start at different steps
            begins[rank] = FIRST + (random.nextInt(4) == 0 ? random.nextInt(12) : 0L);
        }
        List<IncidentChange> said = new ArrayList<>();
        List<RankStep> held = new ArrayList<>();
        long now = SECOND;
        for (long step : p.steps.keySet()) {
            for (int rank : ranks) {
                if (begins[rank] == step) {
                    job.declare(p.declaration(rank), now);
                }
            }
            boolean off = step % 20 == 15; // a sampling round
            int slow = random.nextInt(ranks.size());
            for (RankStep s : p.of(step).values()) {
                int rank = s.digest().rank();
                if (step < begins[rank]) {
                    continue;
                }
                RankStep as = random.nextInt(10) == 0 ? new RankStep(s.digest(), null) : s; // its kernels were shed
                if (off || random.nextInt(40) == 0) {
                    as = new RankStep(
                            without(as.digest()).cut(), as.kernels()); // kernels are missing, and that is known
                }
                if (random.nextInt(60) == 0) {
                    continue; // shed
                }
                if (rank == ranks.get(slow) || random.nextInt(30) == 0) {
                    held.add(as);
                } else {
                    job.take(as, now);
                }
            }
            long pause = random.nextInt(30) == 0 ? 1 + random.nextInt(30) : 0;
            now += (1 + pause) * SECOND;
            for (int i = 0; i < 4; i++) {
                LiveTick tick = job.tick(now + i * SECOND / 4);
                said.addAll(tick.changes());
            }
            now += SECOND;
            if (random.nextInt(3) > 0) {
                for (RankStep s : held) {
                    job.take(s, now);
                }
                held.clear();
            }
            if (random.nextInt(15) == 0) {
                LiveJob again =
                        LiveJob.restore(job.snapshot(), Thresholds.DEFAULT, LiveOptions.DEFAULT, Runnable::run, 1);
                now += random.nextInt(20) * SECOND;
                again.resume(now);
                job = again;
            }
        }
        return said;
    }

    /** What a step looks like of which kernels are missing: an idle GPU. */
    private static StepDigest without(StepDigest d) {
        long lost = d.own().computeNanos() / 2;
        return idle(
                d,
                lost,
                new OwnTime(
                        d.own().computeNanos() - lost,
                        d.own().copyNanos(),
                        d.own().exposedCommNanos(),
                        d.own().idleNanos() + lost,
                        d.own().hostIdleNanos()),
                0);
    }

    private static StepDigest idle(StepDigest d, long gap, OwnTime own, long longer) {
        List<Gap> gaps = new ArrayList<>(d.gaps());
        if (gap > 0) {
            gaps.addFirst(new Gap(d.startNanos(), gap, true, false, true, -1, SpanKind.RUNTIME));
        }
        return new StepDigest(
                d.attempt(),
                d.rank(),
                d.step(),
                d.startNanos(),
                d.durationNanos() + longer,
                d.last(),
                d.partial(),
                d.gpu(),
                own,
                d.hostToDeviceNanos(),
                d.hostToDeviceBytes(),
                d.kernelCount(),
                d.workItems(),
                d.phases(),
                d.collectives(),
                gaps.size() > StepDigest.MAX_GAPS ? gaps.subList(0, StepDigest.MAX_GAPS) : gaps);
    }

    private static Stream<Long> seeds() {
        return LongStream.range(700, 712).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ofAHealthyJobWhoseRecordsSufferNothingIsSaid(long seed) {
        assertThat(damaged(new Played(scenario(ScenarioKind.HEALTHY, seed)), seed))
                .isEmpty();
    }

    /** Every order of events of an incident is opened, changed, over; and one fault is one incident. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsSaidIsSaidInOrder(long seed) {
        ScenarioKind kind = ScenarioKind.values()[(int) (seed % ScenarioKind.values().length)];
        Map<String, Kind> last = new LinkedHashMap<>();
        for (IncidentChange c : damaged(new Played(scenario(kind, seed)), seed)) {
            String id = c.incident().id();
            boolean open = last.get(id) == Kind.OPENED || last.get(id) == Kind.CHANGED;
            assertThat(open).as("%s of %s, seed %s", c.kind(), id, seed).isEqualTo(c.kind() != Kind.OPENED);
            last.put(id, c.kind());
        }
    }

    /**
     * All of the job stood still for some seconds, more than once: whoever was between two steps shows a gap, in the step before or after the border; whoever computed, a long kernel; whoever waited, a
     * long collective.
     */
    private static void standStill(Played p, long before, long pauseNanos, Random random, double[] shares) {
        for (int rank : p.ranks.keySet()) {
            double draw = random.nextDouble();
            long at = draw < shares[0] ? before - 1 : before;
            RankStep s = p.of(at, rank);
            OwnTime own = s.digest().own();
            boolean computes = draw > 1 - shares[1];
            boolean waits = !computes && draw > 1 - shares[1] - shares[2];
            OwnTime now = new OwnTime(
                    own.computeNanos() + (computes ? pauseNanos : 0),
                    own.copyNanos(),
                    own.exposedCommNanos() + (waits ? pauseNanos : 0),
                    own.idleNanos() + (computes || waits ? 0 : pauseNanos),
                    own.hostIdleNanos());
            StepDigest longer = idle(s.digest(), computes || waits ? 0 : pauseNanos, now, pauseNanos);
            p.of(at).put(rank, new RankStep(longer, s.kernels()));
            for (long step : p.steps.tailMap(at, false).keySet()) {
                RankStep later = p.of(step, rank);
                p.of(step).put(rank, new RankStep(Played.later(later.digest(), pauseNanos), later.kernels()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.2, 0.5, 0.8, 1})
    void aJobThatStoodStillAsAWholeHasNoIdleGpus(double before) {
        for (long seed = 60; seed < 66; seed++) {
            Played p = new Played(scenario(ScenarioKind.HEALTHY, seed));
            Random random = new Random(seed);
            long step = p.of(FIRST + 20).values().iterator().next().digest().durationNanos();
            double[] shares = {before, 0.1 * (seed % 3), 0.1 * (seed % 2)};
            for (long at : new long[] {FIRST + 9, FIRST + 20, FIRST + 40}) {
                standStill(p, at, (1 + random.nextInt(4)) * step, random, shares);
            }
            p.declareAll();
            List<IncidentChange> said = p.until(Long.MAX_VALUE);
            assertThat(said)
                    .filteredOn(c -> c.incident().severity() != Severity.INFO)
                    .extracting(c -> c.kind() + " " + c.incident().summary())
                    .as("seed %s", seed)
                    .isEmpty();
            assertThat(p.job.silent()).isEqualTo(RankSet.EMPTY);
        }
    }
}
