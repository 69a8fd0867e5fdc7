package dev.argus.engine;

import java.util.Arrays;

/**
 * Numbers {@code int} keys 0, 1, 2 ... in the order in which they come. For columns of primitive values by key, where {@link IntMap} would take an
 * object each.
 *
 * <p>Ranks come in ascending order, and step by step in the same one. So the key that followed the last one found is tried first, which is O(1) and
 * reads memory in its order; while keys have only come ascending, others are found by bisection, 4 bytes a key. From the first that comes out of
 * order on, they are found by open addressing: 8 to 16 bytes more a key, linear probing, at most half of the places taken, keys scattered by a
 * multiplication (Knuth, The Art of Computer Programming, 6.4).
 *
 * <p>Belongs to one thread, also for looking up.
 */
final class IntIndex {
    private static final int LEAST = 8;
    private static final int[] NONE = {};

    /** Keys by number. */
    private int[] keys;

    /** By place of the key its number + 1; 0 = nothing. Empty while the keys ascend. */
    private int[] places = NONE;

    private int size;

    /** The number behind that of the key looked up last. */
    private int next;

    IntIndex() {
        this(0);
    }

    /** With room for so many keys before it has to grow. */
    IntIndex(int room) {
        keys = new int[Math.max(LEAST, room)];
    }

    /** The number of a key, -1 for one that did not come. */
    int get(int key) {
        int guess = next < size ? next : 0;
        if (guess >= size || keys[guess] != key) {
            guess = search(key);
        }
        next = guess + 1;
        return guess;
    }

    private int search(int key) {
        if (places.length > 0) {
            return places[place(key)] - 1;
        }
        return size == 0 || key > keys[size - 1] ? -1 : Math.max(-1, Arrays.binarySearch(keys, 0, size, key));
    }

    private int place(int key) {
        int mask = places.length - 1;
        int at = (key * 0x9E3779B9) >>> (32 - Integer.numberOfTrailingZeros(places.length));
        while (places[at] != 0 && keys[places[at] - 1] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    /** The number of a key, a new one if it did not come before. */
    int add(int key) {
        int known = get(key);
        if (known >= 0) {
            return known;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        boolean ascends = size == 0 || key > keys[size - 1];
        keys[size++] = key;
        next = size;
        if (places.length > 0 || !ascends) {
            scatter();
        }
        return size - 1;
    }

    /** Gives the newest key its place; all of them theirs where there are none yet, or too few. */
    private void scatter() {
        int from = size - 1;
        if (2 * size > places.length) {
            places = new int[Integer.highestOneBit(Math.max(2 * LEAST, 4 * size - 1))];
            from = 0;
        }
        for (int i = from; i < size; i++) {
            places[place(keys[i])] = i + 1;
        }
    }

    int size() {
        return size;
    }

    /** Keys in ascending order. */
    int[] sortedKeys() {
        int[] sorted = Arrays.copyOf(keys, size);
        if (places.length > 0) {
            Arrays.sort(sorted);
        }
        return sorted;
    }
}
