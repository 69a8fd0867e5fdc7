package dev.argus.cli;

import dev.argus.hostlocal.Diagnosis;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One run of the command line with what it printed. */
record Run(int exitCode, String out, String err) {
    /** With an analysis that always says the same. */
    static Run of(Diagnosis diagnosis, String... args) {
        return with((paths, options, threads, progress) -> diagnosis, Map.of(), args);
    }

    static Run with(Diagnoser diagnoser, Map<String, String> environment, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = new Cli(Surroundings.piped(out, err, environment), diagnoser).run(args);
        return new Run(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
