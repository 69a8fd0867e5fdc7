package dev.argus.engine;

import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Arrays;

/**
 * Measures of rows (ranks, groups) by step: the last {@link #capacity} steps, missing ones NaN.
 *
 * <p>Values are binary32: 24 bits of mantissa are 60 ns of a second, far below any threshold. Footprint: {@code 4 * measures} bytes
 * a row and step, room for a power of two of steps, at most {@link #capacity}. A step older than the oldest kept is refused; a newer one pushes the oldest out.
 *
 * <p>Steps lie in columns in the order in which they came, so that a new one moves nothing; {@link #columns} has the order of steps.
 */
final class StepMatrix {
    private static final int LEAST_ROOM = 2;

    private final int measures;
    private final int capacity;
    private long looks;
    private final long[] steps;
    private final int[] columns;
    private int room;
    private int size;
    private long judgedThrough = Long.MIN_VALUE;
    private final IntMap<float[]> rows = new IntMap<>();

    StepMatrix(int measures, int capacity) {
        this.measures = measures;
        this.capacity = capacity;
        this.steps = new long[capacity];
        this.columns = new int[capacity];
        this.room = Math.min(capacity, LEAST_ROOM);
    }

    /** Writes the measures of one row and step; false when the step is older than all kept. */
    boolean put(int row, long step, float... values) {
        int at = position(step);
        if (at < 0) {
            return false;
        }
        float[] cells = rows.get(row);
        if (cells == null) {
            cells = nans();
            rows.put(row, cells);
        }
        System.arraycopy(values, 0, cells, columns[at] * measures, measures);
        return true;
    }

    private int position(long step) {
        if (size > 0 && steps[size - 1] == step) {
            return size - 1;
        }
        int at = Arrays.binarySearch(steps, 0, size, step);
        if (at >= 0) {
            return at;
        }
        int insert = -at - 1;
        int column = size;
        if (size == capacity) {
            if (insert == 0) {
                return -1;
            }
            column = columns[0];
            insert--;
            System.arraycopy(steps, 1, steps, 0, insert);
            System.arraycopy(columns, 1, columns, 0, insert);
        } else {
            if (size == room) {
                room = Math.min(capacity, 2 * room);
                rows.replaceAll(this::larger);
            }
            System.arraycopy(steps, insert, steps, insert + 1, size - insert);
            System.arraycopy(columns, insert, columns, insert + 1, size - insert);
            size++;
        }
        steps[insert] = step;
        columns[insert] = column;
        if (size == capacity) {
            int from = column * measures;
            rows.forEach((row, cells) -> Arrays.fill(cells, from, from + measures, Float.NaN));
        }
        return insert;
    }

    private float[] larger(float[] cells) {
        float[] more = Arrays.copyOf(cells, room * measures);
        Arrays.fill(more, cells.length, more.length, Float.NaN);
        return more;
    }

    private float[] nans() {
        float[] cells = new float[measures * room];
        Arrays.fill(cells, Float.NaN);
        return cells;
    }

    /**
     * True if the rows should be judged before a step is added: the step will push the oldest out, and half of what is kept has not
     * been judged yet. Whoever judges then calls {@link #judged}.
     */
    boolean isDueBefore(long step) {
        if (size < capacity || step <= steps[size - 1]) {
            return false;
        }
        int since = Arrays.binarySearch(steps, 0, size, judgedThrough);
        int fresh = since >= 0 ? size - 1 - since : size + since + 1;
        return 2 * fresh >= capacity;
    }

    /** Notes that everything kept has been judged. */
    void judged() {
        long through = size == 0 ? Long.MIN_VALUE : steps[size - 1];
        looks += through > judgedThrough ? 1 : 0;
        judgedThrough = through;
    }

    /** How often new steps were judged: chance had as many tries. */
    long looks() {
        return looks;
    }

    /** Number of steps kept. */
    int size() {
        return size;
    }

    long step(int at) {
        return steps[at];
    }

    /** Step numbers kept, ascending. */
    long[] steps() {
        return Arrays.copyOf(steps, size);
    }

    /** Rows in ascending order. */
    int[] rows() {
        return rows.sortedKeys();
    }

    /** One measure as [row][step], rows as in {@link #rows()}. */
    double[][] measure(int measure) {
        int[] keys = rows.sortedKeys();
        double[][] out = new double[keys.length][];
        for (int r = 0; r < keys.length; r++) {
            out[r] = row(keys[r], measure);
        }
        return out;
    }

    /** One measure of one row by step; all NaN for a row that is not kept. */
    double[] row(int row, int measure) {
        double[] out = new double[size];
        float[] cells = rows.get(row);
        for (int s = 0; s < size; s++) {
            out[s] = cells == null ? Double.NaN : cells[columns[s] * measures + measure];
        }
        return out;
    }

    void encode(WireWriter to) {
        to.writeSigned(judgedThrough).writeVarint(looks);
        to.writeVarint(size);
        for (int s = 0; s < size; s++) {
            to.writeSigned(steps[s]);
        }
        to.writeVarint(rows.size());
        rows.forEachSorted((row, cells) -> {
            to.writeVarint(row);
            for (int c = 0; c < size * measures; c++) {
                to.writeFloat(cells[columns[c / measures] * measures + c % measures]);
            }
        });
    }

    static StepMatrix decode(int measures, int capacity, WireReader from) {
        StepMatrix matrix = new StepMatrix(measures, capacity);
        matrix.judgedThrough = from.readSigned();
        matrix.looks = from.readVarint();
        int size = from.readCount(1);
        if (size > capacity) {
            throw new WireException("state of " + size + " steps, expected at most " + capacity);
        }
        for (int s = 0; s < size; s++) {
            matrix.steps[s] = from.readSigned();
            matrix.columns[s] = s;
            if (s > 0 && matrix.steps[s] <= matrix.steps[s - 1]) {
                throw new WireException("step " + matrix.steps[s] + " after " + matrix.steps[s - 1]
                        + ", expected ascending; the bytes are damaged");
            }
        }
        matrix.size = size;
        while (matrix.room < size) {
            matrix.room = Math.min(capacity, 2 * matrix.room);
        }
        int rows = from.readCount(1 + 4 * measures * size);
        for (int i = 0; i < rows; i++) {
            float[] cells = matrix.nans();
            matrix.rows.put(from.readInt(), cells);
            for (int c = 0; c < size * measures; c++) {
                cells[c] = from.readFloat();
            }
        }
        return matrix;
    }
}
