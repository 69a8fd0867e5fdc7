package dev.argus.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A fixed set of words (at most 255 bytes each, ids from 1), looked up as bytes without allocating.
 *
 * <p>One multiplication, one probe nearly always: the table is a quarter full. Immutable, any thread.
 */
final class KeyTable {
    /** Id of everything that is not in the table. */
    static final int UNKNOWN = 0;

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final int shift;
    private final long[] heads;
    private final byte[][] words;
    private final int[] ids;

    private KeyTable(int capacityLog2) {
        shift = 64 - capacityLog2;
        heads = new long[1 << capacityLog2];
        words = new byte[1 << capacityLog2][];
        ids = new int[1 << capacityLog2];
        Arrays.fill(words, new byte[0]);
    }

    /** A table of entries {@code "word", id, "word", id, ...}; several words may share an id. */
    static KeyTable of(Object... wordsAndIds) {
        int log2 = 32 - Integer.numberOfLeadingZeros(wordsAndIds.length * 2);
        KeyTable table = new KeyTable(log2);
        for (int i = 0; i < wordsAndIds.length; i += 2) {
            table.put(((String) wordsAndIds[i]).getBytes(StandardCharsets.UTF_8), (Integer) wordsAndIds[i + 1]);
        }
        return table;
    }

    private void put(byte[] word, int id) {
        long head = head(word, 0, word.length);
        int slot = slot(head, word.length);
        while (ids[slot] != UNKNOWN) {
            slot = (slot + 1) & (ids.length - 1);
        }
        heads[slot] = head;
        words[slot] = word;
        ids[slot] = id;
    }

    /**
     * Id of the word in {@code bytes[from, to)}.
     *
     * @param head the eight bytes from {@code from}; those behind the word may hold anything
     */
    int find(long head, byte[] bytes, int from, int to) {
        int length = to - from;
        long masked = length >= 8 ? head : head & ((1L << (length << 3)) - 1);
        int slot = slot(masked, length);
        while (ids[slot] != UNKNOWN) {
            byte[] word = words[slot];
            if (heads[slot] == masked
                    && word.length == length
                    && (length <= 8 || Arrays.equals(word, 8, length, bytes, from + 8, to))) {
                return ids[slot];
            }
            slot = (slot + 1) & (ids.length - 1);
        }
        return UNKNOWN;
    }

    /** Id of a whole array, for rare look-ups. */
    int find(byte[] word) {
        return find(head(word, 0, word.length), word, 0, word.length);
    }

    private int slot(long head, int length) {
        return (int) (((head ^ length) * MIX) >>> shift);
    }

    private static long head(byte[] bytes, int from, int to) {
        long head = 0;
        for (int i = Math.min(to - from, 8) - 1; i >= 0; i--) {
            head = (head << 8) | (bytes[from + i] & 0xFF);
        }
        return head;
    }
}
