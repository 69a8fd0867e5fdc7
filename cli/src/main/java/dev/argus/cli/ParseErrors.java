package dev.argus.cli;

import dev.argus.model.SafeText;
import dev.argus.model.SimilarText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Words for arguments that do not parse: what was found, what was expected, what to do. */
final class ParseErrors {
    private ParseErrors() {}

    static String line(ParameterException error) {
        CommandLine command = error.getCommandLine();
        boolean root = command.getParent() == null;
        String help = "see: ./" + command.getCommandSpec().qualifiedName() + " --help";
        return switch (error) {
            case UnmatchedArgumentException unmatched -> unmatched(unmatched, root) + help;
            case MissingParameterException missing -> missing(missing) + help;
            case OverwrittenOptionException twice ->
                name(twice.getOverwritten()) + " is given twice, expected once; " + help;
            default -> SafeText.of(error.getMessage(), 300) + "; " + help;
        };
    }

    private static String unmatched(UnmatchedArgumentException error, boolean root) {
        String found = error.getUnmatched().getFirst();
        String expected = found.startsWith("-") || !root ? "which is no option here; " : "expected a command; ";
        @Nullable String similar = SimilarText.to(found, names(error.getCommandLine()));
        return "found '" + SafeText.of(found) + "', " + expected
                + (similar == null ? "" : "did you mean " + similar + "? ");
    }

    private static List<String> names(CommandLine command) {
        List<String> names =
                new ArrayList<>(command.getCommandSpec().optionsMap().keySet());
        names.addAll(command.getSubcommands().keySet());
        return names;
    }

    private static String missing(MissingParameterException error) {
        List<ArgSpec> missing = error.getMissing();
        return missing.isEmpty()
                ? SafeText.of(error.getMessage(), 300) + "; "
                : name(missing.getFirst()) + " has no value, expected "
                        + missing.getFirst().paramLabel() + " after it; ";
    }

    private static String name(@Nullable ArgSpec argument) {
        if (argument == null) {
            return "an option";
        }
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }
}
