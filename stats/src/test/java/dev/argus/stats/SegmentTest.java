package dev.argus.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Against all runs there are; values are whole numbers, so that sums are exact. */
class SegmentTest {
    private static @Nullable Segment oracle(double[] values, double missing) {
        Segment best = null;
        for (int first = 0; first < values.length; first++) {
            double sum = 0;
            for (int last = first; last < values.length; last++) {
                sum += Double.isNaN(values[last]) ? missing : values[last];
                if (sum > (best == null ? 0 : best.score())) {
                    best = new Segment(first, last, sum);
                }
            }
        }
        return best;
    }

    @RepeatedTest(500)
    void everyRunIsTried(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        double[] values =
                random.ints(random.nextInt(40), -4, 4).asDoubleStream().toArray();
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextInt(6) == 0 ? Double.NaN : values[i];
        }
        Segment expected = oracle(values, -2);
        Segment found = Segment.best(values, -2);
        if (expected == null || found == null) {
            assertThat(found).isEqualTo(expected);
            return;
        }
        assertThat(found.score()).isEqualTo(expected.score());
        assertThat(found.last()).as("ties go to the run that ends first").isLessThanOrEqualTo(expected.last());
        double sum = 0;
        for (int i = found.first(); i <= found.last(); i++) {
            sum += Double.isNaN(values[i]) ? -2 : values[i];
        }
        assertThat(sum).isEqualTo(found.score());
    }

    @Test
    void tiesGoToTheEarlierRun() {
        assertThat(Segment.best(new double[] {-1, 3, -5, 2, 1, -9}, -1)).isEqualTo(new Segment(1, 1, 3));
    }

    @Test
    void shortDipsAreBridgedByWhatTheyAreWorth() {
        assertThat(Segment.best(new double[] {-1, 3, -1, 3, -4, 2}, -1)).isEqualTo(new Segment(1, 3, 5));
        assertThat(new Segment(1, 3, 5).length()).isEqualTo(3);
    }

    @Test
    void missingCountsAsTold() {
        double[] values = {2, Double.NaN, 2};
        assertThat(Segment.best(values, -1)).isEqualTo(new Segment(0, 2, 3));
        assertThat(Segment.best(values, -3)).isEqualTo(new Segment(0, 0, 2));
        assertThat(Segment.best(new double[] {Double.NaN, Double.NaN}, -1)).isNull();
    }

    @Test
    void nothingPositiveIsNoRun() {
        assertThat(Segment.best(new double[] {0, -1, 0}, -1)).isNull();
        assertThat(Segment.best(new double[] {}, -1)).isNull();
    }
}
