package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.StallWords;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.SpanKind;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks without GPU: what keeps one of them from its training, and what a busy host does to all. */
class AwayFromTrainingTest {
    private static final String GC = StallWords.STALL + "garbage collection (generation 2)";
    private static final String COMPILE = StallWords.STALL + "compile";

    private static FakeJob job() {
        return FakeJob.of(4, 7).withoutGpu();
    }

    /** Every rank of a busy host waits for a CPU, now here, now there, up to a fifth of a step. */
    private static void busy(FakeJob.Cell c) {
        SplittableRandom random = new SplittableRandom(c.step * 31 + c.rank);
        c.away(20 * random.nextDouble(), SpanKind.SCHEDULER, StallWords.NO_CPU);
    }

    private static void every(int steps, FakeJob.Cell c, Runnable edit) {
        if (c.step % steps == 0) {
            edit.run();
        }
    }

    @ParameterizedTest
    @CsvSource({"gc-pause,1", "gc-pause,2", "jit-stall,1", "data-stall,1", "host-contention,1"})
    void whatKeepsARankFromTrainingIsNamedOnAQuietHostAndOnABusyOne(String kind, int everySteps) {
        for (boolean busy : new boolean[] {false, true}) {
            FakeJob job = job().fault(2, 110, c -> every(everySteps, c, () -> away(kind, c, 25)));
            Concluded said = (busy ? job.fault(AwayFromTrainingTest::busy) : job).diagnose();
            assertThat(said.incidents()).as("%s, busy: %s", kind, busy).hasSize(1);
            Incident i = said.incidents().getFirst();
            assertThat(i.kind().text()).isEqualTo(kind);
            assertThat(i.ranks()).isEqualTo(RankSet.of(2));
            assertThat(i.firstStep()).isBetween(110L, 111L);
        }
    }

    private static void away(String kind, FakeJob.Cell c, double millis) {
        switch (kind) {
            case "gc-pause" -> c.away(millis, SpanKind.PYTHON, GC);
            case "jit-stall" -> c.away(millis, SpanKind.PYTHON, COMPILE);
            case "host-contention" -> c.away(millis, SpanKind.SCHEDULER, StallWords.NO_CPU);
            default -> c.dataMillis += millis;
        }
    }

    @Test
    void aPauseAtTheStartIsNotWhereTheOthersBegan() {
        Incident i = job().fault(2, 100, c -> {
                    if (c.step == 100 || c.step >= 112) {
                        c.dataMillis += 60;
                    }
                })
                .diagnose()
                .incidents()
                .getFirst();
        assertThat(i.kind()).isEqualTo(IncidentKind.DATA_STALL);
        assertThat(i.firstStep()).isEqualTo(112);
    }

    @Test
    void aBusyHostAloneAccusesNobody() {
        for (long seed = 1; seed < 9; seed++) {
            FakeJob job = FakeJob.of(4, seed).withoutGpu().fault(AwayFromTrainingTest::busy);
            assertThat(job.diagnose().incidents()).isEmpty();
        }
    }

    @Test
    void workThatIsALittleLongerOnABusyHostAccusesNobodyAndOnAQuietOneSomebody() {
        FakeJob quiet = job().fault(2, 110, c -> c.cpuMillis *= 1.1);
        assertThat(quiet.diagnose().incidents()).extracting(Incident::ranks).containsExactly(RankSet.of(2));
        assertThat(crowded(1, 1.1, 110)).isEmpty();
    }

    @Test
    void nothingThatIsSaidOfAJobWithoutGpusSpeaksOfThem() {
        assertThat(job().fault(2, 110, c -> c.cpuMillis *= 1.3).diagnose().incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.summary() + i.explanation() + i.advice())
                        .doesNotContainIgnoringCase("kernel")
                        .doesNotContain("GPU,", "GPUs"));
    }

    /** All ranks wait for a CPU one and a half times as long as they work, one of them from some step on longer by a factor, and it works longer. */
    private static List<Incident> crowded(double waits, double factor, long from) {
        return job().fault(c -> c.away(120, SpanKind.SCHEDULER, StallWords.NO_CPU))
                .fault(2, from, c -> {
                    c.away(120 * (waits - 1), SpanKind.SCHEDULER, StallWords.NO_CPU);
                    c.cpuMillis *= factor;
                })
                .diagnose()
                .incidents();
    }

    /** Two of four ranks that share the slower CPU, and wait as all do. */
    @Test
    void whoWaitsAsLongAsAllIsNotAccusedOfLongerWorkThatIsLessThanThat() {
        assertThat(job().fault(c -> c.away(120, SpanKind.SCHEDULER, StallWords.NO_CPU))
                        .fault(1, 110, c -> c.cpuMillis *= 1.4)
                        .fault(2, 110, c -> c.cpuMillis *= 1.4)
                        .diagnose()
                        .incidents())
                .isEmpty();
        assertThat(crowded(1, 2.5, 116))
                .as("all the waits, four steps")
                .singleElement()
                .satisfies(i -> {
                    assertThat(i.ranks()).isEqualTo(RankSet.of(2));
                    assertThat(i.kind()).isEqualTo(IncidentKind.STRAGGLER);
                });
    }

    @Test
    void slowWorkOnABusyHostIsNamedOnceEnoughStepsTellItFromChance() {
        assertThat(crowded(1, 1.3, 116)).as("four steps").isEmpty();
        assertThat(crowded(1, 1.9, 116)).as("four steps").isEmpty();
        assertThat(crowded(1, 1.9, 110))
                .as("ten steps")
                .extracting(Incident::ranks)
                .containsExactly(RankSet.of(2));
    }

    /** Who lacks CPUs more than its peers is slow for that; on a quiet host, and where all lack them alike, nothing tells. */
    @Test
    void whoFightsForCpusIsNotSlowForNoReason() {
        assertThat(crowded(2.5, 1.3, 110)).isNotEmpty().allSatisfy(i -> {
            assertThat(i.ranks()).isEqualTo(RankSet.of(2));
            assertThat(i.kind()).isEqualTo(IncidentKind.HOST_CONTENTION);
            assertThat(i.summary()).contains("ready to run and had no CPU");
        });
        assertThat(job().fault(2, 110, c -> c.cpuMillis *= 1.3).diagnose().incidents())
                .extracting(Incident::kind)
                .containsExactly(IncidentKind.STRAGGLER);
        assertThat(job().fault(c -> c.away(10, SpanKind.SCHEDULER, StallWords.NO_CPU))
                        .fault(2, 110, c -> c.cpuMillis *= 1.3)
                        .diagnose()
                        .incidents())
                .as("ten of twenty-four milliseconds")
                .extracting(Incident::kind)
                .containsExactly(IncidentKind.STRAGGLER);
    }

    /** An eighth more work is a twelfth of the waits: chance over twenty steps may be as much, and more steps than that were not measured. */
    @Test
    void moreStepsThanWereMeasuredProveNothingMore() {
        FakeJob job = job().steps(100, 300);
        assertThat(job.fault(c -> c.away(120, SpanKind.SCHEDULER, StallWords.NO_CPU))
                        .fault(2, 150, c -> c.cpuMillis *= 1.12)
                        .diagnose()
                        .incidents())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"gc-pause", "jit-stall", "data-stall", "host-contention"})
    void whatCostsNothingIsNoIncident(String kind) {
        assertThat(job().fault(2, 110, c -> away(kind, c, 0.2)).diagnose().incidents())
                .isEmpty();
    }

    @Test
    void whatAllDoTogetherAccusesNobody() {
        List<Incident> said = job().fault(c -> every(4, c, () -> away("gc-pause", c, 25)))
                .diagnose()
                .incidents();
        assertThat(said).noneMatch(i -> !i.ranks().isEmpty());
        assertThat(said).noneMatch(i -> i.kind() == IncidentKind.HOST_CONTENTION);
    }
}
