package dev.argus.digest;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of {@code width} longs, appended and read by position; grows by whole chunks, so that nothing is copied and no array is
 * half empty.
 */
final class Chunks {
    private static final int ROWS = 1 << 13;

    private final int width;
    private final List<long[]> chunks = new ArrayList<>();
    private int size;

    Chunks(int width) {
        this.width = width;
    }

    int size() {
        return size;
    }

    /** Appends a row of zeros and returns its position. */
    int append() {
        if (size == chunks.size() * ROWS) {
            chunks.add(new long[ROWS * width]);
        }
        return size++;
    }

    long get(int row, int column) {
        return chunks.get(row / ROWS)[(row % ROWS) * width + column];
    }

    void set(int row, int column, long value) {
        chunks.get(row / ROWS)[(row % ROWS) * width + column] = value;
    }

    /** One column as an array. */
    long[] column(int column) {
        long[] out = new long[size];
        for (int i = 0; i < size; i++) {
            out[i] = get(i, column);
        }
        return out;
    }
}
