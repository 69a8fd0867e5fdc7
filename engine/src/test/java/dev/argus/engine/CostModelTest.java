package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** What suspects cost: never more than was measured, no nanosecond twice. */
class CostModelTest {
    private static WorkReference reference(double... stepNanos) {
        long[] steps = new long[stepNanos.length];
        double[] zero = new double[stepNanos.length];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = i;
        }
        return new WorkReference(0, 0, 8, steps, zero, zero, stepNanos, zero, zero, zero, 0, 0);
    }

    private static Suspect suspect(int rank, long step, double... claims) {
        Suspect s = new Suspect(IncidentKind.CPU_STALL, Scope.RANK, RankSet.of(rank), "");
        for (int i = 0; i < claims.length; i++) {
            s.claim(step + i, claims[i]);
        }
        return s;
    }

    @Test
    void aSuspectClaimsNoMoreThanTheStepLost() {
        CostModel model = new CostModel(new JobTimes(List.of(reference(100, 100, 130, 100, 100))), Set.of());
        Suspect s = suspect(1, 2, 80);
        model.price(List.of(s));
        assertThat(s.costNanos).isCloseTo(30, within(1e-9));
        assertThat(s.upperBound).isFalse();
        assertThat(model.lostNanos(List.of(s))).isCloseTo(30, within(1e-9));
    }

    /** A stall after the last synchronisation shows in the next step of the others. */
    @Test
    void theNextStepCountsToo() {
        CostModel model = new CostModel(new JobTimes(List.of(reference(100, 100, 110, 160, 100))), Set.of());
        Suspect s = suspect(1, 2, 65);
        model.price(List.of(s));
        assertThat(s.costNanos).isCloseTo(65, within(1e-9));
    }

    /** So it is after each of several stalls, not after the last alone. */
    @Test
    void theNextStepCountsAfterEachStall() {
        CostModel model =
                new CostModel(new JobTimes(List.of(reference(100, 100, 100, 160, 100, 100, 100, 160, 100))), Set.of());
        Suspect s = suspect(1, 2, 65);
        s.claim(6, 65);
        model.price(List.of(s));
        assertThat(s.costNanos).isCloseTo(120, within(1e-9));
    }

    /** A stall may be longer than the step at whose end it is, for all of it lies in the next. */
    @Test
    void aStallMayBeLongerThanItsStep() {
        CostModel model = new CostModel(new JobTimes(List.of(reference(100, 100, 100, 540, 100))), Set.of());
        Suspect s = suspect(1, 2, 445);
        model.price(List.of(s));
        assertThat(s.costNanos).isCloseTo(440, within(1e-9));
    }

    /** Noise of the same rank between its stalls does not hide what they cost. */
    @Test
    void aLittleClaimedOfTheNextStepIsNotAllOfIt() {
        CostModel model = new CostModel(new JobTimes(List.of(reference(100, 100, 100, 540, 100, 100))), Set.of());
        Suspect s = suspect(1, 2, 445, 3);
        model.price(List.of(s));
        assertThat(s.costNanos).isCloseTo(440, within(1e-9));
    }

    @Test
    void twoSuspectsShare() {
        CostModel model = new CostModel(new JobTimes(List.of(reference(100, 100, 140, 100, 100))), Set.of());
        Suspect a = suspect(1, 2, 60);
        Suspect b = suspect(2, 2, 20);
        model.price(List.of(a, b));
        assertThat(a.costNanos).isCloseTo(30, within(1e-9));
        assertThat(b.costNanos).isCloseTo(10, within(1e-9));
    }

    /** Without quiet steps the excess over the peers is all that is known. */
    @Test
    void withoutQuietStepsTheClaimStands() {
        CostModel model = new CostModel(new JobTimes(List.of(reference(130, 130, 130))), Set.of());
        Suspect s = suspect(1, 0, 30, 30, 30);
        model.price(List.of(s));
        assertThat(s.costNanos).isCloseTo(90, within(1e-9));
        assertThat(s.upperBound).as("an upper bound").isTrue();
    }

    private static Suspect asymmetry(long step, double... claims) {
        Suspect s = new Suspect(IncidentKind.RANK_ASYMMETRY, Scope.GROUP, RankSet.of(6, 7), "");
        for (int i = 0; i < claims.length; i++) {
            s.claim(step + i, claims[i]);
        }
        return s;
    }

    /** What explains an asymmetry in every step, or in all that a fault left, takes no quiet step from what a fault is held against. */
    @Test
    void anAsymmetryOfEveryStepLeavesTheOthersQuiet() {
        CostModel model = new CostModel(new JobTimes(List.of(reference(100, 100, 100, 124, 124, 124))), Set.of());
        for (Suspect always :
                List.of(asymmetry(0, 40, 40, 40, 40, 40, 40), asymmetry(0, 40, 40, 40), asymmetry(0, 9, 9, 9, 9))) {
            Suspect link = suspect(1, 3, 60, 60, 60);
            model.price(List.of(link, always));
            assertThat(link.costNanos).isCloseTo(72, within(1e-9));
            assertThat(link.upperBound).isFalse();
            assertThat(always.costNanos).isCloseTo(always.totalClaim(), within(1e-9));
            assertThat(always.upperBound).isTrue();
            assertThat(model.lostNanos(List.of(link, always))).isCloseTo(72 + always.costNanos, within(1e-9));
        }
    }

    /** Long steps that nobody claims are lost all the same, noise is not. */
    @Test
    void unclaimedLossIsCounted() {
        CostModel model = new CostModel(new JobTimes(List.of(reference(100, 103, 100, 150, 100))), Set.of());
        assertThat(model.lostNanos(List.of())).isCloseTo(50, within(1e-9));
    }

    @RepeatedTest(50)
    void claimsNeverExceedWhatWasMeasured(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        double[] nanos = new double[6 + random.nextInt(10)];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = 100 + (random.nextInt(3) == 0 ? 200 * random.nextDouble() : 0);
        }
        JobTimes times = new JobTimes(List.of(reference(nanos)));
        CostModel model = new CostModel(times, Set.of());
        List<Suspect> suspects = List.of(
                suspect(1, random.nextInt(nanos.length), 500 * random.nextDouble(), 100, 400 * random.nextDouble()),
                suspect(2, random.nextInt(nanos.length), 500 * random.nextDouble(), 3),
                suspect(3, random.nextInt(nanos.length), 90));
        model.price(suspects);
        double claimed = suspects.stream().mapToDouble(s -> s.costNanos).sum();
        assertThat(claimed).as("seed %d", run.getCurrentRepetition()).isLessThanOrEqualTo(times.measuredNanos());
        assertThat(model.lostNanos(suspects)).isGreaterThanOrEqualTo(claimed - 1e-6);
        assertThat(suspects).allSatisfy(s -> assertThat(s.costNanos).isBetween(0.0, s.totalClaim()));
    }
}
