package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadPlanTest {
    @Test
    void asksForTheStateWithEachOtherStackAndAgainAfterSoManySamplesOfTheSame() {
        ThreadPlan plan = new ThreadPlan(4096, 1);
        List<String> one = List.of("wait (a.py:1)");
        List<String> another = List.of("work (a.py:2)");
        List<Boolean> known = new ArrayList<>();
        for (List<String> frames : List.of(one, one, one, one, one, another, one, one)) {
            known.add(plan.stateIsKnown(frames, 4));
        }
        assertThat(known).containsExactly(false, true, true, true, false, false, false, true);
    }
}
