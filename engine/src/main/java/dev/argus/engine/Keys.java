package dev.argus.engine;

/** Packs attempt and ids into one key: attempt 12 bits, first id 20 bits, second id 32 bits. */
final class Keys {
    private Keys() {}

    static long of(int attempt, int first, int second) {
        return (long) attempt << 52 | (first & 0xFFFFFL) << 32 | (second & 0xFFFFFFFFL);
    }

    static int attempt(long key) {
        return (int) (key >>> 52);
    }

    static int first(long key) {
        return (int) (key >>> 32) & 0xFFFFF;
    }

    static int second(long key) {
        return (int) key;
    }
}
