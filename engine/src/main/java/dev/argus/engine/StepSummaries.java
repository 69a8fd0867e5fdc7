package dev.argus.engine;

import dev.argus.model.DurationSummary;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The summaries of one kernel in one step, by number of the row in a {@link StepMatrix}, until they are compared: 12 bytes a row beside the
 * summaries.
 */
final class StepSummaries {
    private static final int LEAST = 8;
    private static final int MOST_AT_ONCE = 1 << 16;

    private @Nullable Object[] streams;
    private double[] means;
    private int size;

    /** With room for so many rows before it has to grow. */
    StepSummaries(int room) {
        int first = Math.clamp(room, LEAST, MOST_AT_ONCE);
        streams = new @Nullable Object[first];
        means = new double[first];
    }

    /** Replaces what a row has. */
    void put(int row, double meanNanos, List<DurationSummary> of) {
        if (row >= means.length) {
            int more = Math.max(row + 1, 2 * means.length);
            streams = Arrays.copyOf(streams, more);
            means = Arrays.copyOf(means, more);
        }
        size += streams[row] == null ? 1 : 0;
        streams[row] = of;
        means[row] = meanNanos;
    }

    /** Number of rows that have some. */
    int size() {
        return size;
    }

    /** What a row has, stream by stream; null when nothing. */
    @SuppressWarnings("unchecked")
    @Nullable
    List<DurationSummary> get(int row) {
        return row < streams.length ? (List<DurationSummary>) streams[row] : null;
    }

    /** What a row has, stream by stream; empty when nothing. */
    List<DurationSummary> of(int row) {
        return Objects.requireNonNullElse(get(row), List.of());
    }

    /** Mean duration in nanoseconds of a row that has some. */
    double mean(int row) {
        return means[row];
    }
}
