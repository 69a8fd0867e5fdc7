package dev.argus.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether processes are stopped, by {@code /proc/PID/stat}. */
final class ProcStates {
    private final Path proc;

    ProcStates(Path proc) {
        this.proc = proc;
    }

    /** True if it is stopped by a signal or a debugger. */
    boolean stopped(long pid) {
        try {
            String line = Files.readString(proc.resolve(pid + "/stat"));
            int name = line.lastIndexOf(')');
            return name >= 0 && line.length() > name + 2 && "Tt".indexOf(line.charAt(name + 2)) >= 0;
        } catch (IOException | java.io.UncheckedIOException gone) {
            return false;
        }
    }
}
