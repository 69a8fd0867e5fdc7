package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import org.junit.jupiter.api.Test;

/** Ranks without GPU: one is away from its training for long, and one that waits for it works somewhat longer. */
class WaitsItselfTest {
    private static FakeJob job(double away) {
        return FakeJob.of(4, 7).withoutGpu().fault(c -> {
            if (c.rank == 1 && c.step >= 106) {
                c.gap(away, false, "");
            }
            if (c.rank == 0 && c.step >= 106) {
                c.cpuMillis *= 1.4;
            }
        });
    }

    @Test
    void whoWaitsIsNotAccused() {
        assertThat(job(400).diagnose().incidents()).extracting(Incident::ranks).containsExactly(RankSet.of(1));
    }

    @Test
    void whoIsWaitedForIs() {
        assertThat(job(0).diagnose().incidents()).extracting(Incident::ranks).containsExactly(RankSet.of(0));
    }
}
