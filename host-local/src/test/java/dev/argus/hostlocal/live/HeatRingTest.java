package dev.argus.hostlocal.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.argus.hostlocal.live.HeatRing.Cells;
import dev.argus.hostlocal.live.HeatRing.Measure;
import dev.argus.model.OwnTime;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** What a heat map of a job that goes on is made of. */
class HeatRingTest {
    private static final long MANY = 1 << 20;

    /** Rank r lasts {@code nanos[r]}, of which a quarter is communication; below 0 it reports nothing. */
    private static JobStep step(int attempt, long step, long... nanos) {
        List<RankStep> ranks = new ArrayList<>();
        for (int rank = 0; rank < nanos.length; rank++) {
            if (nanos[rank] >= 0) {
                OwnTime own = new OwnTime(nanos[rank] / 2, 0, nanos[rank] / 4, nanos[rank] / 4, 0);
                ranks.add(new RankStep(
                        new StepDigest(
                                attempt,
                                rank,
                                step,
                                step,
                                nanos[rank],
                                false,
                                false,
                                true,
                                own,
                                0,
                                0,
                                1,
                                1,
                                List.of(),
                                List.of(),
                                List.of()),
                        null));
            }
        }
        return new JobStep(attempt, step, ranks);
    }

    private static Cells all(HeatRing ring, Measure measure) {
        return ring.read(measure, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    private static RankStep withPhases(int rank, boolean gpu, boolean partial, OwnTime own, PhaseTime... phases) {
        return new RankStep(
                new StepDigest(
                        0,
                        rank,
                        1,
                        1,
                        100_000,
                        false,
                        partial,
                        gpu,
                        own,
                        0,
                        0,
                        1,
                        1,
                        List.of(phases),
                        List.of(),
                        List.of()),
                null);
    }

    /** On a CPU collectives are taken out of the phases and are no time outside; a rank without phases, and a step that is cut, say nothing of it. */
    @Test
    void whatNoPhaseCoversIsKnownWherePhasesAreRecorded() {
        PhaseTime forward = new PhaseTime(Phase.FORWARD, 30_000, 0);
        PhaseTime loading = new PhaseTime(Phase.DATA_LOADING, 20_000, 0);
        HeatRing ring = new HeatRing(MANY);
        ring.add(new JobStep(
                0,
                1,
                List.of(
                        withPhases(0, true, false, new OwnTime(60_000, 0, 20_000, 20_000, 0), forward, loading),
                        withPhases(1, false, false, new OwnTime(30_000, 0, 15_000, 25_000, 25_000), forward, loading),
                        withPhases(2, true, false, new OwnTime(100_000, 0, 0, 0, 0)),
                        withPhases(3, true, true, new OwnTime(60_000, 0, 20_000, 20_000, 0), forward))));
        float[] seconds = all(ring, Measure.OUTSIDE).seconds();
        assertThat(seconds[0]).isCloseTo(50e-6f, withinPercentage(0.03));
        assertThat(seconds[1])
                .as("less a collective of 15 us and a pause of 5 us")
                .isCloseTo(30e-6f, withinPercentage(0.03));
        assertThat(seconds[2]).isNaN();
        assertThat(seconds[3]).isNaN();
        assertThat(all(ring, Measure.WAIT).seconds()[3]).isCloseTo(20e-6f, withinPercentage(0.03));
    }

    @Test
    void stepsWithoutPhasesTakeNoRoomForThem() {
        HeatRing ring = new HeatRing(MANY);
        ring.add(step(0, 1, 100, 200));
        assertThat(ring.bytes()).isEqualTo(2 * 3 * 2 + 64);
        assertThat(all(ring, Measure.OUTSIDE).seconds()).containsOnly(Float.NaN);
    }

    @Test
    void valuesComeBackWithinTheStatedError() {
        Random random = new Random(1);
        HeatRing ring = new HeatRing(MANY);
        for (int i = 0; i < 1000; i++) {
            long nanos = 8 + (random.nextLong() >>> (17 + random.nextInt(40)));
            ring.add(step(0, i, nanos));
            Cells cells = ring.read(Measure.DURATION, i, i, 1);
            assertThat((double) cells.seconds()[0])
                    .isCloseTo(nanos / 1e9, Percentage.withPercentage(100.01 * HeatRing.ERROR_RATIO));
        }
    }

    @Test
    void measuresStandApart() {
        HeatRing ring = new HeatRing(MANY);
        ring.add(step(0, 1, 4_000_000_000L, 0));
        assertThat(all(ring, Measure.DURATION).seconds()[0]).isCloseTo(4f, within(0.002f));
        assertThat(all(ring, Measure.OWN).seconds()[0]).isCloseTo(3f, within(0.002f));
        assertThat(all(ring, Measure.WAIT).seconds()[0]).isCloseTo(1f, within(0.001f));
        assertThat(all(ring, Measure.WAIT).seconds()[1])
                .as("no wait is 0, not unknown")
                .isEqualTo(0f);
    }

    @Test
    void whatWasNotReportedIsUnknown() {
        HeatRing ring = new HeatRing(MANY);
        ring.add(step(0, 1, 100, 200));
        ring.add(step(0, 2, 100, -1));
        ring.add(step(0, 4, 100, 200, 300));
        Cells cells = all(ring, Measure.DURATION);
        assertThat(cells.ranks()).containsExactly(0, 1, 2);
        assertThat(cells.steps()).containsExactly(1, 2, 4);
        assertThat(cells.seconds()[3 + 1]).as("rank 1 in step 2").isNaN();
        assertThat(cells.seconds()[2 * 3]).as("rank 2 was not there yet").isNaN();
        assertThat(cells.seconds()[2 * 3 + 2]).as("now it is").isNotNaN();
        assertThat(ring.read(Measure.DURATION, 2, 4, 1).steps())
                .as("the newest of those wanted")
                .containsExactly(4);
        assertThat(ring.read(Measure.DURATION, 5, 9, 9).steps()).isEmpty();
    }

    @Test
    void theOldestGiveWay() {
        HeatRing ring = new HeatRing(1000);
        for (int i = 0; i < 100; i++) {
            ring.add(step(0, i, 5, 6, 7, 8));
        }
        assertThat(ring.bytes()).isLessThanOrEqualTo(1000);
        assertThat(ring.steps()).isEqualTo(1000 / (64 + 4 * 6));
        assertThat(all(ring, Measure.OWN).steps()).endsWith(98, 99);
        HeatRing small = new HeatRing(1);
        small.add(step(0, 1, 5, 6));
        assertThat(small.steps()).as("the newest stays").isEqualTo(1);
    }

    @Test
    void anotherAttemptAndStepsThatComeAgainForgetWhatWas() {
        HeatRing ring = new HeatRing(MANY);
        ring.add(step(0, 7, 5, 6));
        ring.add(step(1, 8, 5));
        assertThat(all(ring, Measure.OWN).steps()).containsExactly(8);
        assertThat(all(ring, Measure.OWN).attempt()).isEqualTo(1);
        assertThat(all(ring, Measure.OWN).ranks()).containsExactly(0);
        ring.add(step(1, 8, 5));
        ring.add(step(1, 9, 5));
        assertThat(all(ring, Measure.OWN).steps()).containsExactly(8, 9);
        ring.add(step(1, 3, 5));
        assertThat(all(ring, Measure.OWN).steps()).containsExactly(3);
    }

    @Test
    void readersAndTheWriterDoNotHinderEachOther() throws InterruptedException {
        HeatRing ring = new HeatRing(4000);
        Thread writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 20_000; i++) {
                ring.add(step(i / 5000, i, 5, 6, 7));
            }
        });
        while (writer.isAlive()) {
            Cells cells = all(ring, Measure.DURATION);
            assertThat(cells.seconds()).hasSize(cells.ranks().length * cells.steps().length);
        }
        writer.join();
        assertThat(all(ring, Measure.DURATION).steps()).endsWith(19_999);
    }

    @Test
    void noRoomAtAllIsRefused() {
        assertThatThrownBy(() -> new HeatRing(0)).hasMessageContaining("expected 1 or more");
    }

    @Test
    void whatComesLateFindsItsPlace() {
        HeatRing ring = new HeatRing(MANY);
        ring.add(step(0, 1, 100, 100));
        ring.add(step(0, 2, 100, -1));
        ring.add(step(0, 4, 100, 100));
        ring.addLate(0, step(0, 2, -1, 400).ranks().getFirst());
        ring.addLate(0, step(0, 3, -1, 500).ranks().getFirst()); // no such step
        ring.addLate(0, step(0, 2, -1, -1, 500).ranks().getFirst()); // no such rank
        ring.addLate(1, step(1, 2, -1, 500).ranks().getFirst()); // another attempt
        Cells cells = all(ring, Measure.DURATION);
        assertThat(cells.steps()).containsExactly(1, 2, 4);
        assertThat(cells.seconds()[3 + 1]).isCloseTo(400e-9f, Percentage.withPercentage(0.1));
        assertThat(cells.seconds()[1]).isCloseTo(100e-9f, Percentage.withPercentage(0.1));
    }
}
