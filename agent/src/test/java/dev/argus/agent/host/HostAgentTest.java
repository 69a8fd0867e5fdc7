package dev.argus.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.agent.AgentOptions;
import dev.argus.agent.LocalJobs;
import dev.argus.agent.control.ControlSocket;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.NameTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent cannot have at first it has once somebody mended it. */
class HostAgentTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    @Test
    void theSocketIsTriedAgainWhenTheFolderWasMended() throws IOException {
        Path rings = Files.createDirectory(folder.resolve("rings"));
        Files.setPosixFilePermissions(rings, PosixFilePermissions.fromString("rwxr-xr-x"));
        NameTable names = new NameTable();
        long mono = System.nanoTime();
        HostAgentSettings settings =
                new HostAgentSettings(AgentOptions.of(rings).withStacks(0), folder.resolve("state"), 0, null, true);
        try (HostAgent agent = new HostAgent(
                settings,
                names,
                new LocalJobs(names, Thresholds.DEFAULT, LiveOptions.DEFAULT, (job, change) -> {}),
                1_790_000_000L * SECOND,
                mono)) {
            List<String> said = new ArrayList<>(agent.takeNotices());
            for (int i = 1; i <= 20; i++) {
                agent.look(mono + i * SECOND);
                said.addAll(agent.takeNotices());
            }
            assertThat(said)
                    .as("once, however often it was tried")
                    .filteredOn(n -> n.contains("ctl"))
                    .singleElement()
                    .satisfies(n -> assertThat(n).contains("does not reach this agent", "open to others"));
            assertThat(ControlSocket.of(rings)).doesNotExist();
            Files.setPosixFilePermissions(rings, PosixFilePermissions.fromString("rwx------"));
            for (int i = 21; i <= 26; i++) {
                agent.look(mono + i * SECOND);
                said.addAll(agent.takeNotices());
            }
            assertThat(said).contains("'argus agent ctl' reaches this agent now");
            assertThat(ControlSocket.of(rings)).exists();
        }
    }
}
