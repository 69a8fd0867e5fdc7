package dev.argus.agent.host;

import dev.argus.agent.AgentOptions;
import dev.argus.agent.history.RawHistory;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an agent keeps and whom it answers.
 *
 * @param options how it looks
 * @param state folder of what it keeps on disk, of this user alone; null to keep nothing
 * @param historyBytes bytes of raw events kept; 0 for none
 * @param excerpts folder for excerpts; null for none at incidents, and those asked for in the folder of its state
 * @param control true to answer {@code argus agent ctl}
 */
public record HostAgentSettings(
        AgentOptions options,
        @Nullable Path state,
        long historyBytes,
        @Nullable Path excerpts,
        boolean control) {
    /** Checks that the history is none or of use. */
    public HostAgentSettings {
        if (historyBytes != 0 && historyBytes < RawHistory.LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "history of " + historyBytes + " bytes, expected 0 or at least " + RawHistory.LEAST_BYTES);
        }
    }

    /** {@code ARGUS_STATE_DIR}, else a folder of this user on the local disk: {@code /var/tmp/argus-NAME}. */
    public static Path standardState(Map<String, String> environment) {
        String chosen = environment.getOrDefault("ARGUS_STATE_DIR", "");
        String user = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9_.-]", "_");
        return Path.of(chosen.isEmpty() ? "/var/tmp/argus-" + user : chosen);
    }
}
