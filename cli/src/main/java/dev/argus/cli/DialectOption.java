package dev.argus.cli;

import dev.argus.model.SafeText;
import dev.argus.simulator.Dialect;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** How simulated traces are written: words for what differs from a plain trace. */
final class DialectOption {
    private static final List<String> WORDS =
            List.of("plain", "old-names", "no-groups", "no-steps", "no-ranges", "shuffled-streams");
    private static final double DRIFT_PPM = 2;

    private DialectOption() {}

    static Dialect of(String value, int skewMillis) {
        Set<String> words = new TreeSet<>(Arrays.asList(value.split(",", -1)));
        for (String word : words) {
            if (!WORDS.contains(word)) {
                throw new UsageError("--dialect: found '" + SafeText.of(word) + "', expected one or more of "
                        + String.join(", ", WORDS) + ".");
            }
        }
        return new Dialect(
                words.contains("old-names"),
                !words.contains("no-groups"),
                !words.contains("no-steps"),
                !words.contains("no-ranges"),
                words.contains("shuffled-streams"),
                skewMillis * 1_000_000L,
                DRIFT_PPM);
    }
}
