package dev.argus.trace;

import dev.argus.model.DataProblem;
import java.util.List;

/**
 * What became of one file.
 *
 * @param status how far it could be read
 * @param format {@code kineto}, {@code kineto-list}, {@code torch-list}, {@code op-timeline}, or {@code none}
 * @param parts parts read, by number; empty when failed or ignored
 * @param problems what was found wrong, one clear line each; for {@link Status#IGNORED} the reason
 * @param bytes uncompressed bytes scanned
 */
public record ReadOutcome(Status status, String format, List<Part> parts, List<DataProblem> problems, long bytes) {
    /** Copies defensively. */
    public ReadOutcome {
        parts = List.copyOf(parts);
        problems = List.copyOf(problems);
    }
}
