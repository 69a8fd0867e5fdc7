package dev.argus.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.simulator.LivePace;
import dev.argus.simulator.ScenarioKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration says what was injected, through real rings and the real agent. */
class DemoTest {
    private static final LivePace PACE = new LivePace(10, 8, 4);

    @TempDir
    Path temp;

    @Test
    void theFirstRightVerdictIsThereWithinAMinute() throws IOException {
        DemoTrial trial = new DemoTrial(DemoOptions.of(64, 7, 0, 0), temp.resolve("demo"), 45);

        assertThat(trial.notices()).isEmpty();
        assertThat(trial.firstRightSeconds()).isBetween(1.0, 60.0);
        assertThat(trial.summary().right()).isEqualTo(1);
        assertThat(trial.summary().wrong()).isZero();
        assertThat(trial.steps()[0]).isGreaterThan(64 * 15);
        assertThat(trial.steps()[1]).isZero();
    }

    @Test
    void healthIsSaidOnceAndAVerdictComesBeforeItsJudgement() throws IOException {
        DemoOptions options = new DemoOptions(32, 3, 2, PACE, List.of(ScenarioKind.COMPUTE), 0, 0);

        DemoTrial trial = new DemoTrial(options, temp.resolve("demo"), 40);

        assertThat(trial.lines().get(0)).contains("32 ranks report", "nothing is wrong now");
        assertThat(trial.lines().get(1)).contains("OPENED");
        assertThat(trial.lines().get(2)).startsWith("RIGHT: injected from step 10 to 17: a GPU computes slower");
    }

    @Test
    void aBusyMachineMakesTheJobWaitAndTheVerdictIsStillRight() throws IOException {
        DemoOptions options = new DemoOptions(32, 3, 2, PACE, List.of(ScenarioKind.COMPUTE, ScenarioKind.NVLINK), 0, 0);

        DemoTrial trial = new DemoTrial(options, temp.resolve("demo"), 240, 60); // a look every 12 s

        assertThat(trial.notices()).isEmpty();
        assertThat(trial.summary().right()).isPositive();
        assertThat(trial.summary().wrong()).isZero();
    }
}
