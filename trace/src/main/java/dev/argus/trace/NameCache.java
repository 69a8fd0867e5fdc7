package dev.argus.trace;

import dev.argus.model.NameTable;
import java.util.Arrays;

/**
 * Names of one file by their bytes as written, with the id in the job's table and what the name alone tells.
 *
 * <p>In front of {@link NameTable}, so that an event costs one hash of its bytes and one comparison, without text, boxing
 * or lock. Bounded: at most {@value #MAX_NAMES} names and {@value #MAX_BYTES} bytes, then it starts afresh (ids stay, the
 * table keeps them); a name above {@value #LONG_NAME} bytes is not cached. Hashing is linear in the length. One thread.
 */
final class NameCache {
    private static final int MAX_NAMES = 1 << 16;
    private static final int MAX_BYTES = 32 << 20;
    private static final int LONG_NAME = 64 << 10;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final NameTable names;
    private int mask = 1023;
    private int[] index = new int[mask + 1];
    private long[] hashes = new long[512];
    private byte[][] texts = new byte[512][];
    private NameInfo[] infos = new NameInfo[512];
    private int count;
    private long bytes;
    private long malformed;

    NameCache(NameTable names) {
        this.names = names;
    }

    /** Number of distinct names that were not UTF-8. */
    long malformed() {
        return malformed;
    }

    /**
     * What is known of the name in {@code b[from, to)}.
     *
     * @param b window of a scanner: eight bytes behind {@code to} must be readable
     * @param escaped whether the bytes have escapes to decode
     */
    NameInfo get(byte[] b, int from, int to, boolean escaped) {
        if (to - from > LONG_NAME) {
            return make(b, from, to, escaped);
        }
        long hash = hash(b, from, to) + (escaped ? 1 : 0);
        int at = (int) (hash >>> 32) & mask;
        for (int slot = index[at]; slot != 0; slot = index[at]) {
            if (hashes[slot] == hash) {
                byte[] text = texts[slot];
                if (Arrays.equals(text, 0, text.length, b, from, to)) {
                    return infos[slot];
                }
            }
            at = (at + 1) & mask;
        }
        return add(hash, b, from, to, escaped);
    }

    private NameInfo make(byte[] b, int from, int to, boolean escaped) {
        if (JsonText.isMalformed(b, from, to)) {
            malformed++;
        }
        return new NameInfo(JsonText.decode(b, from, to, escaped), names);
    }

    private NameInfo add(long hash, byte[] b, int from, int to, boolean escaped) {
        if (count >= MAX_NAMES || bytes > MAX_BYTES) {
            clear();
        }
        if (2 * (count + 2) > mask) {
            grow();
        }
        int slot = ++count;
        if (slot == hashes.length) {
            hashes = Arrays.copyOf(hashes, slot * 2);
            texts = Arrays.copyOf(texts, slot * 2);
            infos = Arrays.copyOf(infos, slot * 2);
        }
        hashes[slot] = hash;
        texts[slot] = Arrays.copyOfRange(b, from, to);
        infos[slot] = make(b, from, to, escaped);
        bytes += to - from;
        place(slot);
        return infos[slot];
    }

    private void place(int slot) {
        int at = (int) (hashes[slot] >>> 32) & mask;
        while (index[at] != 0) {
            at = (at + 1) & mask;
        }
        index[at] = slot;
    }

    private void grow() {
        mask = mask * 2 + 1;
        index = new int[mask + 1];
        for (int slot = 1; slot <= count; slot++) {
            place(slot);
        }
    }

    private void clear() {
        Arrays.fill(index, 0);
        Arrays.fill(texts, 1, count + 1, new byte[0]);
        count = 0;
        bytes = 0;
    }

    private static long hash(byte[] b, int from, int to) {
        long hash = (long) to - from;
        int p = from;
        for (; p + 8 <= to; p += 8) {
            hash = (hash ^ Swar.word(b, p)) * MIX;
            hash ^= hash >>> 29;
        }
        int rest = to - p;
        if (rest > 0) {
            hash = (hash ^ (Swar.word(b, p) & ((1L << (rest << 3)) - 1))) * MIX;
            hash ^= hash >>> 29;
        }
        return (hash * MIX) & ~1L;
    }
}
