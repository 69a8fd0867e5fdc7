package dev.argus.cli;

import dev.argus.model.SafeText;
import dev.argus.model.Topology;
import dev.argus.transport.PlainFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code --topology}: dimensions with their sizes, fastest first, or the name of a file which holds that text. In a file,
 * line ends separate as commas do, and what follows a {@code #} is a comment.
 */
final class TopologyOption {
    /** Largest job that can be named. */
    static final int MAX_RANKS = 1_000_000;

    private static final Set<String> NAMES = Set.of("tp", "cp", "ep", "dp", "pp");
    private static final int MAX_FILE_BYTES = 64 * 1024;
    private static final String EXPECTED = "expected dimensions with sizes, fastest first, such as tp=2,dp=8,pp=4";

    private TopologyOption() {}

    /** Reads the value of the option. */
    static Topology parse(String value) {
        Path file = file(value);
        if (file != null) {
            return fromText(read(file), "--topology: file '" + SafeText.of(value) + "'");
        }
        if (!value.contains("=")) {
            throw new UsageError("--topology: '" + SafeText.of(value) + "' is neither a layout nor a file; " + EXPECTED
                    + ", or a file with that text.");
        }
        return fromText(value, "--topology");
    }

    private static @Nullable Path file(String value) {
        Path path = Arguments.pathOrNull(value);
        return path != null && !value.isEmpty() && Files.exists(path) ? path : null;
    }

    private static Topology fromText(String text, String where) {
        String plain = text.replaceAll("#[^\\n]*", "").strip();
        List<Topology.Dimension> dimensions = new ArrayList<>();
        long product = 1;
        for (String part : plain.split("[,\\s]+", -1)) {
            Topology.Dimension dimension = dimension(part, where);
            if (dimensions.stream().anyMatch(d -> d.name().equals(dimension.name()))) {
                throw new UsageError(where + ": '" + dimension.name() + "' is given twice; name each dimension once.");
            }
            dimensions.add(dimension);
            product *= dimension.size();
            if (product > MAX_RANKS) {
                throw new UsageError(where + ": the sizes multiply to " + product + " ranks or more; expected at most "
                        + MAX_RANKS + ". Check the sizes.");
            }
        }
        return new Topology(dimensions, "given");
    }

    private static Topology.Dimension dimension(String part, String where) {
        int at = part.indexOf('=');
        String shown = where + ": '" + SafeText.of(part) + "'";
        if (at < 0) {
            throw new UsageError(shown + " has no size; " + EXPECTED + ".");
        }
        String name = part.substring(0, at).toLowerCase(Locale.ROOT);
        if (!NAMES.contains(name)) {
            throw new UsageError(shown + " names no known dimension; expected one of tp, cp, ep, dp, pp.");
        }
        String size = part.substring(at + 1);
        if (!size.matches("[0-9]{1,9}") || Integer.parseInt(size) < 1) {
            throw new UsageError(shown + " has no valid size; expected a whole number from 1 to " + MAX_RANKS + ".");
        }
        return new Topology.Dimension(name, Integer.parseInt(size));
    }

    private static String read(Path file) {
        try {
            return new String(PlainFile.read(file, MAX_FILE_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UsageError("--topology: file '" + SafeText.of(file.toString()) + "' cannot be read ("
                    + Failures.reason(e) + "); give a readable file or the layout itself.");
        }
    }
}
