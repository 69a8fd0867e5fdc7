package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import dev.argus.stats.Segment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** More work in a step explains that step, and does not move the begin of a fault. */
class MomentaryWorkTest {
    private static final double[] CENTRE = {100, 100, 100, 100, 100, 100};
    private static final Segment ALL = new Segment(0, 5, 100);

    private static Segment trim(double[] own, double... excess) {
        double[][] work = new double[9][6];
        for (double[] row : work) {
            Arrays.fill(row, 50);
        }
        work[4] = own;
        return new MomentaryWork(work, 4, CENTRE).trim(excess, ALL);
    }

    @Test
    void anEndThatTheWorkExplainsIsCut() {
        Segment cut = trim(new double[] {60, 50, 50, 50, 50, 58}, 20, 20, 20, 20, 20, 20);

        assertThat(cut.first()).isEqualTo(1);
        assertThat(cut.last()).isEqualTo(4);
    }

    @Test
    void anEndOfWhichTheWorkExplainsLessThanHalfStays() {
        assertThat(trim(new double[] {54.9, 50, 50, 50, 50, 54.9}, 20, 20, 20, 20, 20, 20))
                .isEqualTo(ALL);
    }

    @Test
    void theMiddleStays() {
        assertThat(trim(new double[] {50, 50, 60, 60, 50, 50}, 20, 20, 20, 20, 20, 20))
                .isEqualTo(ALL);
    }

    @Test
    void workThatIsAlwaysMoreOrNotCountedIsNoMatterOfSteps() {
        double[] excess = {20, 20, 20, 20, 20, 20};

        assertThat(trim(new double[] {60, 60, 60, 60, 60, 60}, excess)).isEqualTo(ALL);
        assertThat(trim(new double[] {Double.NaN, 0, 0, 0, 0, Double.NaN}, excess))
                .isEqualTo(ALL);
    }

    @Test
    void workOfAllPeersExplainsNothing() {
        double[][] work = new double[9][6];
        for (double[] row : work) {
            Arrays.fill(row, 50);
            row[0] = 60;
        }

        assertThat(new MomentaryWork(work, 4, CENTRE).trim(new double[] {20, 20, 20, 20, 20, 20}, ALL))
                .isEqualTo(ALL);
    }

    @Test
    void aFaultBeginsWhereItBeginsAlsoAfterAStepOfMoreWork() {
        FakeJob job = FakeJob.of(16, 3).fault(5, 112, c -> c.compute(1.2)).fault(c -> {
            if (c.rank == 5 && (c.step == 110 || c.step == 111)) {
                c.compute(1.15);
                c.work = 1.15;
            }
        });

        assertThat(job.diagnose().incidents())
                .filteredOn(i -> i.ranks().equals(RankSet.of(5)))
                .singleElement()
                .extracting(Incident::firstStep)
                .isEqualTo(112L);
    }
}
