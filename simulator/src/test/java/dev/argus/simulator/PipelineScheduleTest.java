package dev.argus.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.simulator.PipelineSchedule.Pass;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipelineScheduleTest {
    @Test
    void theFirstStageWarmsUpThenAlternates() {
        assertThat(spelled(PipelineSchedule.of(0, 4, 1, 6))).isEqualTo("F0 F1 F2 F3 B0 F4 B1 F5 B2 B3 B4 B5");
        assertThat(spelled(PipelineSchedule.of(3, 4, 1, 3))).isEqualTo("F0 B0 F1 B1 F2 B2");
    }

    @Test
    void interleavedStagesTakeTurnsInGroupsOfTheirNumber() {
        assertThat(PipelineSchedule.of(1, 2, 2, 4).stream()
                        .filter(Pass::forward)
                        .map(p -> p.chunk() + ":" + p.microbatch()))
                .containsExactly("0:0", "0:1", "1:0", "1:1", "0:2", "0:3", "1:2", "1:3");
    }

    @Test
    void interleavedNeedsWholeGroups() {
        assertThatThrownBy(() -> PipelineSchedule.of(0, 2, 2, 3)).hasMessageContaining("multiple of the 2 stages");
    }

    private static String spelled(List<Pass> passes) {
        return String.join(
                " ",
                passes.stream()
                        .map(p -> (p.forward() ? "F" : "B") + p.microbatch())
                        .toList());
    }
}
