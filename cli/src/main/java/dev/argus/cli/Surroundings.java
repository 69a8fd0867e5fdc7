package dev.argus.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What surrounds a command: streams, environment, terminals. All text is UTF-8, whatever the locale.
 *
 * @param out standard output; failures to write surface as exceptions
 * @param err standard error
 * @param environment environment variables
 * @param outIsTerminal true if standard output is a terminal
 * @param errIsTerminal true if standard error is a terminal
 */
record Surroundings(
        OutputStream out,
        PrintStream err,
        Map<String, String> environment,
        boolean outIsTerminal,
        boolean errIsTerminal) {

    /** Not at a terminal. */
    static Surroundings piped(OutputStream out, OutputStream err, Map<String, String> environment) {
        return new Surroundings(out, utf8(err), environment, false, false);
    }

    static PrintStream utf8(OutputStream stream) {
        return new PrintStream(stream, true, StandardCharsets.UTF_8);
    }

    /** True if colours are welcome on standard output: a terminal which knows them, and nobody said no. */
    boolean colour(boolean refused) {
        return outIsTerminal
                && !refused
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !"dumb".equals(environment.get("TERM"));
    }

    /** True if the user wants stack traces. */
    boolean debug() {
        return "1".equals(environment.get("ARGUS_DEBUG"));
    }
}
