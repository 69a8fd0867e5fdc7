package dev.argus.storage.duck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The file of native code that DuckDB unpacks into the folder for temporary files, 70 MB, and removes when the process ends: of a process that is killed it stays. What is loaded does not need
 * its name any more, so that it can be removed at once.
 */
final class NativeFile {
    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final Pattern NAME = Pattern.compile("(/.*/libduckdb_java[0-9]+\\.so(?:_[a-z0-9_]+)?)");

    private NativeFile() {}

    /** Removes it, if it was loaded from there; where that cannot be told or done, it stays. */
    static void remove() {
        try (Stream<String> lines = Files.lines(MAPS)) {
            for (Path file : of(lines.toList())) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | RuntimeException stays) {
            // it is removed when the process ends
        }
    }

    /** Such files among the lines of a list of maps; what is removed already has more behind its name. */
    static List<Path> of(List<String> lines) {
        return lines.stream()
                .map(line -> NAME.matcher(line.substring(Math.max(0, line.indexOf('/')))))
                .filter(Matcher::matches)
                .map(m -> Path.of(m.group(1)))
                .distinct()
                .toList();
    }
}
