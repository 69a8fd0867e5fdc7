package dev.argus.sketch;

import dev.argus.stats.BinnedSample;
import dev.argus.stats.LogBins;
import java.util.Arrays;
import java.util.List;

/**
 * Counts the kernels of one rank while a window is open: a log-spaced histogram per kernel and stream, 128 bins an octave,
 * count and sum exact, and the longest events of each with their start.
 *
 * <p>Cost: constant time an event, in batches about three times what reading it takes; three to four times that where it takes the longer
 * way: of less than 128 ns, among the longest, or of a key that is not at its own place. Measured: {@code docs/compression.md}. No
 * allocation once the kernels and their ranges have been met. Sketches merge; as long as there is room for every
 * kernel, neither the order of events nor that of merges changes what is read of a kernel; beyond, the first ones met stay.
 *
 * <p>Footprint: {@link #footprintBytes()} = 64 B for each of 8 to 16 times the kernels and streams met (64 rows at least), 230 B per kernel
 * and stream, and 4 to 9 B a bin of the range met (512 bins for 4 octaves; 7,424 at most). 16 KiB of bins at least; after {@link #forget} the table
 * stays as large as it was. Example: 100 keys over four octaves
 * each: 66 kB + 23 kB + 262 kB. At most 2^31 - 1 events a bin and window.
 *
 * <p>Belongs to one thread.
 */
public final class KernelSketch {
    private static final int DEFAULT_KEYS = 1024;
    private static final int KEY_BYTES = 230;
    private static final int BITS = BinnedSample.BITS;
    private static final int MARGIN = 16;

    /** After a tie, so many events are expected to hold others. */
    private static final int TIES = 64;

    /** What a double holds exactly; 104 days. */
    private static final long EXACT = 1L << 53;

    private final KernelRows rows;
    private int[] pool = new int[4096]; // a power of two
    private int poolUsed;
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
        rows = new KernelRows(mostKeys);
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
        if (!counted(rows.words(), pool, 0, key, durationNanos, workItems)) {
            rare(key, startNanos, durationNanos, workItems);
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
        int end = to - 3;
        int i = countShorter(words, from, end);
        while (i < end) {
            int behind = countTies(words, i, Math.min(end, i + 4 * TIES));
            if (behind == i) {
                rare(words[i + 2], words[i], words[i + 1], words[i + 3]);
                behind += 4;
            }
            i = countShorter(words, behind, end);
        }
    }

    /** Counts events up to one that has to be looked at. The loop calls nothing, so that all it needs stays in registers. */
    private int countShorter(long[] words, int from, int end) {
        long[] table = rows.words();
        int[] counts = pool;
        int i = from;
        while (i < end && counted(table, counts, 0, words[i + 2], words[i + 1], words[i + 3])) {
            i += 4;
        }
        return i;
    }

    /** The same for a coarse clock, where many are as long as the longest but later: two words more to read. */
    private int countTies(long[] words, int from, int end) {
        long[] table = rows.words();
        int[] counts = pool;
        int mask = table.length - 1;
        int i = from;
        while (i < end
                && words[i] > table[(KernelRows.home(words[i + 2]) + KernelRows.LIMIT_START) & mask]
                && counted(table, counts, 1, words[i + 2], words[i + 1], words[i + 3])) {
            i += 4;
        }
        return i;
    }

    /**
     * Counts an event like others before: of a key at its own place in the table, in a bin that is there, not among the longest.
     *
     * @param tie 1 to let durations of just the limit pass
     */
    private static boolean counted(long[] table, int[] counts, int tie, long key, long durationNanos, long workItems) {
        // an index masked with the length less one needs no check, and no registers for what a failing check would
        // report
        int mask = table.length - 1;
        int row = KernelRows.home(key);
        long place = table[(row + KernelRows.PLACE) & mask];
        int bin = LogBins.binOfDouble((double) durationNanos, BITS);
        if (table[row & mask] != key
                || bin < (int) (place >>> 32)
                || Long.compareUnsigned(durationNanos, table[(row + KernelRows.LIMIT) & mask] + tie) >= 0) {
            return false;
        }
        counts[(bin + (int) place) & (counts.length - 1)]++;
        table[(row + KernelRows.SUM) & mask] += durationNanos;
        table[(row + KernelRows.WORK) & mask] += workItems;
        return true;
    }

    /** New keys and those not at their place, new bins, long and very short events, and what cannot be counted. */
    private void rare(long key, long startNanos, long durationNanos, long workItems) {
        int row = durationNanos < 0 ? -1 : rows.find(key);
        if (row < 0) {
            lost++;
            return;
        }
        int bin = LogBins.bin(durationNanos, BITS);
        boolean grown = isOutside(row, bin);
        if (grown) {
            grow(row, bin);
        }
        pool[rows.base(row) + bin - rows.firstBin(row)]++;
        long[] table = rows.words();
        table[row + KernelRows.SUM] += durationNanos;
        table[row + KernelRows.WORK] += workItems;
        OpenKey open = rows.open(row);
        if (open.offer(startNanos, durationNanos) || grown) {
            pave(row, open);
        }
    }

    /** The short way from now on: for what is shorter than the longest kept, and lies in the bins that are there. */
    private void pave(int row, OpenKey open) {
        long[] table = rows.words();
        int first = rows.firstBin(row);
        int behind = first + rows.bins(row);
        long reach = behind > LogBins.lastBin(BITS) ? EXACT : Math.min(EXACT, LogBins.low(behind, BITS));
        long floor = open.floor();
        table[row + KernelRows.LIMIT] = Math.min(floor, reach);
        table[row + KernelRows.LIMIT_START] = floor < reach ? open.floorStart() : Long.MAX_VALUE;
        // bins below 2^BITS are not what binOfDouble says
        table[row + KernelRows.PLACE] =
                ((long) Math.max(1 << BITS, first) << 32) | ((rows.base(row) - first) & 0xFFFFFFFFL);
    }

    private boolean isOutside(int row, int bin) {
        int at = bin - rows.firstBin(row);
        return at < 0 || at >= rows.bins(row);
    }

    /** Makes room for a bin and some beside it, at the end of the pool. */
    private void grow(int row, int bin) {
        int length = rows.bins(row);
        int first = rows.firstBin(row);
        int last = first + length - 1;
        int low = length > 0 && first <= bin ? first : Math.max(0, bin - MARGIN);
        int high = length > 0 && last >= bin ? last : Math.min(LogBins.lastBin(BITS), bin + MARGIN);
        int base = room(high - low + 1);
        if (length > 0) {
            System.arraycopy(pool, rows.base(row), pool, base + first - low, length);
        }
        rows.region(row, base, high - low + 1, low);
    }

    /** Zeroed room in the pool; what others left behind is reclaimed before the pool grows. */
    private int room(int more) {
        if (poolUsed + more > pool.length) {
            int held = more;
            for (int k = 0; k < rows.keys().size(); k++) {
                held += rows.bins(rows.row(k));
            }
            compact(new int[Math.max(pool.length, Integer.highestOneBit(held + held / 8 - 1) << 1)]);
        }
        int base = poolUsed;
        poolUsed += more;
        Arrays.fill(pool, base, poolUsed, 0);
        return base;
    }

    private void compact(int[] next) {
        int at = 0;
        for (int k = 0; k < rows.keys().size(); k++) {
            int row = rows.row(k);
            int length = rows.bins(row);
            System.arraycopy(pool, rows.base(row), next, at, length);
            rows.region(row, at, length, rows.firstBin(row));
            pave(row, rows.keys().get(k));
            at += length;
        }
        pool = next;
        poolUsed = at;
    }

    /** Adds the events of another sketch, which stays as it is. */
    public void merge(KernelSketch other) {
        for (int k = 0; k < other.keys().size(); k++) {
            OpenKey theirs = other.keys().get(k);
            if (theirs.tops() > 0) {
                int mine = rows.find(theirs.key);
                if (mine < 0) {
                    other.read(k, (bin, count) -> lost += count);
                } else {
                    merge(mine, other, k);
                }
            }
        }
        lost += other.lost;
    }

    private void merge(int mine, KernelSketch other, int index) {
        other.read(index, (bin, count) -> {
            if (isOutside(mine, bin)) {
                grow(mine, bin);
            }
            pool[rows.base(mine) + bin - rows.firstBin(mine)] += (int) count;
        });
        long[] table = rows.words();
        table[mine + KernelRows.SUM] += other.sum(index);
        table[mine + KernelRows.WORK] += other.work(index);
        OpenKey open = rows.open(mine);
        open.merge(other.keys().get(index));
        pave(mine, open);
    }

    /** Forgets the events and keeps the room, for the next window. */
    public void clear() {
        Arrays.fill(pool, 0, poolUsed, 0);
        long[] table = rows.words();
        for (int k = 0; k < keys().size(); k++) {
            int row = rows.row(k);
            table[row + KernelRows.SUM] = 0;
            table[row + KernelRows.WORK] = 0;
            keys().get(k).clear();
            pave(row, keys().get(k));
        }
        lost = 0;
    }

    /** Forgets the kernels too: after a change of the program, when old ones only take room. */
    public void forget() {
        rows.forget();
        poolUsed = 0;
        lost = 0;
    }

    /** Number of events that found no room, or were negative. */
    public long lost() {
        return lost;
    }

    /** Bytes held now. */
    public long footprintBytes() {
        return 8L * rows.words().length + 4L * pool.length + (long) KEY_BYTES * keys().size();
    }

    List<OpenKey> keys() {
        return rows.keys();
    }

    long sum(int key) {
        return rows.words()[rows.row(key) + KernelRows.SUM];
    }

    long work(int key) {
        return rows.words()[rows.row(key) + KernelRows.WORK];
    }

    /** Takes the bins that hold something, ascending. */
    interface Bins {
        void add(int bin, long count);
    }

    void read(int key, Bins into) {
        int row = rows.row(key);
        int base = rows.base(row);
        int first = rows.firstBin(row);
        for (int i = 0; i < rows.bins(row); i++) {
            int count = pool[base + i];
            if (count != 0) {
                into.add(first + i, count);
            }
        }
    }
}
