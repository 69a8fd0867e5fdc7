package dev.argus.engine;

import dev.argus.model.PackedCollectives;
import java.util.Arrays;

/** What the members of a group have reported of one step: their collectives by rank. */
final class GroupMembers {
    private static final int LEAST = 2;
    private static final int MOST_AT_ONCE = 1 << 16;

    private final IntIndex ranks;

    /** By number of the rank. */
    private PackedCollectives[] collectives;

    private Mover mover = Mover.GPU;

    /** With room for so many before it has to grow. */
    GroupMembers(int room) {
        int first = Math.clamp(room, LEAST, MOST_AT_ONCE);
        ranks = new IntIndex(first);
        collectives = new PackedCollectives[first];
        Arrays.fill(collectives, PackedCollectives.EMPTY);
    }

    /** Replaces what a rank has reported. */
    void put(int rank, Mover by, PackedCollectives of) {
        mover = mover.and(by);
        int at = ranks.add(rank);
        if (at == collectives.length) {
            collectives = Arrays.copyOf(collectives, 2 * at);
            Arrays.fill(collectives, at, collectives.length, PackedCollectives.EMPTY);
        }
        collectives[at] = of;
    }

    /** What moves the bytes: of all that have reported, what tells least. */
    Mover mover() {
        return mover;
    }

    /** Number of ranks that have reported. */
    int size() {
        return ranks.size();
    }

    /** The ranks, ascending. */
    int[] ranks() {
        return ranks.sortedKeys();
    }

    /** What a rank has reported. */
    PackedCollectives of(int rank) {
        int at = ranks.get(rank);
        return at < 0 ? PackedCollectives.EMPTY : collectives[at];
    }
}
