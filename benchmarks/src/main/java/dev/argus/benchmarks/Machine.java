package dev.argus.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the figures were measured.
 *
 * @param cpu model as the system names it
 * @param cores processors this process may use
 * @param jdk version, such as 25.0.3
 */
record Machine(String cpu, int cores, String jdk) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    static Machine here() {
        String jdk = Runtime.version().version().stream().map(Object::toString).collect(Collectors.joining("."));
        return new Machine(model(), Runtime.getRuntime().availableProcessors(), jdk);
    }

    private static String model() {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseGet(Machine::architecture);
        } catch (IOException e) {
            return architecture(); // not a Linux: the architecture is all there is to tell
        }
    }

    private static String architecture() {
        return System.getProperty("os.arch", "unknown");
    }
}
