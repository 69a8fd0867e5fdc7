package dev.argus.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What this process itself uses, by the kernel's own counts. Two small reads a call. */
public final class OwnCost {
    private static final String RESIDENT = "VmRSS:";
    private static final long KIB = 1024;

    private OwnCost() {}

    /**
     * Used so far.
     *
     * @param cpuNanos CPU time since the process began, 0 when unknown
     * @param memoryBytes resident memory, 0 when unknown
     */
    public record Used(long cpuNanos, long memoryBytes) {}

    /** What it has used by now, by a proc file system. */
    public static Used now(Path proc) {
        long cpu = ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(0L);
        try {
            for (String line : Files.readAllLines(proc.resolve("self/status"))) {
                if (line.startsWith(RESIDENT)) {
                    String kib = line.substring(RESIDENT.length()).replaceAll("[^0-9]", "");
                    return new Used(cpu, Long.parseLong(kib) * KIB);
                }
            }
        } catch (IOException | UncheckedIOException | NumberFormatException hidden) {
            // not told
        }
        return new Used(cpu, 0);
    }
}
