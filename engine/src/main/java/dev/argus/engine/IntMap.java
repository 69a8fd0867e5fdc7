package dev.argus.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A map from {@code int} keys by open addressing: no object a key, O(1) to find. Whoever needs an order sorts the keys
 * ({@link #sortedKeys}), which happens when states are judged or encoded, not when records come.
 *
 * <p>Linear probing, at most half full. Keys are scattered by a multiplication (Knuth, The Art of Computer Programming, 6.4).
 *
 * @param <V> values, not null
 */
final class IntMap<V> {
    private static final int LEAST = 16;

    /** What is done with an entry. */
    @FunctionalInterface
    interface Visitor<V> {
        void visit(int key, V value);
    }

    private int[] keys = new int[LEAST];
    private @Nullable Object[] values = new @Nullable Object[LEAST];
    private int size;

    private int slot(int key) {
        int mask = keys.length - 1;
        int at = (key * 0x9E3779B9) >>> (32 - Integer.numberOfTrailingZeros(keys.length));
        while (values[at] != null && keys[at] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    @SuppressWarnings("unchecked")
    @Nullable
    V get(int key) {
        return (V) values[slot(key)];
    }

    V getOrDefault(int key, V otherwise) {
        V value = get(key);
        return value == null ? otherwise : value;
    }

    void put(int key, V value) {
        int at = slot(key);
        if (values[at] == null) {
            if (2 * (size + 1) > keys.length) {
                grow();
                at = slot(key);
            }
            size++;
        }
        keys[at] = key;
        values[at] = value;
    }

    private void grow() {
        int[] oldKeys = keys;
        @Nullable Object[] oldValues = values;
        keys = new int[2 * oldKeys.length];
        values = new @Nullable Object[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != null) {
                int at = slot(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void clear() {
        keys = new int[LEAST];
        values = new @Nullable Object[LEAST];
        size = 0;
    }

    /** Keys in ascending order. */
    int[] sortedKeys() {
        int[] sorted = new int[size];
        int n = 0;
        for (int i = 0; i < keys.length; i++) {
            if (values[i] != null) {
                sorted[n++] = keys[i];
            }
        }
        Arrays.sort(sorted);
        return sorted;
    }

    /** Visits all entries, in no order. */
    @SuppressWarnings("unchecked")
    void forEach(Visitor<V> visitor) {
        for (int i = 0; i < keys.length; i++) {
            Object value = values[i];
            if (value != null) {
                visitor.visit(keys[i], (V) value);
            }
        }
    }

    /** Visits all entries by ascending key. */
    void forEachSorted(Visitor<V> visitor) {
        for (int key : sortedKeys()) {
            V value = get(key);
            if (value != null) {
                visitor.visit(key, value);
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof IntMap<?> that) || that.size != size) {
            return false;
        }
        for (int i = 0; i < keys.length; i++) {
            Object value = values[i];
            if (value != null && !value.equals(that.get(keys[i]))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int sum = 0;
        for (int i = 0; i < keys.length; i++) {
            Object value = values[i];
            sum += value == null ? 0 : keys[i] ^ value.hashCode();
        }
        return sum;
    }
}
