package dev.argus.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the usual commands once in one JVM, so that the start script can keep the classes they load, linked, in an AOT
 * cache. One JVM, because a cache is made from a single run. Results do not matter and go wherever output goes.
 */
public final class StartTraining {
    private StartTraining() {}

    /**
     * Runs help and, where they exist, a diagnosis of the example traces.
     *
     * @param args the folder of example traces
     */
    public static void main(String[] args) {
        run("--help");
        run("--version");
        run("simulate", "--help");
        run("simulate", "--list");
        run("demo", "--help");
        Path traces = Path.of(args[0]);
        if (Files.isDirectory(traces)) {
            run("diagnose", traces.toString(), "--format", "text");
            run("diagnose", traces.toString(), "--format", "json");
        }
    }

    private static void run(String... command) {
        Main.run(command, System.in, System.out, System.err);
    }
}
