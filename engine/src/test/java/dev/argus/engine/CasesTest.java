package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.DurationSummary;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.KernelWindow;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.StepDigest;
import dev.argus.model.StreamKernel;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The diagnosis cases of the field notes that can be told without traces, by their numbers. */
class CasesTest {
    private static List<Incident> all(Concluded c) {
        return Stream.concat(c.incidents().stream(), c.observations().stream()).toList();
    }

    private static Incident only(Concluded c) {
        assertThat(c.incidents()).as("incidents: %s", summaries(c)).hasSize(1);
        return c.incidents().getFirst();
    }

    private static List<String> summaries(Concluded c) {
        return all(c).stream().map(Incident::summary).toList();
    }

    /** D1: the late rank's collectives are the shortest; it is blamed, not its victims nor the communication. */
    @Test
    void d1TheLateRankIsTheCulprit() {
        FakeJob job = FakeJob.of(8, 1).fault(4, 105, c -> c.gap(50, false, ""));
        GraphHarness harness = new GraphHarness(new DetectorGraph(job.shape(), job.names, Thresholds.DEFAULT));
        job.records().forEach(harness::take);
        Incident i = only(harness.finish());
        assertThat(i.ranks()).isEqualTo(RankSet.of(4));
        assertThat(i.kind()).isEqualTo(IncidentKind.CPU_STALL);
        assertThat(i.firstStep()).isEqualTo(105);
        WaitPartial waits = harness.partials.stream()
                .filter(WaitPartial.class::isInstance)
                .map(WaitPartial.class::cast)
                .filter(w -> w.step() == 110 && w.group() == 0)
                .findFirst()
                .orElseThrow();
        assertThat(waits.causedNanos()[4]).isGreaterThan(7 * 45_000_000L);
        for (int r = 0; r < 8; r++) {
            if (r == 4) {
                assertThat(waits.sufferedNanos()[r]).isZero();
            } else {
                assertThat(waits.sufferedNanos()[r]).isGreaterThan(40_000_000L);
                assertThat(waits.causedNanos()[r]).isZero();
            }
        }
        assertThat(i.evidence()).anyMatch(e -> e.what().contains("waits of the other ranks") && e.value() > 90);
    }

    /** D3: nothing is wrong, so nothing is said. */
    @RepeatedTest(20)
    void d3AHealthyJobOf64IsSilent(RepetitionInfo run) {
        Concluded c = FakeJob.of(64, run.getCurrentRepetition()).diagnose();
        assertThat(c.incidents())
                .as("seed %d: %s", run.getCurrentRepetition(), summaries(c))
                .isEmpty();
    }

    /** D4: judged among its stage's ranks only, and the other stage's kernels are others. */
    @Test
    void d4ASlowRankOfTheSecondStage() {
        Incident i = only(FakeJob.of(16, 4)
                .stages(2)
                .fault(c -> c.compute(c.rank >= 8 ? 0.7 : 1))
                .fault(13, 0, c -> c.compute(1.5))
                .diagnose());
        assertThat(i.ranks()).isEqualTo(RankSet.of(13));
        assertThat(i.kind()).isEqualTo(IncidentKind.COMPUTE_STRAGGLER);
        assertThat(i.evidence().getFirst().reference()).contains("stage 1");
    }

    /** D5: as many threads, but only the attention is longer: it looks back further there. */
    @Test
    void d5MoreWorkInOneKernelIsNobodysFault() {
        Concluded c = FakeJob.of(32, 5)
                .stages(4)
                .fault(cell -> cell.kernels("flash", cell.rank >= 24 ? 2 : 1))
                .diagnose();
        assertThat(c.incidents()).as("%s", summaries(c)).isEmpty();
    }

    /** D5: the embedding of the first stage takes no arithmetic and hardly a thread. */
    @Test
    void d5AnEmbeddingIsNobodysFault() {
        Concluded c = FakeJob.of(32, 5)
                .stages(4)
                .fault(cell -> cell.memory(cell.rank < 8 ? 1.4 : 1))
                .diagnose();
        assertThat(c.incidents()).as("%s", summaries(c)).isEmpty();
    }

    /** D5: every rank of the last stage alike. */
    @Test
    void d5AnUnevenStageIsNobodysFault() {
        Concluded c = FakeJob.of(32, 5)
                .stages(4)
                .fault(cell -> {
                    cell.compute(cell.rank >= 24 ? 1.24 : 1);
                    cell.work = cell.rank >= 24 ? 1.24 : 1;
                })
                .diagnose();
        assertThat(c.incidents()).as("%s", summaries(c)).isEmpty();
        assertThat(c.observations()).anySatisfy(o -> {
            assertThat(o.kind()).isEqualTo(IncidentKind.STAGE_IMBALANCE);
            assertThat(o.ranks()).isEqualTo(RankSet.range(24, 31));
        });
    }

    /** D7: the one worker, with about all of the slowdown. */
    @Test
    void d7OneWorkerTwiceAsSlow() {
        Concluded c = FakeJob.of(64, 7).fault(41, 0, cell -> cell.compute(2)).diagnose();
        Incident i = only(c);
        assertThat(i.ranks()).isEqualTo(RankSet.of(41));
        // Compute is about 90 of about 108 ms a step: doubled it is a good 45 % of all time.
        assertThat(i.cost().stepRatio()).isBetween(0.38, 0.5);
    }

    /** D10: who is late wanders, so no node is blamed. */
    @Test
    void d10ARotatingPauseNamesNoRank() {
        Concluded c = FakeJob.of(16, 10)
                .fault(cell -> {
                    if (cell.step % 3 == 0 && cell.rank == (cell.step / 3) % 16) {
                        cell.gap(250, false, "");
                    }
                })
                .diagnose();
        assertThat(c.incidents()).as("%s", summaries(c)).isNotEmpty().allSatisfy(i -> {
            assertThat(i.scope()).isEqualTo(Scope.JOB);
            assertThat(i.ranks().isEmpty()).isTrue();
        });
    }

    /** D13: what all ranks do now and then is named and kept out of what is normal; a save on one rank is no checkpoint of all. */
    @Test
    void d13CheckpointAndEvaluation() {
        Concluded c = FakeJob.of(8, 13)
                .steps(100, 40)
                .fault(cell -> {
                    cell.checkpointMillis = cell.step % 20 == 0 ? 40_000 : 0;
                    cell.evaluationMillis = cell.step == 125 ? 9_000 : 0;
                })
                .diagnose();
        assertThat(c.incidents()).as("%s", summaries(c)).isEmpty();
        assertThat(c.observations())
                .extracting(Incident::kind)
                .contains(IncidentKind.CHECKPOINT, IncidentKind.EVALUATION)
                .doesNotContain(IncidentKind.TRANSIENT);
    }

    /** A checkpoint that nothing marks: its rhythm is said, for that is what is known of it. */
    @Test
    void longStepsOfAllRanksThatComeRegularlyAreSaidWithTheirRhythm() {
        Concluded c = FakeJob.of(8, 13)
                .steps(100, 60)
                .fault(cell -> cell.compute(cell.step % 12 == 0 ? 1.9 : 1))
                .diagnose();
        assertThat(c.incidents()).as("%s", summaries(c)).isEmpty();
        assertThat(c.observations())
                .filteredOn(o -> o.kind() == IncidentKind.TRANSIENT)
                .singleElement()
                .satisfies(o -> {
                    assertThat(o.everySteps()).isEqualTo(12);
                    assertThat(o.summary()).contains("paused on all ranks at once every 12 steps, 5 times");
                });
    }

    /** A checkpoint that reaches over the border of two steps makes both long, once. */
    @Test
    void timesOfARhythmAreCountedAndNotTheirSteps() {
        Concluded c = FakeJob.of(8, 13)
                .steps(100, 60)
                .fault(cell -> cell.compute(cell.step % 12 < 2 ? 1.9 : 1))
                .diagnose();
        assertThat(c.observations())
                .filteredOn(o -> o.kind() == IncidentKind.TRANSIENT)
                .singleElement()
                .satisfies(o -> assertThat(o.summary()).contains("every 12 steps, 5 times"));
    }

    /** Of two peers the slow one is held against the other, and not against the middle of both. */
    @Test
    void kernelsOfTwoPeersAreComparedWithTheOtherAlone() {
        Concluded c = FakeJob.of(2, 10)
                .fault(cell -> cell.compute(cell.rank == 1 && cell.step >= 110 ? 1.6 : 1))
                .diagnose();
        assertThat(c.incidents()).as("%s", summaries(c)).isNotEmpty();
        assertThat(c.incidents().getFirst().evidence())
                .filteredOn(e -> e.what().startsWith("duration of kernel"))
                .isNotEmpty()
                .allSatisfy(e -> assertThat(e.value()).isCloseTo(1.6, within(0.04)));
    }

    /** D16: without peers there is no verdict on a rank. */
    @Test
    void d16NoPeersNoVerdict() {
        Concluded c = FakeJob.of(1, 16).fault(0, 110, cell -> cell.compute(1.3)).diagnose();
        assertThat(c.incidents()).isEmpty();
    }

    /** Half of the ranks suffer: the median lies between the halves, the faster third is the healthy side. */
    @Test
    void oneOfTwoHostsIsBusy() {
        Incident i = only(FakeJob.of(16, 40)
                .fault(cell -> {
                    if (cell.rank >= 8 && cell.step >= 108) {
                        cell.gap(30 + cell.rank % 3, false, "");
                    }
                })
                .diagnose());
        assertThat(i.kind()).isEqualTo(IncidentKind.HOST_CONTENTION);
        assertThat(i.ranks()).isEqualTo(RankSet.range(8, 15));
    }

    /** Half of the ranks compute slower: so they do, on the host that they share. */
    @Test
    void oneOfTwoHostsComputesSlower() {
        Incident i = only(FakeJob.of(16, 41)
                .fault(cell -> cell.compute(cell.rank >= 8 && cell.step >= 108 ? 1.2 : 1))
                .diagnose());
        assertThat(i.kind()).isEqualTo(IncidentKind.COMPUTE_STRAGGLER);
        assertThat(i.ranks()).isEqualTo(RankSet.range(8, 15));
    }

    /** D18: all alike slower than before: only history shows it, and that is said. */
    @Test
    void d18AllRanksSlowDownAlike() {
        Incident i = only(FakeJob.of(16, 18)
                .steps(100, 24)
                .fault(cell -> cell.compute(cell.step >= 112 ? 1.2 : 1))
                .diagnose());
        assertThat(i.kind()).isEqualTo(IncidentKind.GLOBAL_SLOWDOWN);
        assertThat(i.ranks().isEmpty()).isTrue();
        assertThat(i.hosts()).isEmpty();
        assertThat(i.firstStep()).isEqualTo(112);
        assertThat(i.explanation()).contains("comparing ranks with each other shows nothing");
        assertThat(i.evidence().getFirst().value()).isBetween(1.19, 1.21);
    }

    /** D19: kernels that only one rank has are compared with nobody: no score, no NaN, no finding. */
    @Test
    void d19NoCommonKernels() {
        FakeJob job = FakeJob.of(4, 19);
        GraphHarness harness = new GraphHarness(new DetectorGraph(job.shape(), job.names, Thresholds.DEFAULT));
        for (Record r : job.records()) {
            if (r instanceof KernelWindow k) {
                harness.take(k.with(k.kernels().stream()
                        .map(own -> new StreamKernel(
                                job.names.id("only_on_" + k.rank() + "_" + own.name()),
                                own.stream(),
                                own.workItems(),
                                slower(own.durations(), 1 + k.rank())))
                        .toList()));
            } else {
                harness.take(r);
            }
        }
        Concluded c = harness.finish();
        assertThat(harness.partials).noneMatch(KernelFinding.class::isInstance);
        assertThat(c.incidents()).as("%s", summaries(c)).isEmpty();
        assertThat(all(c)).allSatisfy(i -> assertThat(i.confidence()).isBetween(0.0, 1.0));
    }

    private static DurationSummary slower(DurationSummary d, int factor) {
        return DurationSummary.ofKnots(
                d.count(),
                d.sumNanos() * factor,
                d.positionBits(),
                d.places(),
                d.bins(),
                d.modeFirst(),
                d.boundUnits());
    }

    /** D23: two causes at the same time never claim more than was measured. */
    @RepeatedTest(5)
    void d23ClaimsAddUp(RepetitionInfo run) {
        Concluded c = FakeJob.of(16, run.getCurrentRepetition())
                .fault(3, 105, cell -> {
                    cell.compute(1.4);
                    cell.copyMillis = 30;
                })
                .fault(9, 108, cell -> cell.gap(60, false, ""))
                .diagnose();
        assertThat(c.incidents()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(all(c).stream().mapToDouble(i -> i.cost().stepRatio()).sum()).isLessThanOrEqualTo(1);
        assertThat(c.claimedNanos()).isLessThanOrEqualTo(c.measuredNanos());
        assertThat(c.claimedNanos()).isLessThanOrEqualTo(c.lostNanos() * 1.0001);
    }

    /** D28: a rank that lost records is neither fast nor slow. */
    @Test
    void d28LostStepsAreNotFast() {
        FakeJob job = FakeJob.of(8, 28).fault(cell -> cell.missing = cell.rank == 2 && cell.step % 4 == 0);
        Concluded c = job.diagnose();
        assertThat(c.incidents()).as("%s", summaries(c)).isEmpty();
        assertThat(only(FakeJob.of(8, 28)
                                .fault(cell -> cell.missing = cell.rank == 2 && cell.step % 4 == 0)
                                .fault(2, 0, cell -> cell.compute(1.2))
                                .diagnose())
                        .ranks())
                .isEqualTo(RankSet.of(2));
    }

    /** D30: a phase not seen on one rank is unknown, not zero. */
    @Test
    void d30AMissingPhaseIsUnknown() {
        FakeJob job =
                FakeJob.of(8, 30).fault(2, 0, cell -> cell.forwardUnseen = true).fault(2, 0, cell -> cell.compute(1.2));
        Incident i = only(job.diagnose());
        assertThat(i.ranks()).isEqualTo(RankSet.of(2));
        assertThat(i.evidence())
                .noneMatch(e -> e.what().contains("forward"))
                .anyMatch(e -> e.what().contains("backward") && e.value() > 1.1);
    }

    /** Where the optimizer alone is marked on the GPU, it is not where all the time lies. */
    @Test
    void onePhaseThatIsMarkedIsNotWhereAllOfItLies() {
        FakeJob job = FakeJob.of(8, 24).fault(cell -> cell.optimizerAlone = true);
        Incident i = only(job.fault(6, 0, cell -> cell.compute(1.2)).diagnose());
        assertThat(i.ranks()).isEqualTo(RankSet.of(6));
        assertThat(i.summary()).doesNotContain("all of it");
    }

    /** D35: the odd one out may be the fast one: nobody is accused of being fast. */
    @Test
    void d35TheFastRankIsNoStraggler() {
        Concluded c = FakeJob.of(16, 35).fault(6, 0, cell -> cell.compute(0.7)).diagnose();
        assertThat(c.incidents()).as("%s", summaries(c)).isEmpty();
    }

    /** A cut step is not compared. */
    @Test
    void partialStepsAreLeftOut() {
        FakeJob job = FakeJob.of(8, 11)
                .fault(cell -> cell.partial = cell.rank == 3 && cell.step == 119)
                .fault(3, 119, cell -> cell.compute(5));
        GraphHarness harness = new GraphHarness(new DetectorGraph(job.shape(), job.names, Thresholds.DEFAULT));
        job.records().stream().filter(r -> r instanceof StepDigest).forEach(harness::take);
        assertThat(harness.finish().incidents()).isEmpty();
        assertThat(harness.losses).containsEntry("partial-step", 1L);
    }

    /** Below the floor a fault is an observation of the same kind, not an incident. */
    @Test
    void belowTheFloorItIsAnObservation() {
        FakeJob job = FakeJob.of(16, 41)
                .quiet()
                .thresholds(Thresholds.DEFAULT.withIncidentFloor(0.2))
                .fault(5, 0, cell -> cell.compute(1.1));
        Concluded c = job.diagnose();
        assertThat(c.incidents()).isEmpty();
        assertThat(c.observations())
                .anyMatch(i ->
                        i.kind() == IncidentKind.COMPUTE_STRAGGLER && i.ranks().equals(RankSet.of(5)));
    }

    /** Ids and everything else are the same each time. */
    @Test
    void theSameInputGivesTheSameConclusion() {
        Concluded a = FakeJob.of(16, 42).fault(5, 0, cell -> cell.compute(1.1)).diagnose();
        Concluded b = FakeJob.of(16, 42).fault(5, 0, cell -> cell.compute(1.1)).diagnose();
        assertThat(a).isEqualTo(b);
        assertThat(a.incidents().getFirst().id()).matches("[0-9a-f]{16}");
    }

    private static FakeJob pauses(double third) {
        return FakeJob.of(32, 6).quiet().fault(c -> {
            if ((c.rank == 3 && (c.step == 104 || c.step == 109)) || (c.rank == 20 && c.step == 112)) {
                c.gap(90, false, "");
            } else if (c.rank == 27 && c.step == 107) {
                c.gap(third, false, "");
            }
        });
    }

    /** A third rank that pauses as long makes a habit of the job; one that has a hiccup does not. */
    @Test
    void twoRanksThatPauseAndAHiccupAreTwoRanks() {
        assertThat(pauses(90).diagnose().incidents())
                .extracting(Incident::scope)
                .containsExactly(Scope.JOB);
        assertThat(pauses(20).diagnose().incidents())
                .filteredOn(i -> i.scope() == Scope.RANK)
                .extracting(Incident::ranks)
                .contains(RankSet.of(3), RankSet.of(20));
    }
}
