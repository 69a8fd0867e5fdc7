package dev.argus.cli;

import dev.argus.cli.query.AnswerText;
import dev.argus.cli.query.Inquiry;
import dev.argus.model.SafeText;
import dev.argus.server.config.SettingsException;
import dev.argus.server.config.SettingsReader;
import dev.argus.storage.DataFolder;
import dev.argus.storage.QueryException;
import dev.argus.storage.QueryResult;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code query}: asks the store of a server. */
final class QueryCommand {
    private static final int USUAL_ROWS = 1000;
    private static final int MOST_ROWS = 100_000;

    private final Surroundings around;

    QueryCommand(Surroundings around) {
        this.around = around;
    }

    int run(ParseResult parsed) throws IOException {
        String format = Arguments.oneOf(
                CommandTree.FORMAT,
                parsed.matchedOptionValue(CommandTree.FORMAT, "text"),
                List.of("text", "json", "csv"));
        Inquiry inquiry = inquiry(parsed);
        QueryResult answer;
        try {
            answer = inquiry.answer();
        } catch (QueryException refused) {
            return failed("not answered: " + refused.getMessage());
        } catch (IOException nobody) {
            return failed("cannot ask: "
                    + (nobody instanceof ConnectException
                            ? "nobody listens at " + inquiry.server() + "; does the server run there? Or use --data"
                            : Failures.reason(nobody)));
        }
        String text = switch (format) {
            case "json" -> AnswerText.json(answer);
            case "csv" -> AnswerText.csv(answer);
            default -> AnswerText.table(answer);
        };
        around.out().write(text.getBytes(StandardCharsets.UTF_8));
        around.out().flush();
        return ExitCode.DONE;
    }

    private int failed(String why) {
        around.err().println("argus: " + SafeText.sentence(why));
        return ExitCode.NOTHING_ANALYSED;
    }

    private Inquiry inquiry(ParseResult parsed) {
        List<String> words = parsed.matchedPositionalValue(0, List.of());
        if (words.size() != 1 || words.getFirst().isBlank()) {
            throw new UsageError("found " + (words.size() < 2 ? "no question" : words.size() + " words")
                    + ", expected one in quotes, such as \"SHOW TABLES\"; see: ./argus query --help");
        }
        @Nullable String limit = parsed.matchedOptionValue(CommandTree.LIMIT, null);
        int rows = limit == null ? USUAL_ROWS : Arguments.integer(CommandTree.LIMIT, limit, 1, MOST_ROWS);
        @Nullable String server = parsed.matchedOptionValue(CommandTree.SERVER, null);
        @Nullable String token = parsed.matchedOptionValue(CommandTree.TOKEN_FILE, null);
        return new Inquiry(
                words.getFirst(),
                rows,
                data(parsed.matchedOptionValue(CommandTree.DATA, null)),
                server == null ? null : address(server),
                token == null ? null : Arguments.path(CommandTree.TOKEN_FILE, token));
    }

    /** The folder that {@code serve} would use. */
    private DataFolder data(@Nullable String given) {
        if (given != null) {
            return new DataFolder(Arguments.path(CommandTree.DATA, given));
        }
        try {
            Path usual = SettingsReader.read(null, around.environment(), Map.of())
                    .settings()
                    .data();
            return new DataFolder(usual);
        } catch (SettingsException wrong) {
            throw new UsageError(SafeText.sentence(String.valueOf(wrong.getMessage())));
        }
    }

    private static URI address(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException wrong) {
            throw new UsageError(CommandTree.SERVER + ": found '" + SafeText.of(text)
                    + "', expected an address such as https://HOST:PORT.");
        }
    }
}
