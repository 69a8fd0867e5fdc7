package dev.argus.model;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.IntStream;

/**
 * An immutable, sorted set of global ranks.
 *
 * <p>Equality is by content. Look-up costs O(log n); footprint 4 bytes a rank. {@link #toString()} prints ranges, as people
 * say them: {@code 0-7,16}.
 */
public final class RankSet implements Comparable<RankSet> {
    /** The empty set. */
    public static final RankSet EMPTY = new RankSet(new int[0]);

    private final int[] ranks;

    private RankSet(int[] sorted) {
        this.ranks = sorted;
    }

    /** The set of the given ranks, in any order, doubles dropped. */
    public static RankSet of(int... ranks) {
        int[] sorted = ranks.clone();
        if (!ascends(sorted)) {
            Arrays.sort(sorted);
            int n = 0;
            for (int i = 0; i < sorted.length; i++) {
                if (n == 0 || sorted[i] != sorted[n - 1]) {
                    sorted[n++] = sorted[i];
                }
            }
            sorted = Arrays.copyOf(sorted, n);
        }
        return new RankSet(sorted);
    }

    /** The set of the given ranks, in any order, doubles dropped. */
    public static RankSet of(Collection<Integer> ranks) {
        return of(ranks.stream().mapToInt(Integer::intValue).toArray());
    }

    /** The set of the ranks of a stream, in any order, doubles dropped. */
    public static RankSet of(IntStream ranks) {
        return of(ranks.toArray());
    }

    private static boolean ascends(int[] values) {
        for (int i = 1; i < values.length; i++) {
            if (values[i - 1] >= values[i]) {
                return false;
            }
        }
        return true;
    }

    /** All ranks from {@code first} to {@code last}, both included. */
    public static RankSet range(int first, int last) {
        return new RankSet(IntStream.rangeClosed(first, last).toArray());
    }

    /** Number of ranks. */
    public int size() {
        return ranks.length;
    }

    /** True if there is no rank. */
    public boolean isEmpty() {
        return ranks.length == 0;
    }

    /** The rank at a position in ascending order. */
    public int get(int position) {
        return ranks[position];
    }

    /** True if the rank is a member. */
    public boolean contains(int rank) {
        return Arrays.binarySearch(ranks, rank) >= 0;
    }

    /** True if every member of the other set is a member of this one. */
    public boolean containsAll(RankSet other) {
        return IntStream.of(other.ranks).allMatch(this::contains);
    }

    /** Position of a rank in ascending order, or -1. */
    public int indexOf(int rank) {
        int at = Arrays.binarySearch(ranks, rank);
        return at >= 0 ? at : -1;
    }

    /** The members of both sets together. */
    public RankSet union(RankSet other) {
        return of(IntStream.concat(stream(), other.stream()).toArray());
    }

    /** The members of both sets in common. */
    public RankSet intersect(RankSet other) {
        return merged(other, true);
    }

    /** This set without the members of the other. */
    public RankSet minus(RankSet other) {
        return merged(other, false);
    }

    /** The ranks that the other set has, or has not. */
    private RankSet merged(RankSet other, boolean both) {
        int[] kept = new int[ranks.length];
        int n = 0;
        int at = 0;
        for (int rank : ranks) {
            while (at < other.ranks.length && other.ranks[at] < rank) {
                at++;
            }
            if ((at < other.ranks.length && other.ranks[at] == rank) == both) {
                kept[n++] = rank;
            }
        }
        return new RankSet(Arrays.copyOf(kept, n));
    }

    /** The ranks in ascending order. */
    public IntStream stream() {
        return IntStream.of(ranks);
    }

    /** A fresh array of the ranks in ascending order. */
    public int[] toArray() {
        return ranks.clone();
    }

    @Override
    public int compareTo(RankSet other) {
        return Arrays.compare(ranks, other.ranks);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RankSet that && Arrays.equals(ranks, that.ranks);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ranks);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < ranks.length; ) {
            int j = i;
            while (j + 1 < ranks.length && ranks[j + 1] == ranks[j] + 1) {
                j++;
            }
            if (!out.isEmpty()) {
                out.append(',');
            }
            out.append(ranks[i]);
            if (j > i) {
                out.append('-').append(ranks[j]);
            }
            i = j + 1;
        }
        return out.toString();
    }
}
