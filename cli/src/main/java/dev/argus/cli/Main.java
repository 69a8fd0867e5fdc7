package dev.argus.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The entry of the command line. Exit codes: 0 the work was done, 1 nothing could be analysed, 2 wrong usage.
 */
@Command(
        name = "argus",
        mixinStandardHelpOptions = true,
        version = "argus 0.1.0-SNAPSHOT",
        description = "Says who makes a GPU training job slow, where, why, since when, and what it costs.")
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    /**
     * Runs one command and ends the JVM with its exit code.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /**
     * Runs one command.
     *
     * @param args the command and its options
     * @return the exit code
     */
    static int run(String... args) {
        return new CommandLine(new Main()).execute(args);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command.");
    }
}
