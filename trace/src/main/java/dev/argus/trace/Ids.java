package dev.argus.trace;

/** Ids that files state as numbers of any size and that are numbers of 32 bits here. */
final class Ids {
    private Ids() {}

    /** The id, or another value where it has more than 31 bits: cut off it would be somebody else's. */
    static int of(long stated, int otherwise) {
        return stated >= 0 && stated <= Integer.MAX_VALUE ? (int) stated : otherwise;
    }
}
