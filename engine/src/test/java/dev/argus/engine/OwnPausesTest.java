package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.engine.RankWork.Measure;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Who stood still by itself, and who waited. */
class OwnPausesTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-9);

    /** Four ranks on two hosts, steps of 100; in step 5 each is longer by so much, of which so much is its own. */
    private static OwnPauses of(double[] longer, double[] own) {
        return of(longer, own, new double[longer.length]);
    }

    /** The same, and in step 4 each is longer by so much of its own. */
    private static OwnPauses of(double[] longer, double[] own, double[] before) {
        StepMatrix m = new StepMatrix(Measure.COUNT, RankWork.STEPS);
        for (int rank = 0; rank < longer.length; rank++) {
            for (long step = 0; step < 9; step++) {
                float[] cells = new float[Measure.COUNT];
                cells[Measure.DURATION] = (float) (100 + (step == 5 ? longer[rank] : step == 4 ? before[rank] : 0));
                cells[Measure.COMPUTE] = 60;
                cells[Measure.GAP] = (float) (5 + (step == 5 ? own[rank] : step == 4 ? before[rank] : 0));
                m.put(rank, step, cells);
            }
        }
        return new OwnPauses(m, m.rows(), 100, 20, rank -> "h" + rank / 2);
    }

    @Test
    void whoHoldsTheOthersUpIsOne() {
        OwnPauses p = of(new double[] {50, 50, 50, 50}, new double[] {50, 0, 0, 0});
        assertThat(p.ranks[5]).isCloseTo(0.25, EXACT);
        assertThat(p.hosts[5]).isCloseTo(0.5, EXACT);
        assertThat(p.ranks[4]).isZero();
    }

    @Test
    void whenAllStandStillItIsWhoDidNotWait() {
        OwnPauses p = of(new double[] {50, 50, 50, 50}, new double[] {50, 0, 50, 24});
        assertThat(p.ranks[5]).isCloseTo(0.5, EXACT);
        assertThat(p.hosts[5]).isCloseTo(1, EXACT);
    }

    @Test
    void aStepThatIsNotLongIsNone() {
        OwnPauses p = of(new double[] {19, 19, 19, 19}, new double[] {19, 19, 19, 19});
        assertThat(p.ranks[5]).isZero();
    }

    /** Each shows the moment in the step in which it was. */
    @Test
    void aMomentOnTheBorderOfTwoStepsIsInBoth() {
        OwnPauses p = of(new double[] {50, 50, 0, 0}, new double[] {50, 50, 0, 0}, new double[] {0, 0, 0, 50});
        assertThat(p.ranks[4]).isCloseTo(0.25, EXACT);
        assertThat(p.ranks[5]).isCloseTo(0.5, EXACT);
    }

    /** A rank that stalls just before all of them save a checkpoint stalled by itself. */
    @Test
    void whoStandsStillInBothSharesOnlyTheLargerOne() {
        double[] all = {50, 50, 50, 50};
        OwnPauses p = of(all, all, new double[] {50, 0, 0, 0});
        assertThat(p.ranks[4]).isZero();
        assertThat(p.ranks[5]).isCloseTo(1, EXACT);
    }

    @Test
    void aPauseOfAnotherLengthIsAnotherPause() {
        OwnPauses p = of(new double[] {200, 200, 200, 0}, new double[] {200, 200, 200, 0}, new double[] {0, 0, 0, 50});
        assertThat(p.ranks[4]).isZero();
        assertThat(p.ranks[5]).isCloseTo(0.75, EXACT);
    }
}
