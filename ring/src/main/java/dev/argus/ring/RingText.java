package dev.argus.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Texts as they lie in a ring: UTF-8, at most {@link RingLayout#TEXT_BYTES} bytes; longer ones are cut and end in their hash. */
final class RingText {
    private static final long FNV_BASIS = 0xcbf2_9ce4_8422_2325L;
    private static final long FNV_PRIME = 0x100_0000_01b3L;

    /** The ellipsis of 3 bytes, # and 16 digits. */
    private static final int TAIL_BYTES = 20;

    private RingText() {}

    /** The bytes that go into the file. */
    static byte[] bytes(String text) {
        byte[] all = text.getBytes(UTF_8);
        if (all.length <= RingLayout.TEXT_BYTES) {
            return all;
        }
        int kept = RingLayout.TEXT_BYTES - TAIL_BYTES;
        while (kept > 0 && (all[kept] & 0xC0) == 0x80) {
            kept--;
        }
        byte[] cut = Arrays.copyOf(all, kept + TAIL_BYTES);
        String hash = Long.toHexString(hash(all, all.length));
        byte[] tail = ("…#" + "0".repeat(16 - hash.length()) + hash).getBytes(UTF_8);
        System.arraycopy(tail, 0, cut, kept, TAIL_BYTES);
        return cut;
    }

    /** Records a text takes. */
    static int records(int bytes) {
        return bytes <= RingLayout.TEXT_PART
                ? 1
                : 1 + (bytes - RingLayout.TEXT_PART + RingLayout.TEXT_PART - 1) / RingLayout.TEXT_PART;
    }

    /** FNV-1a, 64 bits. */
    static long hash(byte[] bytes, int length) {
        long hash = FNV_BASIS;
        for (int i = 0; i < length; i++) {
            hash = (hash ^ (bytes[i] & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    /** Up to 8 bytes as a little-endian word; zero behind the end. */
    static long word(byte[] bytes, int from) {
        long word = 0;
        for (int i = Math.min(7, bytes.length - 1 - from); i >= 0; i--) {
            word = (word << 8) | (bytes[from + i] & 0xff);
        }
        return word;
    }
}
