package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whole reports which were looked at once and must stay as they are. */
final class Golden {
    private Golden() {}

    /** Compares with {@code src/test/resources/golden/NAME}; a report that differs is saved under {@code target/golden}. */
    static void check(String name, String actual) throws IOException {
        String expected = read(name);
        if (expected.equals(actual)) {
            return;
        }
        Path saved = Path.of("target", "golden", name).toAbsolutePath();
        Files.createDirectories(saved.getParent());
        Files.writeString(saved, actual, StandardCharsets.UTF_8);
        assertThat(actual)
                .as(
                        "report %s differs; the new one is saved as %s: look at it, and copy it over the old one in"
                                + " src/test/resources/golden if it is right",
                        name, saved)
                .isEqualTo(expected);
    }

    private static String read(String name) throws IOException {
        try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
