package dev.argus.engine;

import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Arrays;

/**
 * Measures of rows (ranks, groups) by step: the last {@link #capacity} steps, missing ones NaN.
 *
 * <p>Values are binary32: 24 bits of mantissa are 60 ns of a second, far below any threshold. Footprint: {@code 4 * measures} bytes
 * a row and step, room for a power of two of steps, at most {@link #capacity}, and for half as many rows again, all in one array. A step older than the oldest kept is refused; a newer one pushes the oldest out.
 *
 * <p>Steps lie in columns in the order in which they came, so that a new one moves nothing; {@link #columns} has the order of steps.
 */
final class StepMatrix {
    private static final int LEAST_ROOM = 2;
    private static final int LEAST_ROWS = 8;

    private final int measures;
    private final int capacity;
    private long looks;
    private final long[] steps;
    private final int[] columns;
    private int room;
    private int size;
    private long judgedThrough = Long.MIN_VALUE;
    private final IntIndex rows = new IntIndex();

    /** Row by row, in the order in which they came, each with room for {@link #room} steps. */
    private float[] cells = {};

    StepMatrix(int measures, int capacity) {
        this.measures = measures;
        this.capacity = capacity;
        this.steps = new long[capacity];
        this.columns = new int[capacity];
        this.room = Math.min(capacity, LEAST_ROOM);
    }

    /** Writes the measures of one row and step; false when the step is older than all kept. */
    boolean put(int row, long step, float... values) {
        return place(row, step, values) >= 0;
    }

    /** The same; returns the number of the row ({@link #number}), or -1. */
    int place(int row, long step, float... values) {
        int at = position(step);
        if (at < 0) {
            return -1;
        }
        int number = rows.add(row);
        int begin = begin(number); // may move the cells
        System.arraycopy(values, 0, cells, begin + columns[at] * measures, measures);
        return number;
    }

    /** Where a row begins among the cells; there is room for it if it is the next one. */
    private int begin(int number) {
        int width = room * measures;
        int begin = Math.multiplyExact(number, width);
        if (begin + width > cells.length) {
            int before = cells.length;
            cells = Arrays.copyOf(
                    cells, Math.addExact(before, Math.max(LEAST_ROWS * width, before / 2 / width * width)));
            Arrays.fill(cells, before, cells.length, Float.NaN);
        }
        return begin;
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
                widen(Math.min(capacity, 2 * room));
            }
            System.arraycopy(steps, insert, steps, insert + 1, size - insert);
            System.arraycopy(columns, insert, columns, insert + 1, size - insert);
            size++;
        }
        steps[insert] = step;
        columns[insert] = column;
        if (size == capacity) {
            for (int from = column * measures; from < cells.length; from += room * measures) {
                Arrays.fill(cells, from, from + measures, Float.NaN);
            }
        }
        return insert;
    }

    /** Gives every row room for more steps. */
    private void widen(int more) {
        int old = room * measures;
        int width = more * measures;
        float[] wider = new float[Math.multiplyExact(rows.size(), width)];
        for (int r = 0; r < rows.size(); r++) {
            System.arraycopy(cells, r * old, wider, r * width, old);
            Arrays.fill(wider, r * width + old, (r + 1) * width, Float.NaN);
        }
        cells = wider;
        room = more;
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

    /** A row's number in the order in which they came, which it keeps; -1 for one that did not come. */
    int number(int row) {
        return rows.get(row);
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
        int number = rows.get(row);
        int from = number * room * measures + measure;
        for (int s = 0; s < size; s++) {
            out[s] = number < 0 ? Double.NaN : cells[from + columns[s] * measures];
        }
        return out;
    }

    /** Mean of one measure of a row from one place of the steps to another, both included, as far as it is there; NaN when it is nowhere. */
    double mean(int row, int measure, int first, int last) {
        int number = rows.get(row);
        int from = number * room * measures + measure;
        double sum = 0;
        int n = 0;
        for (int s = first; number >= 0 && s <= last; s++) {
            float value = cells[from + columns[s] * measures];
            if (!Float.isNaN(value)) {
                sum += value;
                n++;
            }
        }
        return n == 0 ? Double.NaN : sum / n;
    }

    /**
     * Writes the matrix down, exactly: of each measure of a row the differences of its values' bits from step to step, and how often it stays. What hardly changes takes 2 to 3
     * bytes a value, what does not change a few bytes for all.
     */
    void encode(WireWriter to) {
        to.writeSigned(judgedThrough).writeVarint(looks);
        to.writeVarint(size);
        for (int s = 0; s < size; s++) {
            to.writeSigned(steps[s]);
        }
        to.writeVarint(rows.size());
        for (int row : rows.sortedKeys()) {
            to.writeVarint(row);
            int from = rows.get(row) * room * measures;
            for (int m = 0; m < measures; m++) {
                encode(from + m, to);
            }
        }
    }

    private void encode(int from, WireWriter to) {
        int before = 0;
        int same = 0;
        for (int s = 0; s < size; s++) {
            int bits = Float.floatToRawIntBits(cells[from + columns[s] * measures]);
            int more = bits - before;
            if (more == 0) {
                same++;
                continue;
            }
            same(same, to);
            same = 0;
            to.writeVarint((more << 1 ^ more >> 31) & 0xFFFF_FFFFL);
            before = bits;
        }
        same(same, to);
    }

    private static void same(int times, WireWriter to) {
        if (times > 0) {
            to.writeByte(0).writeVarint(times - 1);
        }
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
        int rows = from.readCount(size == 0 ? 1 : 1 + 2 * measures);
        for (int i = 0; i < rows; i++) {
            int begin = matrix.begin(matrix.rows.add(from.readInt()));
            for (int m = 0; m < measures; m++) {
                matrix.decode(begin + m, from);
            }
        }
        return matrix;
    }

    private void decode(int begin, WireReader from) {
        int bits = 0;
        for (int s = 0; s < size; ) {
            long next = from.readVarint();
            int times = 1;
            if (next == 0) {
                times = from.readInt() + 1;
            } else if (next < 0 || next > 0xFFFF_FFFFL) {
                throw new WireException("difference of " + next + ", expected 32 bits; the bytes are damaged");
            }
            if (times < 1 || times > size - s) {
                throw new WireException(
                        "value of " + times + " steps, expected at most " + (size - s) + "; the bytes are damaged");
            }
            int zigzag = (int) next;
            bits += zigzag >>> 1 ^ -(zigzag & 1);
            for (; times > 0; times--) {
                cells[begin + s++ * measures] = Float.intBitsToFloat(bits);
            }
        }
    }
}
