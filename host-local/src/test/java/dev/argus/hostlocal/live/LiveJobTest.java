package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.digest.StallWords;
import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.LiveWaits;
import dev.argus.hostlocal.report.WaitTable;
import dev.argus.model.CollectiveOp;
import dev.argus.model.Cost;
import dev.argus.model.FlightRecord;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.RankDeclaration;
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
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A job that goes on, from what its ranks report to what an operator hears. */
class LiveJobTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int ONSET = 30;
    private static final int FIRST = 10;

    private static Scenario scenario(ScenarioKind kind, int steps) {
        return Scenarios.draw(Wish.of(77, kind)
                .maxRanks(16)
                .noise(NoiseLevel.QUIET)
                .firstStep(FIRST)
                .stepCount(steps)
                .onset(ONSET)
                .duration(8)
                .rank(2));
    }

    @Test
    void aFaultIsSaidWhileItHappensAndWhenItIsOver() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 70));
        p.declareAll();
        assertThat(p.until(ONSET - 1)).as("nothing is wrong yet").isEmpty();
        List<IncidentChange> said = new ArrayList<>();
        for (long step = ONSET; step < ONSET + 3; step++) {
            said.addAll(p.step(step));
        }
        assertThat(said).as("within three steps").isNotEmpty();
        Incident i = said.getFirst().incident();
        assertThat(said.getFirst().kind()).isEqualTo(Kind.OPENED);
        assertThat(i.kind()).isIn(IncidentKind.COMPUTE_STRAGGLER, IncidentKind.KERNEL_STRAGGLER);
        assertThat(i.ranks()).isEqualTo(RankSet.of(2));
        assertThat(i.firstStep()).isEqualTo(ONSET);
        List<IncidentChange> later = new ArrayList<>();
        for (long step : List.copyOf(p.steps.tailMap((long) ONSET + 3, true).keySet())) {
            later.addAll(p.step(step));
        }
        assertThat(later).filteredOn(c -> c.kind() == Kind.OPENED).isEmpty();
        assertThat(later)
                .filteredOn(c -> c.kind() == Kind.RESOLVED)
                .extracting(c -> c.incident().id())
                .containsExactly(i.id());
    }

    /** However old or new it is: what an incident costs while it lasts is a share of its own steps, and nothing of it changes once it is over. */
    @Test
    void whatIsOverStaysAsItWas() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 120));
        p.declareAll();
        p.until(ONSET + 5);
        Cost young = p.job.incidents().getFirst().cost();
        assertThat(young.duringRatio())
                .as("of its own steps, not of those before it")
                .isGreaterThan(3 * young.stepRatio());
        Incident over = null;
        for (long step : List.copyOf(p.steps.tailMap((long) ONSET + 6, true).keySet())) {
            for (IncidentChange c : p.step(step)) {
                over = c.kind() == Kind.RESOLVED ? c.incident() : over;
            }
            if (over != null) {
                assertThat(p.job.incidents()).as("step %d", step).containsExactly(over);
            }
        }
        assertThat(over).isNotNull();
        assertThat(Objects.requireNonNull(over).cost().duringRatio())
                .isCloseTo(young.duringRatio(), within(0.25 * young.duringRatio()));
    }

    /** A fault that lasts longer than detectors look back is paid for from its first step on. */
    @Test
    void aLongFaultIsPaidForFromItsBeginning() {
        Played p = new Played(Scenarios.draw(Wish.of(77, ScenarioKind.COMPUTE)
                .maxRanks(8)
                .noise(NoiseLevel.QUIET)
                .firstStep(0)
                .stepCount(900)
                .onset(ONSET)
                .duration(900 - ONSET)
                .rank(2)));
        p.declareAll();
        p.until(429);
        Incident then = p.job.incidents().getFirst();
        p.until(829);
        Incident now = p.job.incidents().getFirst();
        assertThat(now.id()).isEqualTo(then.id());
        assertThat(now.cost().gpuSeconds() / then.cost().gpuSeconds())
                .as("800 steps of it, and 400")
                .isCloseTo(2, within(0.2));
        assertThat(now.cost().stepRatio())
                .as("nearly all steps of the job were its")
                .isCloseTo(
                        now.cost().duringRatio() * 800 / 830,
                        within(0.1 * now.cost().duringRatio()));
        assertThat(now.severity()).isEqualTo(then.severity());
    }

    @Test
    void aHealthyJobIsSilent() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 60));
        p.declareAll();
        assertThat(p.until(Long.MAX_VALUE)).isEmpty();
        assertThat(p.job.incidents()).isEmpty();
        assertThat(p.job.newestStep()).isEqualTo(FIRST + 59);
        assertThat(p.job.silent()).isEqualTo(RankSet.EMPTY);
    }

    @Test
    void stepsWaitForLateRanksAndGoOnWithoutSilentOnes() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 30));
        p.declareAll();
        p.until(FIRST + 4);
        p.of(FIRST + 5).forEach((rank, s) -> {
            if (rank != 3) {
                p.job.take(s, p.nowNanos);
            }
        });
        p.job.tick(p.nowNanos + SECOND);
        assertThat(p.job.newestStep()).as("waits for rank 3").isEqualTo(FIRST + 4);
        long until = p.nowNanos + LiveOptions.DEFAULT.latenessNanos();
        for (p.nowNanos += SECOND; p.nowNanos < until; p.nowNanos += SECOND) {
            p.job.tick(p.nowNanos);
        }
        assertThat(p.job.newestStep()).as("not yet").isEqualTo(FIRST + 4);
        p.job.tick(p.nowNanos);
        assertThat(p.job.newestStep()).isEqualTo(FIRST + 5);
        assertThat(p.job.silent()).isEqualTo(RankSet.of(3));
        p.job.take(Objects.requireNonNull(p.of(FIRST + 5).get(3)), p.nowNanos);
        assertThat(p.job.notes()).anyMatch(n -> n.startsWith("1 steps of ranks came after"));
        p.step(FIRST + 6);
        assertThat(p.job.silent()).as("it reports again").isEqualTo(RankSet.EMPTY);
        assertThat(p.job.newestStep()).isEqualTo(FIRST + 6);
    }

    @Test
    void aRankThatAppearsLaterIsJudgedWithTheOthers() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 60));
        p.ranks.values().stream().filter(d -> d.rank() != 2).forEach(d -> p.job.declare(d, p.nowNanos));
        assertThat(p.until(ONSET + 3))
                .as("only that others wait for it is known")
                .extracting(c -> c.incident().kind())
                .containsOnly(IncidentKind.STRAGGLER);
        p.declareAll();
        List<IncidentChange> after = new ArrayList<>();
        for (long step = ONSET + 4; step < ONSET + 8; step++) {
            after.addAll(p.step(step));
        }
        assertThat(after)
                .filteredOn(c -> c.incident().kind() != IncidentKind.STRAGGLER)
                .extracting(c -> c.incident().ranks())
                .contains(RankSet.of(2));
    }

    @Test
    void anotherAttemptEndsWhatWasSaidOfTheOneBefore() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 60));
        p.declareAll();
        String id = p.until(ONSET + 4).getFirst().incident().id();
        p.ranks.values().forEach(d -> p.job.declare(next(d), p.nowNanos));
        assertThat(p.job.tick(p.nowNanos + 1).changes())
                .filteredOn(c -> c.incident().id().equals(id))
                .extracting(IncidentChange::kind)
                .containsExactly(Kind.ENDED);
        p.step(ONSET + 5);
        assertThat(p.job.newestStep())
                .as("steps of the old attempt are nobody's")
                .isEqualTo(-1);
    }

    @Test
    void aJobThatCountsItsStepsAnewIsWatchedOn() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 60));
        p.declareAll();
        p.until(FIRST + 14);
        p.later(3600 * SECOND);
        for (long step = FIRST; step < ONSET; step++) {
            assertThat(p.step(step)).as("step %s again", step).isEmpty();
        }
        assertThat(p.job.newestStep()).isEqualTo(ONSET - 1);
        List<IncidentChange> said = new ArrayList<>();
        for (long step = ONSET; step < ONSET + 4; step++) {
            said.addAll(p.step(step));
        }
        assertThat(said).extracting(c -> c.incident().ranks()).contains(RankSet.of(2));
    }

    @Test
    void whatComesAgainOrOutOfOrderIsNoCountingAnew() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 60));
        p.declareAll();
        p.until(ONSET - 1);
        for (long step = ONSET - 12; step < ONSET; step++) {
            p.of(step).values().forEach(s -> p.job.take(s, p.nowNanos));
        }
        assertThat(p.job.newestStep()).isEqualTo(ONSET - 1);
        List<IncidentChange> said = new ArrayList<>();
        for (long step = ONSET; step < ONSET + 3; step++) {
            said.addAll(p.step(step));
        }
        assertThat(said)
                .as("nothing was forgotten")
                .extracting(c -> c.incident().ranks())
                .contains(RankSet.of(2));
        assertThat(p.job.newestStep()).isEqualTo(ONSET + 2);
    }

    /** Whoever listens was stopped for a while, and ticks before it hears what waits to be heard. */
    @Test
    void nobodyIsSilentInAPauseOfTheListener() {
        for (long pause : new long[] {5 * SECOND, 11 * SECOND, 60 * SECOND, 3600 * SECOND}) {
            Played p = new Played(scenario(ScenarioKind.HEALTHY, 40));
            p.declareAll();
            p.until(FIRST + 9);
            List<IncidentChange> said = new ArrayList<>();
            p.of(FIRST + 10).values().stream().limit(3).forEach(s -> p.job.take(s, p.nowNanos));
            said.addAll(p.job.tick(p.nowNanos + SECOND).changes());
            p.nowNanos += pause;
            for (int i = 0; i < 8; i++) { // frames come one after the other
                said.addAll(p.job.tick(p.nowNanos + i * SECOND / 4).changes());
                assertThat(p.job.silent()).as("after %s ns", pause).isEqualTo(RankSet.EMPTY);
                assertThat(p.job.newestStep()).isEqualTo(FIRST + 9);
            }
            p.nowNanos += 2 * SECOND;
            p.of(FIRST + 10).values().stream().skip(3).forEach(s -> p.job.take(s, p.nowNanos));
            for (long step = FIRST + 11; step < FIRST + 40; step++) {
                said.addAll(p.step(step));
            }
            assertThat(said).isEmpty();
            assertThat(p.job.newestStep()).isEqualTo(FIRST + 39);
            assertThat(p.job.notes()).noneMatch(n -> n.contains("were not judged"));
        }
    }

    /** A rank that died in the pause is silent as soon as it is known that it is not coming back. */
    @Test
    void whoDoesNotComeBackAfterAPauseIsSilentInTheEnd() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 90));
        p.declareAll();
        p.until(FIRST + 9);
        p.nowNanos += 60 * SECOND;
        p.job.tick(p.nowNanos);
        int steps = 0;
        while (p.job.silent().isEmpty() && steps < 80) {
            p.of(FIRST + 10 + steps++).values().stream()
                    .filter(s -> s.digest().rank() != 3)
                    .forEach(s -> p.job.take(s, p.nowNanos));
            p.nowNanos += SECOND;
            p.job.tick(p.nowNanos);
        }
        assertThat(p.job.silent()).isEqualTo(RankSet.of(3));
        assertThat(steps * SECOND).isLessThanOrEqualTo(StepBarrier.RETURN_NANOS + SECOND);
    }

    /** One host whose clock is five hours behind, and one that is as far ahead, move no beginning. */
    @Test
    void theBeginningOfAnIncidentIsThatOfMostClocks() {
        Played right = new Played(scenario(ScenarioKind.COMPUTE, 60));
        right.declareAll();
        long since = right.until(ONSET + 4).getFirst().incident().sinceEpochNanos();
        for (long hours : new long[] {-5, 5}) {
            Played p = new Played(scenario(ScenarioKind.COMPUTE, 60));
            String host = Objects.requireNonNull(p.ranks.get(0)).header().host();
            p.later(
                    hours * 3600 * SECOND,
                    rank -> Objects.requireNonNull(p.ranks.get(rank))
                            .header()
                            .host()
                            .equals(host));
            p.declareAll();
            p.nowNanos = since; // no clock of the job is ahead of the listener's but the wrong one
            List<IncidentChange> said = p.until(ONSET + 4);
            assertThat(said).isNotEmpty();
            assertThat(said.getFirst().incident().sinceEpochNanos())
                    .as("%s hours", hours)
                    .isCloseTo(since, org.assertj.core.data.Offset.offset(60 * SECOND));
            assertThat(said.getFirst().incident().firstStep()).isEqualTo(ONSET);
        }
    }

    // ---------------------------------------------------------------- ranks that come and go

    @Test
    void aRankThatAppearsLateIsNoAlarm() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 70));
        p.ranks.values().stream().filter(d -> d.rank() != 2).forEach(d -> p.job.declare(d, p.nowNanos));
        for (long step = FIRST; step < ONSET; step++) {
            assertThat(p.step(step)).as("step %s without rank 2", step).isEmpty();
        }
        p.declareAll();
        for (long step = ONSET; step < FIRST + 70; step++) {
            assertThat(p.step(step)).as("step %s", step).isEmpty();
        }
        assertThat(p.job.declared()).isEqualTo(RankSet.of(p.ranks.keySet()));
        assertThat(p.job.silent()).isEqualTo(RankSet.EMPTY);
    }

    @Test
    void aHostThatVanishesIsSilentUntilItIsBack() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 90));
        p.declareAll();
        String host = Objects.requireNonNull(p.ranks.get(0)).header().host();
        RankSet gone = RankSet.of(p.ranks.values().stream()
                .filter(d -> d.header().host().equals(host))
                .map(RankDeclaration::rank)
                .toList());
        assertThat(p.until(ONSET - 1)).isEmpty();
        List<IncidentChange> said = new ArrayList<>();
        for (long step = ONSET; step < ONSET + 20; step++) {
            p.of(step).values().stream()
                    .filter(s -> !gone.contains(s.digest().rank()))
                    .forEach(s -> p.job.take(s, p.nowNanos));
            p.nowNanos += SECOND;
            said.addAll(p.job.tick(p.nowNanos).changes());
        }
        assertThat(p.job.silent()).isEqualTo(gone);
        assertThat(said).as("silence is no slowness").isEmpty();
        for (long step = ONSET; step < ONSET + 15; step++) { // what it could not send meanwhile comes late
            p.of(step).values().stream()
                    .filter(s -> gone.contains(s.digest().rank()))
                    .forEach(s -> p.job.take(s, p.nowNanos));
        }
        for (long step = ONSET + 20; step < FIRST + 90; step++) {
            assertThat(p.step(step)).as("step %s", step).isEmpty();
        }
        assertThat(p.job.silent()).isEqualTo(RankSet.EMPTY);
        assertThat(p.job.newestStep()).isEqualTo(FIRST + 89);
    }

    @Test
    void theWaitsOfTheNewestStepsNameWhoCameLast() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 60));
        assertThat(p.job.waits()).as("nobody is known yet").isNull();
        p.declareAll();
        p.until(ONSET + 20);
        LiveWaits waits = p.job.waits();
        assertThat(waits).isNotNull();
        assertThat(waits.lastStep()).isEqualTo(ONSET + 20);
        assertThat((long) waits.steps() * p.ranks.size()).isLessThanOrEqualTo(LiveJob.WAIT_RANK_STEPS);
        assertThat(waits.table().rows().getFirst().late()).isEqualTo("rank 2");
        assertThat(waits.table().rows().stream()
                        .mapToLong(WaitTable.Row::totalNanos)
                        .sum())
                .isEqualTo(waits.table().totalNanos())
                .isPositive();
    }

    @Test
    void theStepsOfTicksAreEachStepOnce() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 30));
        List<Long> steps = new ArrayList<>();
        p.declareAll();
        for (long step : p.steps.keySet()) {
            p.of(step).values().forEach(s -> {
                p.job.take(s, p.nowNanos);
                p.job.take(s, p.nowNanos);
            });
            p.nowNanos += SECOND;
            for (JobStep s : p.job.tick(p.nowNanos).steps()) {
                steps.add(s.step());
                assertThat(s.ranks()).hasSize(p.ranks.size());
            }
        }
        assertThat(steps).isEqualTo(List.copyOf(p.steps.keySet()));
        assertThat(p.job.notes()).anyMatch(n -> n.endsWith("steps of ranks came twice"));
    }

    @Test
    void picturesShowTheAccusedOverItsPeers() {
        Played p = new Played(scenario(ScenarioKind.COMPUTE, 60));
        p.declareAll();
        p.until(ONSET - 1);
        assertThat(p.job.pictures(8)).as("nobody is accused").isEmpty();
        p.step(ONSET);
        p.step(ONSET + 1);
        p.step(ONSET + 2);
        List<KernelPicture> pictures = p.job.pictures(8);
        assertThat(pictures).isNotEmpty().allSatisfy(k -> {
            assertThat(k.incident()).isEqualTo(p.job.incidents().getFirst().id());
            assertThat(k.ranks().getFirst().rank()).isEqualTo(2);
            assertThat(k.ranks().getFirst().signedRatio()).as("it is slower").isPositive();
        });
        List<KernelPicture> ofOne = p.job.kernels(3, 5);
        assertThat(ofOne).hasSize(5).allSatisfy(k -> {
            assertThat(k.incident()).isEmpty();
            assertThat(k.ranks().getFirst().rank()).isEqualTo(3);
            assertThat(k.firstStep()).isEqualTo(ONSET + 2);
        });
        assertThat(p.job.kernels(500, 5)).as("nobody knows it").isEmpty();
    }

    // ---------------------------------------------------------------- standing still

    @Test
    void aJobThatStandsStillNamesWhoDidNotArrive() {
        Played p = standing(-1, ProcessState.ALIVE);
        assertThat(p.stand(29)).as("not yet").isEmpty();
        List<IncidentChange> said = p.stand(31);
        assertThat(said).hasSize(1);
        Incident i = said.getFirst().incident();
        assertThat(i.kind()).isEqualTo(IncidentKind.HANG);
        assertThat(i.ranks()).isEqualTo(RankSet.of(1));
        assertThat(i.firstStep()).isEqualTo(FIRST + 10);
        assertThat(i.state()).isEqualTo(IncidentState.ONGOING);
        assertThat(p.stand(40)).as("said once").isEmpty();
        p.nowNanos += 41 * SECOND;
        assertThat(p.step(FIRST + 10))
                .as("and over when it goes on")
                .extracting(c -> c.kind() + " " + c.incident().kind().text())
                .containsExactly("RESOLVED hang");
    }

    @Test
    void silenceOfAllIsNoStandstill() {
        Played p = standing(-1, ProcessState.ALIVE);
        p.stand(20);
        assertThat(p.job.tick(p.nowNanos + 3600 * SECOND).changes())
                .as("nobody is heard: what goes on is not known")
                .isEmpty();
        p.nowNanos += 3600 * SECOND;
        assertThat(p.stand(1)).as("by the clocks of all ranks nothing went on").hasSize(1);
    }

    /** After an outage what was said before it comes first: it is not taken for a word of now. */
    @Test
    void whatWentOnUnheardWasNoStandstill() {
        Played p = standing(-1, ProcessState.ALIVE);
        p.stand(2);
        long cut = p.nowNanos + 2 * SECOND;
        p.nowNanos += 45 * SECOND;
        List<IncidentChange> said = new ArrayList<>();
        for (int i = 1; i < 20; i++) {
            p.sayAgain(cut + i * SECOND, p.nowNanos);
            said.addAll(p.job.tick(p.nowNanos).changes());
            p.nowNanos += SECOND / 10;
        }
        for (int i = 0; i < 12; i++) {
            said.addAll(p.step(FIRST + 10 + i));
        }
        assertThat(said).isEmpty();
    }

    /** Words that come rarely, and outages between them, hide no standstill. */
    @Test
    void outagesHideNoStandstill() {
        Played p = standing(-1, ProcessState.ALIVE);
        List<IncidentChange> said = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            p.nowNanos += 11 * SECOND;
            p.sayAgain(p.nowNanos, p.nowNanos);
            said.addAll(p.job.tick(p.nowNanos).changes());
        }
        assertThat(said).hasSize(1);
    }

    /** A process that starts over and over in the attempt that runs goes nowhere. */
    @Test
    void aCrashLoopIsNoProgress() {
        Played p = standing(-1, ProcessState.ALIVE);
        List<IncidentChange> said = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            for (long begun : new long[] {-1, FIRST + 10}) {
                RankState again = new RankState(
                        0, 1, p.nowNanos, ProcessState.ALIVE, p.nowNanos, begun, p.nowNanos, begun - 1, 0, -1, 0);
                p.say(again);
                said.addAll(p.stand(10));
                p.nowNanos += 10 * SECOND;
            }
        }
        assertThat(said).hasSize(1);
    }

    /** Its agents are left over from the attempt before. */
    @Test
    void wordsOfAnotherAttemptAreNoneOfThisOne() {
        Played p = standing(-1, ProcessState.ALIVE);
        p.ranks.values().forEach(d -> p.job.declare(next(d), p.nowNanos));
        p.job.tick(p.nowNanos);
        List<IncidentChange> said = new ArrayList<>();
        p.nowNanos += SECOND;
        said.addAll(p.stand(3600));
        assertThat(said).isEmpty();
    }

    @Test
    void ofRanksThatHaveNotSaidWhoTheyAreNothingIsKept() {
        Played p = standing(-1, ProcessState.ALIVE);
        int before = p.job.snapshot().length;
        for (int rank = 1000; rank < 3000; rank++) {
            p.job.take(state(p, rank, -1, ProcessState.ALIVE), p.nowNanos);
        }
        assertThat(p.job.snapshot()).hasSize(before);
    }

    /** It was scaled down: whoever left is not waited for, and not accused. */
    @Test
    void whoLeftAndWithoutWhomItWentOnIsNotAccused() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 30));
        p.declareAll();
        p.until(FIRST + 9);
        p.job.take(state(p, 7, -1, ProcessState.ENDED), p.nowNanos);
        for (long step = FIRST + 10; step < FIRST + 26; step++) {
            p.of(step).remove(7);
            p.step(step);
        }
        p.ranks.keySet().stream().filter(r -> r != 7).forEach(rank -> p.say(state(p, rank, -1, ProcessState.ALIVE)));
        List<IncidentChange> said = p.stand(32);
        assertThat(said).hasSize(1);
        assertThat(said.getFirst().incident().ranks()).isEqualTo(RankSet.EMPTY);
    }

    /** The clock of whoever listens is behind since a restart. */
    @Test
    void aRestartWithAnEarlierClockHidesNothing() {
        Played p = standing(-1, ProcessState.ALIVE);
        p.stand(5);
        p.nowNanos += 5 * SECOND;
        long back = p.nowNanos - 10 * SECOND;
        p.job.resume(back);
        List<IncidentChange> said = new ArrayList<>();
        for (int i = 1; i < 40; i++) {
            p.sayAgain(p.nowNanos + i * SECOND, back + i * SECOND);
            said.addAll(p.job.tick(back + i * SECOND).changes());
        }
        assertThat(said).hasSize(1);
    }

    @Test
    void aStoppedProcessIsSaid() {
        Played p = standing(-1, ProcessState.STOPPED);
        Incident i = p.stand(31).getFirst().incident();
        assertThat(i.ranks()).isEqualTo(RankSet.of(1));
        assertThat(i.explanation()).contains("The process of rank 1 is stopped by a signal or a debugger.");
    }

    @Test
    void aCheckpointIsNoHang() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 30));
        int saving = p.names.id("save_checkpoint");
        p = standing(p, saving, ProcessState.ALIVE);
        assertThat(p.stand(100)).isEmpty();
        assertThat(p.stand(301)).as("but not for ever").hasSize(1);
    }

    @Test
    void compilingIsNoHang() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 30));
        p = standing(p, p.names.id("argus: torch._inductor compile_fx"), ProcessState.ALIVE);
        assertThat(p.stand(150)).isEmpty();
        assertThat(p.stand(301)).as("but not for ever").hasSize(1);
    }

    @Test
    void whoWorksWhileOthersWaitIsGivenTenTimesAsLong() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 30));
        p = standing(p, p.names.id(StallWords.WORKING), ProcessState.ALIVE);
        assertThat(p.stand(150)).isEmpty();
        assertThat(p.stand(301)).as("but not for ever").hasSize(1);
    }

    /** An evaluation that nothing marks and that calls no collective. */
    @Test
    void aJobThatWorksAndWaitsForNobodyDoesNotStandStill() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 30));
        p.declareAll();
        p.until(FIRST + 9);
        int working = p.names.id(StallWords.WORKING);
        p.ranks.keySet().forEach(rank -> p.say(state(p, rank, working, ProcessState.ALIVE)));
        assertThat(p.stand(3600)).isEmpty();
        p.ranks.keySet().forEach(rank -> p.say(state(p, rank, -1, ProcessState.ALIVE)));
        assertThat(p.stand(3601)).as("it works no more").hasSize(1);
    }

    @Test
    void whoDiedWhileItWroteACheckpointIsNotWaitedFor() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 30));
        p = standing(p, p.names.id("save_checkpoint"), ProcessState.GONE);
        assertThat(p.stand(31)).hasSize(1);
    }

    @Test
    void aJobThatHasEndedDoesNotStandStill() {
        for (ProcessState how : new ProcessState[] {ProcessState.ENDED, ProcessState.GONE}) {
            Played p = standing(-1, ProcessState.ALIVE);
            assertThat(p.job.isOver()).isFalse();
            p.ranks.keySet().forEach(rank -> p.say(state(p, rank, -1, how)));
            assertThat(p.job.isOver()).isTrue();
            assertThat(p.stand(3600)).as("%s", how).isEmpty();
        }
    }

    @Test
    void aRankThatEndedWhileOthersWaitForItIsNamed() {
        Played p = standing(-1, ProcessState.ENDED);
        Incident i = p.stand(31).getFirst().incident();
        assertThat(i.ranks()).isEqualTo(RankSet.of(1));
        assertThat(i.explanation()).contains("The process of rank 1 has ended.");
    }

    /** Who stops a job that hangs kills it: that its processes ended is one thing, that they said so another. */
    @Test
    void whatAHungJobThatIsStoppedEndedByIsSaid() {
        for (ProcessState how : new ProcessState[] {ProcessState.ENDED, ProcessState.GONE}) {
            Played p = standing(-1, ProcessState.ALIVE);
            Incident hang = p.stand(31).getFirst().incident();
            assertThat(hang.firstStep()).as("the one after the last").isEqualTo(FIRST + 10);
            assertThat(hang.cost().duringRatio()).isEqualTo(1);
            p.ranks.keySet().forEach(rank -> p.say(state(p, rank, -1, how)));
            assertThat(p.stand(32)).singleElement().satisfies(c -> {
                assertThat(c.kind()).isEqualTo(Kind.ENDED);
                assertThat(c.because())
                        .isEqualTo(
                                how == ProcessState.ENDED
                                        ? "its processes have said that they end"
                                        : p.ranks.size() + " of its " + p.ranks.size()
                                                + " processes are gone without having said that they end");
            });
        }
    }

    @Test
    void nobodyIsAccusedWhereNobodyIsWaitedFor() {
        Played p = new Played(scenario(ScenarioKind.HEALTHY, 30));
        p.declareAll();
        p.until(FIRST + 9);
        p.say(state(p, 0, -1, ProcessState.ALIVE));
        Incident i = p.stand(31).getFirst().incident();
        assertThat(i.kind()).isEqualTo(IncidentKind.HANG);
        assertThat(i.ranks()).isEqualTo(RankSet.EMPTY);
        assertThat(i.cost().gpuSeconds()).isGreaterThanOrEqualTo(30.0 * p.ranks.size());
    }

    /** Ten steps, then rank 1 does not come to the collective in which the others wait. */
    private static Played standing(int doing, ProcessState lifeOfOne) {
        return standing(new Played(scenario(ScenarioKind.HEALTHY, 30)), doing, lifeOfOne);
    }

    private static Played standing(Played p, int doing, ProcessState lifeOfOne) {
        p.declareAll();
        p.until(FIRST + 9);
        RankSet all = RankSet.range(0, p.ranks.size() - 1);
        for (int rank : all.toArray()) {
            boolean late = rank == 1;
            p.say(state(p, rank, late ? doing : -1, late ? lifeOfOne : ProcessState.ALIVE));
            FlightRecord.Group world = new FlightRecord.Group(p.names.id("0"), p.names.id("default_pg"), all, true);
            List<FlightRecord.Call> open = late
                    ? List.of()
                    : List.of(new FlightRecord.Call(
                            0,
                            101,
                            CollectiveOp.ALL_REDUCE,
                            p.names.id("all_reduce"),
                            p.names.id(""),
                            -1,
                            true,
                            p.nowNanos));
            p.job.take(
                    new FlightRecord(
                            0,
                            rank,
                            List.of(world),
                            List.of(new FlightRecord.Status(0, 0, 1, late ? 100 : 101, 100, false)),
                            open,
                            1,
                            p.nowNanos,
                            p.nowNanos),
                    p.nowNanos);
        }
        assertThat(p.job.tick(p.nowNanos).changes()).isEmpty();
        return p;
    }

    /** The same rank in the next attempt. */
    private static RankDeclaration next(RankDeclaration d) {
        return new RankDeclaration(
                d.attempt() + 1,
                d.rank(),
                d.header(),
                d.gpuIndex(),
                d.gpuUuid(),
                d.gpu(),
                d.groups(),
                d.trails(),
                d.workSignature());
    }

    private static RankState state(Played p, int rank, int doing, ProcessState process) {
        return new RankState(
                0,
                rank,
                p.nowNanos,
                process,
                p.nowNanos,
                FIRST + 10,
                p.nowNanos,
                FIRST + 9,
                p.nowNanos,
                doing,
                p.nowNanos);
    }
}
