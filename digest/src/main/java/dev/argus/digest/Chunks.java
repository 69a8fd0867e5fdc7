package dev.argus.digest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of {@code width} longs, appended and read by position; grows by whole chunks, so that nothing is copied and no array is
 * half empty. Only the first one begins small and is copied as it grows: a live step has a thousand rows, a trace a million.
 */
final class Chunks {
    private static final int ROWS = 1 << 13;
    private static final int FIRST = 1 << 8;

    private final int width;
    private final List<long[]> chunks = new ArrayList<>();

    /** The first chunk, which is all of a live step. */
    private long[] first = new long[0];

    private int size;
    private int room;
    private int at;

    Chunks(int width) {
        this.width = width;
    }

    int size() {
        return size;
    }

    /** Appends a row, all of whose columns are to be set in what it gives, from {@link #at} on. */
    long[] append() {
        if (size == room) {
            grow();
        }
        int row = size++;
        if (row < ROWS) {
            at = row * width;
            return first;
        }
        at = (row % ROWS) * width;
        return chunks.get(row / ROWS);
    }

    /** Where the row appended last begins. */
    int at() {
        return at;
    }

    private void grow() {
        if (room > 0 && room < ROWS) {
            room *= 2;
            first = Arrays.copyOf(first, room * width);
            chunks.set(0, first);
        } else {
            int rows = room == 0 ? FIRST : ROWS;
            room += rows;
            chunks.add(new long[rows * width]);
            first = chunks.getFirst();
        }
    }

    long get(int row, int column) {
        return row < ROWS ? first[row * width + column] : chunks.get(row / ROWS)[(row % ROWS) * width + column];
    }

    void set(int row, int column, long value) {
        if (row < ROWS) {
            first[row * width + column] = value;
        } else {
            chunks.get(row / ROWS)[(row % ROWS) * width + column] = value;
        }
    }

    /** Writes a row over another one. */
    void copy(int from, int to) {
        System.arraycopy(
                chunks.get(from / ROWS), (from % ROWS) * width, chunks.get(to / ROWS), (to % ROWS) * width, width);
    }

    /** Forgets the rows from a position on; their room stays, but for more than a chunk of it. */
    void truncate(int rows) {
        if (size > rows) {
            size = rows;
            while (chunks.size() > rows / ROWS + 2) {
                chunks.removeLast();
                room -= ROWS;
            }
        }
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
