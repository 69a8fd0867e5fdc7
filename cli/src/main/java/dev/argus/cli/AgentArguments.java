package dev.argus.cli;

import dev.argus.agent.AgentOptions;
import dev.argus.model.Topology;
import dev.argus.ring.RingDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * The arguments of {@code agent}.
 *
 * @param options how it works
 * @param topology layout stated by the user, or null
 * @param json true for one JSON object a line
 * @param seconds when to stop, 0 for never
 * @param noColour true if colours are refused
 */
record AgentArguments(AgentOptions options, @Nullable Topology topology, boolean json, int seconds, boolean noColour) {
    private static final int MOST_SECONDS = 100_000_000;
    private static final int MOST_STACKS = 1000;

    static AgentArguments from(ParseResult parsed, Map<String, String> environment) throws IOException {
        @Nullable String rings = parsed.matchedOptionValue(CommandTree.RINGS, null);
        Path folder =
                rings == null ? RingDirectory.standard(environment).folder() : Arguments.path(CommandTree.RINGS, rings);
        AgentOptions options = AgentOptions.of(folder);
        @Nullable String stacks = parsed.matchedOptionValue(CommandTree.STACKS, null);
        if (stacks != null) {
            options = options.withStacks(Arguments.integer(CommandTree.STACKS, stacks, 0, MOST_STACKS));
        }
        @Nullable String topology = parsed.matchedOptionValue(CommandTree.TOPOLOGY, null);
        @Nullable String seconds = parsed.matchedOptionValue(CommandTree.FOR, null);
        String format = Arguments.oneOf(
                CommandTree.FORMAT, parsed.matchedOptionValue(CommandTree.FORMAT, "text"), List.of("text", "json"));
        return new AgentArguments(
                options,
                topology == null ? null : TopologyOption.parse(topology),
                format.equals("json"),
                seconds == null ? 0 : Arguments.integer(CommandTree.FOR, seconds, 1, MOST_SECONDS),
                parsed.hasMatchedOption(CommandTree.NO_COLOR));
    }
}
