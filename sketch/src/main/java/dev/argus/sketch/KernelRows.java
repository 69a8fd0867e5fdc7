package dev.argus.sketch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The table of the kernels and streams that are open: open addressing, a row of {@value #WORDS} words each, which is one cache line.
 *
 * <p>A key's own place is found by multiplication with a golden ratio (Knuth, The Art of Computer Programming 3, 6.4); the low half of the
 * factor moves the streams apart. Names are dense, and consecutive numbers then hardly meet. The table grows so that at most one
 * row in {@value #SPARSE} is taken, for only a key at its own place is found without a search.
 *
 * <p>Belongs to one thread.
 */
final class KernelRows {
    static final int WORDS = 8;

    // the words of a row; what an event reads and writes comes first
    static final int KEY = 0;

    /** High: the first bin that counts the short way; low: what makes a bin its place in the pool. */
    static final int PLACE = 1;

    /** Durations below count the short way. */
    static final int LIMIT = 2;

    static final int SUM = 3;
    static final int WORK = 4;

    /** Durations of just the limit count the short way if they start later. */
    static final int LIMIT_START = 5;

    /** Place in the pool, 32 bits; number of bins, 16; first bin, 16. */
    static final int REGION = 6;

    /** Which key it is, in the order of their coming. */
    static final int INDEX = 7;

    private static final long GOLDEN = 0x9E3779B90001F351L;
    private static final int SPARSE = 8;
    private static final int LEAST_ROWS = 64;
    private static final long EMPTY = -1; // no key: its name is negative; and no duration passes a row of zeros

    private final int mostKeys;
    private final List<OpenKey> keys = new ArrayList<>();
    private int[] rowOfKey = new int[LEAST_ROWS];
    private long[] words = new long[0];

    KernelRows(int mostKeys) {
        this.mostKeys = mostKeys;
        empty(LEAST_ROWS * WORDS);
    }

    private void empty(int length) {
        words = words.length == length ? words : new long[length];
        Arrays.fill(words, 0);
        for (int row = 0; row < length; row += WORDS) {
            words[row + KEY] = EMPTY;
        }
    }

    /** All rows, {@value #WORDS} words each; a power of two, so that an index masked with the length less one needs no check. */
    long[] words() {
        return words;
    }

    /** Where the row of a key lies, unless another was there before; to be masked. */
    static int home(long key) {
        return (int) ((key * GOLDEN) >>> 32) * WORDS;
    }

    /** The key's row, made if there is room; -1 if there is none. */
    int find(long key) {
        if ((int) key < 0) {
            return -1; // not a name id
        }
        int row = search(key);
        if (words[row + KEY] == key) {
            return row;
        }
        return keys.size() < mostKeys ? make(key, row) : -1;
    }

    private int search(long key) {
        int row = home(key) & (words.length - 1);
        while (words[row + KEY] != key && words[row + KEY] != EMPTY) {
            row = (row + WORDS) & (words.length - 1);
        }
        return row;
    }

    private int make(long key, int free) {
        int index = keys.size();
        keys.add(new OpenKey(key));
        if (index == rowOfKey.length) {
            rowOfKey = Arrays.copyOf(rowOfKey, 2 * index);
        }
        int row = free;
        if (keys.size() * SPARSE * WORDS > words.length) {
            grow();
            row = search(key);
        }
        words[row + KEY] = key;
        words[row + INDEX] = index;
        rowOfKey[index] = row;
        return row;
    }

    private void grow() {
        long[] before = words;
        empty(2 * before.length);
        for (int index = 0; index < keys.size() - 1; index++) {
            int row = search(keys.get(index).key);
            System.arraycopy(before, rowOfKey[index], words, row, WORDS);
            rowOfKey[index] = row;
        }
    }

    void forget() {
        keys.clear();
        empty(words.length);
    }

    /** In the order of their coming. */
    List<OpenKey> keys() {
        return keys;
    }

    /** The row of a key by its number. */
    int row(int index) {
        return rowOfKey[index];
    }

    /** The other part of a row. */
    OpenKey open(int row) {
        return keys.get((int) words[row + INDEX]);
    }

    int base(int row) {
        return (int) (words[row + REGION] >>> 32);
    }

    int bins(int row) {
        return (int) words[row + REGION] >>> 16;
    }

    int firstBin(int row) {
        return (int) words[row + REGION] & 0xFFFF;
    }

    void region(int row, int base, int bins, int firstBin) {
        words[row + REGION] = ((long) base << 32) | (bins << 16) | firstBin;
    }
}
