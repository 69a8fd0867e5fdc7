package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checkpoints that nothing marks: all ranks stand still every few steps, each for about as long, and none of them is the cause. */
class RegularPausesTest {
    @Test
    void ofAllRanksAccuseNobody() {
        Random random = new Random(5);
        Concluded said = FakeJob.of(16, 3)
                .fault(c -> {
                    if (c.step % 5 == 2) {
                        c.gap(250 * (1 + 0.1 * random.nextGaussian()), false, "");
                    }
                })
                .diagnose();
        assertThat(said.incidents()).isEmpty();
    }
}
