package dev.argus.stacks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files below {@code /proc/PID}, read with a bound. */
final class ProcFiles {
    private static final int MAX_BYTES = 16 << 20;
    private static final int MAX_MAPPINGS = 1 << 16;

    private ProcFiles() {}

    static Path of(int pid, String name) {
        return Path.of("/proc/" + pid + "/" + name);
    }

    /** Its text, at most {@value #MAX_BYTES} bytes of it. */
    static String text(int pid, String name) throws IOException {
        try (InputStream in = Files.newInputStream(of(pid, name))) {
            return new String(in.readNBytes(MAX_BYTES), ISO_8859_1);
        }
    }

    /** The value behind {@code key:} in {@code /proc/PID/status}; null if there is none. */
    static @Nullable String status(String text, String key) {
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(key + ":")) {
                return line.substring(key.length() + 1).strip();
            }
        }
        return null;
    }

    /** The id a process or thread has inside its innermost namespace; {@code fallback} if that is not told. */
    static int innerId(String status, int fallback) {
        String ids = status(status, "NSpid");
        if (ids == null || ids.isEmpty()) {
            return fallback;
        }
        try {
            return Integer.parseInt(ids.substring(ids.lastIndexOf('\t') + 1));
        } catch (NumberFormatException odd) {
            return fallback;
        }
    }

    /**
     * One mapping of a file into memory.
     *
     * @param start first address
     * @param end address after the last
     * @param offset in the file
     * @param path as the process sees it; may end in {@code (deleted)}
     */
    record Mapping(long start, long end, long offset, String path) {
        boolean deleted() {
            return path.endsWith(" (deleted)");
        }

        String fileName() {
            return path.substring(path.lastIndexOf('/') + 1).replace(" (deleted)", "");
        }
    }

    /** The files mapped by a process, in the order of their addresses. Lines that are none are passed over. */
    static List<Mapping> mappings(String maps) {
        List<Mapping> found = new ArrayList<>();
        for (String line : maps.split("\n", -1)) {
            int path = line.indexOf('/');
            int dash = line.indexOf('-');
            int space = line.indexOf(' ');
            if (path < 0 || dash < 0 || space < dash || found.size() == MAX_MAPPINGS) {
                continue;
            }
            try {
                String rest = line.substring(space + 1).stripLeading();
                String offset = rest.substring(rest.indexOf(' ') + 1);
                offset = offset.substring(0, offset.indexOf(' '));
                found.add(new Mapping(
                        Long.parseUnsignedLong(line.substring(0, dash), 16),
                        Long.parseUnsignedLong(line.substring(dash + 1, space), 16),
                        Long.parseUnsignedLong(offset, 16),
                        line.substring(path)));
            } catch (NumberFormatException | StringIndexOutOfBoundsException odd) {
                // no line of a mapping
            }
        }
        return found;
    }
}
