package dev.argus.cli;

import dev.argus.agent.control.ControlClient;
import dev.argus.agent.control.ControlRequest;
import dev.argus.model.SafeText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code agent ctl}: asks the running agent of this user something. */
final class CtlCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> ACTIONS = List.of("status", "set", "excerpt");

    /** Which options each action has, and what each is called in a request. */
    private static final Map<String, Map<String, String>> KEYS = Map.of(
            "status", Map.of(),
            "set",
                    Map.of(
                            CommandTree.RANK, "ranks",
                            CommandTree.SIGNALS, "signals",
                            CommandTree.SAMPLING, "sampling",
                            CommandTree.TURNS, "turns",
                            CommandTree.STACKS, "stacks"),
            "excerpt", Map.of(CommandTree.RANKS, "ranks", CommandTree.SECONDS, "seconds"));

    private final Surroundings around;

    CtlCommand(Surroundings around) {
        this.around = around;
    }

    int run(ParseResult parsed) throws IOException {
        String request = request(parsed);
        Path rings = AgentArguments.rings(parsed, around.environment());
        ControlClient.Answer answer;
        try {
            answer = ControlClient.ask(rings, request, PATIENCE);
        } catch (IOException | IllegalArgumentException nobody) {
            around.err()
                    .println("argus: no agent of this user answers in '" + SafeText.of(rings.toString()) + "' ("
                            + SafeText.of(nobody.getMessage(), 300)
                            + "); start one with ./argus agent, or give its folder with --rings");
            return ExitCode.NOTHING_ANALYSED;
        }
        StringBuilder text = new StringBuilder();
        answer.lines().forEach(line -> text.append(SafeText.sentence(line)).append('\n'));
        around.out().write(text.toString().getBytes(StandardCharsets.UTF_8));
        around.out().flush();
        if (!answer.error().isEmpty()) {
            around.err().println("argus: " + SafeText.sentence(answer.error()));
            return ExitCode.NOTHING_ANALYSED;
        }
        return ExitCode.DONE;
    }

    private static String request(ParseResult parsed) {
        List<String> words = parsed.matchedPositionalValue(0, List.of());
        if (words.size() != 1 || !ACTIONS.contains(words.getFirst())) {
            throw new UsageError(
                    "found " + (words.isEmpty() ? "nothing to do" : "'" + SafeText.of(words.getLast()) + "'")
                            + ", expected status, set or excerpt; see: ./argus agent ctl --help");
        }
        String action = words.getFirst();
        Map<String, String> all = new LinkedHashMap<>();
        KEYS.values().forEach(all::putAll);
        StringBuilder request = new StringBuilder(action);
        for (String option : all.keySet()) {
            @Nullable String value = parsed.matchedOptionValue(option, null);
            if (value == null) {
                continue;
            }
            String key = KEYS.getOrDefault(action, Map.of()).get(option);
            if (key == null) {
                throw new UsageError(option + " is no option of " + action + "; see: ./argus agent ctl --help");
            }
            if (value.isBlank() || !value.equals(value.strip()) || value.matches("(?s).*\\s.*")) {
                throw new UsageError(option + ": found '" + SafeText.of(value) + "', expected a value without blanks.");
            }
            request.append(' ').append(key).append('=').append(value);
        }
        try {
            ControlRequest.parse(request.toString());
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(SafeText.sentence(wrong.getMessage()) + ".");
        }
        return request.toString();
    }
}
