package dev.argus.wire;

/**
 * The hash of a list of names, name by name: two lists with equal count and hash are taken to be the same. FNV-1a of the bytes (Fowler, Noll, Vo)
 * started from the hash before, finished as in MurmurHash3; it guards against mistakes, not against forgery, which could only
 * harm the forger's own session.
 */
final class NameChain {
    /** Of no name. */
    static final long EMPTY = 0xcbf29ce484222325L;

    /** Most names of a session. */
    static final int MOST_NAMES = 1 << 16;

    /** Most bytes of a name; longer ones are cut, with a hash behind. */
    static final int MOST_NAME_BYTES = 1 << 14;

    /** Most bytes of all names. */
    static final long MOST_BYTES = 16 << 20;

    private NameChain() {}

    static long next(long chain, byte[] name) {
        long h = chain;
        for (byte b : name) {
            h = (h ^ (b & 0xFF)) * 0x100000001b3L;
        }
        h ^= name.length;
        h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
        h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return h ^ (h >>> 33);
    }
}
