package dev.argus.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells whether a standard stream is a terminal. {@link Console#isTerminal()} speaks for standard input and output together, so
 * on Linux the stream's own link under {@code /proc} decides; elsewhere the console must do.
 */
final class Terminals {
    private Terminals() {}

    @SuppressWarnings("SystemConsoleNull") // JDK 25 answers null again where standard input is no terminal
    static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        if (!Files.isSymbolicLink(link)) {
            Console console = System.console();
            return console != null && console.isTerminal();
        }
        try {
            String target = Files.readSymbolicLink(link).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }
}
