package dev.argus.trace;

import dev.argus.model.DataProblem;
import dev.argus.model.SideRecord;
import java.util.List;

/**
 * What became of one file.
 *
 * @param status how far it could be read
 * @param format {@code kineto}, {@code kineto-list}, {@code torch-list}, {@code op-timeline}, {@code nsys-sqlite}, {@code flight-recorder},
 *     {@code py-spy}, {@code py-spy-json}, {@code collapsed}, {@code speedscope}, {@code megatron-log}, {@code dcgm-exporter},
 *     {@code prometheus}, or {@code none}
 * @param parts parts read, by number; empty when failed or ignored
 * @param problems what was found wrong, one clear line each; for {@link Status#IGNORED} the reason
 * @param bytes uncompressed bytes scanned
 * @param records what the file says beside events
 */
public record ReadOutcome(
        Status status,
        String format,
        List<Part> parts,
        List<DataProblem> problems,
        long bytes,
        List<SideRecord> records) {
    /** Copies defensively. */
    public ReadOutcome {
        parts = List.copyOf(parts);
        problems = List.copyOf(problems);
        records = List.copyOf(records);
    }

    /** Of a file that holds events and nothing beside them. */
    public ReadOutcome(Status status, String format, List<Part> parts, List<DataProblem> problems, long bytes) {
        this(status, format, parts, problems, bytes, List.of());
    }
}
