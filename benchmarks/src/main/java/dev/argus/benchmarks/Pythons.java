package dev.argus.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;

/** The Python that benchmarks start: {@code ARGUS_PYTHON}, else Debian's, for which PyTorch is packaged, else what the path has. */
final class Pythons {
    private static final String USUAL = "/usr/bin/python3";

    private Pythons() {}

    static String interpreter() {
        String chosen = System.getenv("ARGUS_PYTHON");
        if (chosen != null && !chosen.isEmpty()) {
            return chosen;
        }
        return Files.isExecutable(Path.of(USUAL)) ? USUAL : "python3";
    }
}
