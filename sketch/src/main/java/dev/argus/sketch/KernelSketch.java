package dev.argus.sketch;

import dev.argus.stats.BinnedSample;
import dev.argus.stats.LogBins;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts the kernels of one rank while a window is open: a log-spaced histogram per kernel and stream, 128 bins an octave,
 * count and sum exact, and the longest events of each with their start.
 *
 * <p>Cost: constant time an event, no allocation once the kernels and their ranges have been met. Sketches merge; neither the order of
 * events nor that of merges changes what is read from them.
 *
 * <p>Footprint: {@link #footprintBytes()} = 64 B for each of up to {@code 4 x} the most kernels, 230 B per kernel and stream, and up to
 * 8 B a bin of the range met (512 bins for 4 octaves; 7,424 at most). Example: 100 keys over four octaves each, room for
 * 1,024: 262 kB + 23 kB + 410 kB. At most 2^31 - 1 events a bin and window.
 *
 * <p>Belongs to one thread.
 */
public final class KernelSketch {
    private static final int DEFAULT_KEYS = 1024;
    private static final int KEY_BYTES = 230;
    private static final int BITS = BinnedSample.BITS;
    private static final int MARGIN = 16;

    // a row of the table, one cache line: a hot event touches this and one bin
    private static final int ROW_SHIFT = 3;
    private static final int KEY = 0;
    private static final int SUM = 1;
    private static final int FLOOR = 2;
    private static final int RANGE = 3; // number of bins, 32 bits; first bin, 32 bits
    private static final int BASE = 4;
    private static final int WORK = 5;
    private static final int FLOOR_START = 6;
    private static final long EMPTY = -1;

    private final int mostKeys;
    private final long[] rows;
    private final int mask;
    private final OpenKey[] ofRow;
    private int[] pool = new int[4096];
    private int poolUsed;
    private final List<OpenKey> keys = new ArrayList<>();
    private final List<Integer> rowOfKey = new ArrayList<>();
    private long lost;

    /** With room for 1,024 kernels and streams. */
    public KernelSketch() {
        this(DEFAULT_KEYS);
    }

    /**
     * With room for so many.
     *
     * @param mostKeys most pairs of kernel and stream, 1..2^20; events of others are counted as lost
     */
    public KernelSketch(int mostKeys) {
        if (mostKeys < 1 || mostKeys > 1 << 20) {
            throw new IllegalArgumentException("room for " + mostKeys + " kernels, expected 1 to " + (1 << 20));
        }
        this.mostKeys = mostKeys;
        int size = Integer.highestOneBit(mostKeys) << 2;
        this.mask = size - 1;
        this.rows = new long[size << ROW_SHIFT];
        this.ofRow = new OpenKey[size];
        forget();
    }

    /**
     * Adds one event.
     *
     * @param name name id of the kernel, &gt;= 0
     * @param stream stream number
     * @param startNanos start, on any clock
     * @param durationNanos duration; negative ones are counted as lost
     */
    public void add(int name, int stream, long startNanos, long durationNanos) {
        add(name, stream, startNanos, durationNanos, 0);
    }

    /**
     * Adds one event of known work.
     *
     * @param name name id of the kernel, &gt;= 0
     * @param stream stream number
     * @param startNanos start, on any clock
     * @param durationNanos duration; negative ones are counted as lost
     * @param workItems threads launched
     */
    public void add(int name, int stream, long startNanos, long durationNanos, long workItems) {
        long key = ((long) stream << 32) | (name & 0xFFFFFFFFL);
        long[] t = rows;
        int row = (hash(key) & mask) << ROW_SHIFT;
        long range = t[row + RANGE];
        int at = LogBins.bin(durationNanos, BITS) - (int) range;
        // one way out for all that is rare: what comes back from a call would have to be read anew
        if (t[row] != key
                || Integer.compareUnsigned(at, (int) (range >>> 32)) >= 0
                || durationNanos > t[row + FLOOR]
                || (durationNanos == t[row + FLOOR] && startNanos < t[row + FLOOR_START])) {
            rare(key, startNanos, durationNanos, workItems);
            return;
        }
        pool[(int) t[row + BASE] + at]++;
        t[row + SUM] += durationNanos;
        if (workItems != 0) {
            t[row + WORK] += workItems;
        }
    }

    /**
     * Adds events as they lie in memory, four words each: start, duration, name + (stream &lt;&lt; 32), threads launched. The same as
     * {@link #add(int, int, long, long, long)} for each, in less time.
     *
     * @param words events one after the other
     * @param from first word
     * @param to behind the last word
     */
    public void addAll(long[] words, int from, int to) {
        long[] t = rows;
        int[] counts = pool;
        int m = mask;
        for (int i = from; i + 3 < to; i += 4) {
            long key = words[i + 2];
            long nanos = words[i + 1];
            int row = (hash(key) & m) << ROW_SHIFT;
            long range = t[row + RANGE];
            int at = LogBins.bin(nanos, BITS) - (int) range;
            long floor = t[row + FLOOR];
            if (t[row] != key
                    || Integer.compareUnsigned(at, (int) (range >>> 32)) >= 0
                    || (nanos >= floor && (nanos > floor || words[i] < t[row + FLOOR_START]))) {
                rare(key, words[i], nanos, words[i + 3]);
                counts = pool;
            } else {
                counts[(int) t[row + BASE] + at]++;
                t[row + SUM] += nanos;
                t[row + WORK] += words[i + 3];
            }
        }
    }

    /** New keys, new bins, long events, and what cannot be counted. */
    private void rare(long key, long startNanos, long durationNanos, long workItems) {
        int row = durationNanos < 0 ? -1 : find(key);
        if (row < 0) {
            lost++;
            return;
        }
        int bin = LogBins.bin(durationNanos, BITS);
        int at = bin - firstBin(row);
        if (at < 0 || at >= bins(row)) {
            at = grow(row, bin);
        }
        pool[(int) rows[row + BASE] + at]++;
        rows[row + SUM] += durationNanos;
        rows[row + WORK] += workItems;
        OpenKey open = ofRow[row >> ROW_SHIFT];
        rows[row + FLOOR] = open.offer(startNanos, durationNanos);
        rows[row + FLOOR_START] = open.floorStart();
    }

    /** Name ids are dense: kept so, the rows of one stream lie side by side and none is in another's way. */
    private static int hash(long key) {
        return (int) key + (((int) (key >>> 32) * 0x9E3779B9) >>> 16);
    }

    /** The key's row, made if there is room; -1 if there is none. */
    private int find(long key) {
        if ((int) key < 0) {
            return -1; // not a name id
        }
        int at = hash(key) & mask;
        while (rows[at << ROW_SHIFT] != key) {
            if (rows[at << ROW_SHIFT] == EMPTY) {
                return keys.size() < mostKeys ? make(key, at) : -1;
            }
            at = (at + 1) & mask;
        }
        return at << ROW_SHIFT;
    }

    private int make(long key, int at) {
        int row = at << ROW_SHIFT;
        Arrays.fill(rows, row, row + (1 << ROW_SHIFT), 0);
        rows[row + KEY] = key;
        rows[row + FLOOR] = -1;
        ofRow[at] = new OpenKey(key);
        keys.add(ofRow[at]);
        rowOfKey.add(row);
        return row;
    }

    /** Makes room for a bin and some beside it, at the end of the pool; returns the bin's place. */
    private int grow(int row, int bin) {
        int length = bins(row);
        int first = firstBin(row);
        int last = first + length - 1;
        int low = length > 0 && first <= bin ? first : Math.max(0, bin - MARGIN);
        int high = length > 0 && last >= bin ? last : Math.min(LogBins.lastBin(BITS), bin + MARGIN);
        int base = room(high - low + 1);
        if (length > 0) {
            System.arraycopy(pool, (int) rows[row + BASE], pool, base + first - low, length);
        }
        rows[row + BASE] = base;
        rows[row + RANGE] = ((high - low + 1L) << 32) | low;
        return bin - low;
    }

    private int bins(int row) {
        return (int) (rows[row + RANGE] >>> 32);
    }

    private int firstBin(int row) {
        return (int) rows[row + RANGE];
    }

    /** Zeroed room in the pool; what others left behind is reclaimed before the pool grows. */
    private int room(int more) {
        if (poolUsed + more > pool.length) {
            int held = 0;
            for (int row : rowOfKey) {
                held += bins(row);
            }
            int[] next = new int[Math.max(pool.length, 2 * (held + more))];
            int at = 0;
            for (int row : rowOfKey) {
                int length = bins(row);
                System.arraycopy(pool, (int) rows[row + BASE], next, at, length);
                rows[row + BASE] = at;
                at += length;
            }
            pool = next;
            poolUsed = at;
        }
        int base = poolUsed;
        poolUsed += more;
        Arrays.fill(pool, base, poolUsed, 0);
        return base;
    }

    /** Adds the events of another sketch, which stays as it is. */
    public void merge(KernelSketch other) {
        for (int k = 0; k < other.keys.size(); k++) {
            OpenKey theirs = other.keys.get(k);
            if (theirs.tops() > 0) {
                int mine = find(theirs.key);
                if (mine < 0) {
                    lost += other.count(k);
                } else {
                    merge(mine, other, other.rowOfKey.get(k), theirs);
                }
            }
        }
        lost += other.lost;
    }

    private void merge(int mine, KernelSketch other, int row, OpenKey theirs) {
        int from = (int) other.rows[row + BASE];
        int first = other.firstBin(row);
        for (int i = 0; i < other.bins(row); i++) {
            int more = other.pool[from + i];
            if (more != 0) {
                int at = first + i - firstBin(mine);
                at = at < 0 || at >= bins(mine) ? grow(mine, first + i) : at;
                pool[(int) rows[mine + BASE] + at] += more;
            }
        }
        rows[mine + FLOOR] = ofRow[mine >> ROW_SHIFT].merge(theirs);
        rows[mine + FLOOR_START] = ofRow[mine >> ROW_SHIFT].floorStart();
        rows[mine + SUM] += other.rows[row + SUM];
        rows[mine + WORK] += other.rows[row + WORK];
    }

    /** Forgets the events and keeps the room, for the next window. */
    public void clear() {
        Arrays.fill(pool, 0, poolUsed, 0);
        for (int k = 0; k < keys.size(); k++) {
            int row = rowOfKey.get(k);
            rows[row + SUM] = 0;
            rows[row + FLOOR] = -1;
            rows[row + WORK] = 0;
            keys.get(k).clear();
        }
        lost = 0;
    }

    /** Forgets the kernels too: after a change of the program, when old ones only take room. */
    public void forget() {
        Arrays.fill(rows, 0); // no bins: whatever the key, the first event takes the rare way
        for (int row = 0; row < rows.length; row += 1 << ROW_SHIFT) {
            rows[row + KEY] = EMPTY;
        }
        keys.clear();
        rowOfKey.clear();
        poolUsed = 0;
        lost = 0;
    }

    /** Number of events that found no room, or were negative. */
    public long lost() {
        return lost;
    }

    /** Bytes held now. */
    public long footprintBytes() {
        return 8L * rows.length + 4L * ofRow.length + 4L * pool.length + (long) KEY_BYTES * keys.size();
    }

    List<OpenKey> keys() {
        return keys;
    }

    private long count(int key) {
        int row = rowOfKey.get(key);
        int base = (int) rows[row + BASE];
        long count = 0;
        for (int i = 0; i < bins(row); i++) {
            count += pool[base + i];
        }
        return count;
    }

    long sum(int key) {
        return rows[rowOfKey.get(key) + SUM];
    }

    long work(int key) {
        return rows[rowOfKey.get(key) + WORK];
    }

    void read(int key, BinnedSample into) {
        into.clear();
        int row = rowOfKey.get(key);
        int base = (int) rows[row + BASE];
        int first = firstBin(row);
        for (int i = 0; i < bins(row); i++) {
            int count = pool[base + i];
            if (count != 0) {
                into.add(first + i, count);
            }
        }
    }
}
