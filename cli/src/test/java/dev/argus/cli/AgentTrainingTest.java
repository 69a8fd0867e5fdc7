package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the start script trains the agent with does what an agent does. */
class AgentTrainingTest {
    @Test
    void anAgentWatchesASimulatedJob(@TempDir Path folder) throws Exception {
        assertThat(AgentTraining.watch(folder, 5)).isGreaterThan(10_000);
    }
}
