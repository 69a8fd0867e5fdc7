package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.RankSet;
import dev.argus.model.RankState;
import dev.argus.model.RankState.ProcessState;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Wish;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranks that count the attempts of their job otherwise than the others, and train with them. */
class OtherCountsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int FIRST = 10;
    private static final int SPARE = 3;

    private static Played played(ScenarioKind kind) {
        Scenario scenario = Scenarios.draw(Wish.of(77, kind)
                .maxRanks(16)
                .noise(NoiseLevel.QUIET)
                .firstStep(FIRST)
                .stepCount(60)
                .onset(40)
                .duration(10)
                .rank(SPARE));
        Played p = new Played(scenario);
        p.nowNanos = p.of(FIRST, 0).digest().startNanos() - SECOND; // the attempt begins before its steps
        return p;
    }

    /** One step, the spare rank in attempt 0 and all others in attempt 2. */
    private static List<IncidentChange> step(Played p, long step) {
        p.of(step).forEach((rank, s) -> p.job.take(rank == SPARE ? s : s.of(2), p.nowNanos));
        p.nowNanos += SECOND;
        return p.job.tick(p.nowNanos).changes();
    }

    private static void begin(Played p) {
        p.ranks.keySet().forEach(r -> p.job.declare(p.declaration(r).of(r == SPARE ? 0 : 2), p.nowNanos));
        p.job.declare(p.declaration(SPARE), p.nowNanos);
    }

    @Test
    void aSpareHostThatCountsFromNothingIsOfTheJobThatRuns() {
        Played p = played(ScenarioKind.COMPUTE);
        begin(p);
        assertThat(p.job.attempt()).isEqualTo(2);
        List<IncidentChange> said = new ArrayList<>();
        for (long step = FIRST; step < FIRST + OtherCounts.STEPS; step++) {
            assertThat(p.job.declared().contains(SPARE)).as("step %s", step).isFalse();
            said.addAll(step(p, step));
        }
        assertThat(p.job.declared()).isEqualTo(RankSet.of(p.ranks.keySet()));
        for (long step = FIRST + OtherCounts.STEPS; step < 40; step++) {
            said.addAll(step(p, step));
        }
        assertThat(said).as("nothing is wrong yet").isEmpty();
        assertThat(p.job.silent()).isEqualTo(RankSet.EMPTY);
        LiveJob again = LiveJob.restore(
                p.job.snapshot(), dev.argus.engine.Thresholds.DEFAULT, LiveOptions.DEFAULT, Runnable::run, 1);
        assertThat(again.snapshot()).isEqualTo(p.job.snapshot());
        for (long step = 40; step < 46; step++) {
            said.addAll(step(p, step));
        }
        assertThat(said).extracting(c -> c.incident().ranks()).contains(RankSet.of(SPARE));
        p.job.take(
                new RankState(
                        0, SPARE, p.nowNanos, ProcessState.STOPPED, p.nowNanos, 46, p.nowNanos, 45, p.nowNanos, -1, 0),
                p.nowNanos);
        p.job.declare(p.declaration(SPARE).of(2), p.nowNanos);
        p.job.take(p.of(46, SPARE), p.nowNanos);
        assertThat(p.job.attempt()).isEqualTo(2);
    }

    /** What an agent tells late of an attempt that is over was begun before. */
    @Test
    void whatWasBegunBeforeTheAttemptIsOfTheOneBefore() {
        Played p = played(ScenarioKind.HEALTHY);
        p.nowNanos += 3600 * SECOND;
        begin(p);
        for (long step = FIRST; step < FIRST + 20; step++) {
            step(p, step);
        }
        assertThat(p.job.declared().contains(SPARE)).isFalse();
    }

    @Test
    void whoIsHeardInTheAttemptItselfIsNobodyElse() {
        Played p = played(ScenarioKind.HEALTHY);
        begin(p);
        p.job.declare(p.declaration(SPARE).of(2), p.nowNanos);
        for (long step = FIRST; step < FIRST + 20; step++) {
            p.of(step).values().forEach(s -> p.job.take(s.of(2), p.nowNanos));
            p.job.declare(p.declaration(SPARE), p.nowNanos);
            step(p, step);
        }
        assertThat(p.job.notes()).noneMatch(n -> n.contains("came again"));
        assertThat(p.job.newestStep()).isEqualTo(FIRST + 19);
    }

    /** The only rank of its host was replaced, and its agent counts one attempt more than all others. */
    @Test
    void oneHostThatCountsOneMoreLeavesNobodyBehind() {
        Played p = played(ScenarioKind.HEALTHY);
        p.declareAll();
        List<IncidentChange> said = new ArrayList<>(p.until(FIRST + 19));
        p.nowNanos = Math.max(p.nowNanos, p.of(FIRST + 19, 0).digest().startNanos());
        p.job.declare(p.declaration(SPARE).of(1), p.nowNanos);
        p.later(60 * SECOND); // it takes a while
        for (long step = FIRST + 20; step < FIRST + 60; step++) {
            p.of(step).forEach((rank, s) -> p.job.take(rank == SPARE ? s.of(1) : s, p.nowNanos));
            p.nowNanos += SECOND;
            said.addAll(p.job.tick(p.nowNanos).changes());
        }
        assertThat(said).isEmpty();
        assertThat(p.job.attempt()).isEqualTo(1);
        assertThat(p.job.declared()).isEqualTo(RankSet.of(p.ranks.keySet()));
        assertThat(p.job.newestStep()).isEqualTo(FIRST + 59);
        assertThat(p.job.silent()).isEqualTo(RankSet.EMPTY);
    }
}
