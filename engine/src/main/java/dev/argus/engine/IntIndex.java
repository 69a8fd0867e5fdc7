package dev.argus.engine;

import java.util.Arrays;

/**
 * Numbers {@code int} keys 0, 1, 2 ... in the order in which they come, by open addressing: 8 bytes a place, at most half of them taken.
 * For columns of primitive values by key, where {@link IntMap} would take an object each.
 *
 * <p>Linear probing; keys are scattered by a multiplication (Knuth, The Art of Computer Programming, 6.4). O(1) to find.
 */
final class IntIndex {
    private static final int LEAST = 16;

    private int[] keys;

    /** By place of the key its number + 1; 0 = nothing. */
    private int[] numbers;

    private int size;

    IntIndex() {
        this(0);
    }

    /** With room for so many keys before it has to grow. */
    IntIndex(int room) {
        int places = Integer.highestOneBit(Math.max(LEAST, 4 * room - 1));
        keys = new int[places];
        numbers = new int[places];
    }

    private int slot(int key) {
        int mask = keys.length - 1;
        int at = (key * 0x9E3779B9) >>> (32 - Integer.numberOfTrailingZeros(keys.length));
        while (numbers[at] != 0 && keys[at] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    /** The number of a key, -1 for one that did not come. */
    int get(int key) {
        return numbers[slot(key)] - 1;
    }

    /** The number of a key, a new one if it did not come before. */
    int add(int key) {
        int at = slot(key);
        if (numbers[at] == 0) {
            if (2 * (size + 1) > keys.length) {
                grow();
                at = slot(key);
            }
            keys[at] = key;
            numbers[at] = ++size;
        }
        return numbers[at] - 1;
    }

    private void grow() {
        int[] oldKeys = keys;
        int[] oldNumbers = numbers;
        keys = new int[2 * oldKeys.length];
        numbers = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldNumbers[i] != 0) {
                int at = slot(oldKeys[i]);
                keys[at] = oldKeys[i];
                numbers[at] = oldNumbers[i];
            }
        }
    }

    int size() {
        return size;
    }

    /** Keys in ascending order. */
    int[] sortedKeys() {
        int[] sorted = new int[size];
        for (int i = 0; i < keys.length; i++) {
            if (numbers[i] != 0) {
                sorted[numbers[i] - 1] = keys[i];
            }
        }
        Arrays.sort(sorted); // mostly ascending already: ranks come in their order
        return sorted;
    }
}
