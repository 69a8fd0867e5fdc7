package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Jobs in which single kernels now and then take several times as long, on any rank. */
class TailsTest {
    private static FakeJob job(long seed, int steps) {
        return FakeJob.of(32, seed).steps(100, steps).fault(c -> {
            SplittableRandom random = new SplittableRandom(seed * 1_000_003 + c.rank * 1_009L + c.step);
            for (int k = 0; k < c.kernel.length; k++) {
                c.kernel[k] *= random.nextDouble() < 0.05 ? 1 + 0.4 * random.nextDouble() : 1;
            }
        });
    }

    @Test
    void longKernelsThatFallOnAnybodyAccuseNobody() {
        for (long seed = 1; seed <= 12; seed++) {
            assertThat(job(seed, 4 + (int) seed).diagnose().incidents())
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void aSlowRankIsStillFoundAmongThem() {
        for (long seed = 1; seed <= 4; seed++) {
            assertThat(job(seed, 10).fault(5, 0, c -> c.compute(1.2)).diagnose().incidents())
                    .as("seed %d", seed)
                    .singleElement()
                    .satisfies(i -> {
                        assertThat(i.kind()).isEqualTo(IncidentKind.COMPUTE_STRAGGLER);
                        assertThat(i.ranks()).isEqualTo(RankSet.of(5));
                    });
        }
    }

    @Test
    void aSecondSlowRankAmongFourIsFoundBesideTheFirst() {
        assertThat(FakeJob.of(4, 3)
                        .steps(100, 8)
                        .fault(2, 0, c -> c.compute(1.6))
                        .fault(1, 105, c -> c.compute(1.4))
                        .diagnose()
                        .incidents())
                .extracting(i -> i.ranks())
                .contains(RankSet.of(1), RankSet.of(2));
    }
}
