package dev.argus.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The entry of the command line. Exit codes: 0 the work was done, 1 nothing could be analysed, 2 wrong usage, 10 with
 * {@code --exit-code} when incidents were found.
 */
public final class Main {
    private Main() {}

    /**
     * Runs one command and ends the JVM with its exit code.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        Surroundings around = new Surroundings(
                new FileOutputStream(FileDescriptor.out),
                Surroundings.utf8(new FileOutputStream(FileDescriptor.err)),
                System.getenv(),
                Terminals.isTerminal(1),
                Terminals.isTerminal(2));
        System.exit(new Cli(around, Diagnoser.LOCAL).run(args));
    }

    /**
     * Runs one command as in a pipe: no colours, no progress, no end of the JVM.
     *
     * @param args the command and its options
     * @param in standard input; no command reads it yet
     * @param out standard output
     * @param err standard error
     * @return the exit code
     */
    public static int run(String[] args, InputStream in, OutputStream out, OutputStream err) {
        return new Cli(Surroundings.piped(out, err, System.getenv()), Diagnoser.LOCAL).run(args);
    }
}
