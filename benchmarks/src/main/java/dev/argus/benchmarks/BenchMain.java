package dev.argus.benchmarks;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The entry of {@code argus bench NAME}. Exit codes: 0 measured, 1 could not be measured, 2 wrong usage.
 */
@Command(
        name = "argus bench",
        mixinStandardHelpOptions = true,
        version = "argus 0.1.0-SNAPSHOT",
        description = "Measures the figures of the budgets again, each beside its reference.")
public final class BenchMain implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private BenchMain() {}

    /**
     * Runs one benchmark and ends the JVM with its exit code.
     *
     * @param args the benchmark and its options
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new BenchMain()).execute(args));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing the name of a benchmark.");
    }
}
