package dev.argus.hostlocal;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records on their way to the lane that has their state, each with its key and its place in the batch. Whoever takes them takes all of
 * a key one after the other, so that a state is looked up and fetched from memory once a batch. Belongs to one thread at a time.
 *
 * <p>Records lie in one array, those of a key chained by their numbers; keys are found by open addressing (linear probing, at most half full): no
 * object a key or record. Emptied, it is used again for the next batch.
 *
 * @param <I> record type
 */
final class Routed<I> {
    private static final int LEAST = 16;

    /** Takes the records of one key. */
    @FunctionalInterface
    interface Sink<I> {
        void take(long key, Chain<I> records);
    }

    /** The records of one key, in the order in which they came. */
    @FunctionalInterface
    interface Chain<I> {
        void forEach(Taker<I> taker);
    }

    /** Takes a record and its place. */
    @FunctionalInterface
    interface Taker<I> {
        void take(long place, I record);
    }

    private @Nullable Object[] records = new @Nullable Object[LEAST];
    private long[] places = new long[LEAST];

    /** By record: the next one of its key, 0 for none, which is nobody's next. */
    private int[] next = new int[LEAST];

    private int size;

    /** By number of the key, in the order in which they came. */
    private long[] keys = new long[LEAST];

    private int[] first = new int[LEAST];
    private int[] last = new int[LEAST];
    private int keyCount;

    /** By hash of the key: its number + 1; 0 = nothing. */
    private int[] slots = new int[2 * LEAST];

    void add(long place, long key, I record) {
        if (size == records.length) {
            records = Arrays.copyOf(records, 2 * size);
            places = Arrays.copyOf(places, 2 * size);
            next = Arrays.copyOf(next, 2 * size);
        }
        int at = size++;
        records[at] = record;
        places[at] = place;
        next[at] = 0;
        int slot = slot(key);
        if (slots[slot] == 0) {
            number(slot, key);
            first[keyCount - 1] = at;
        } else {
            next[last[slots[slot] - 1]] = at;
        }
        last[slots[slot(key)] - 1] = at;
    }

    private int slot(long key) {
        int mask = slots.length - 1;
        int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> (64 - Integer.numberOfTrailingZeros(slots.length)));
        while (slots[at] != 0 && keys[slots[at] - 1] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void number(int slot, long key) {
        if (keyCount == keys.length) {
            keys = Arrays.copyOf(keys, 2 * keyCount);
            first = Arrays.copyOf(first, 2 * keyCount);
            last = Arrays.copyOf(last, 2 * keyCount);
        }
        keys[keyCount++] = key;
        slots[slot] = keyCount;
        if (2 * keyCount > slots.length) {
            slots = new int[2 * slots.length];
            for (int k = 0; k < keyCount; k++) {
                slots[slot(keys[k])] = k + 1;
            }
        }
    }

    /** Gives all away, key by key in the order in which the keys came. */
    void drain(Sink<I> sink) {
        for (int k = 0; k < keyCount; k++) {
            int begin = first[k];
            sink.take(keys[k], taker -> {
                int at = begin;
                do {
                    taker.take(places[at], record(at));
                    at = next[at];
                } while (at != 0);
            });
        }
        Arrays.fill(records, 0, size, null);
        Arrays.fill(slots, 0);
        size = 0;
        keyCount = 0;
    }

    @SuppressWarnings("unchecked") // only records were put in
    private I record(int at) {
        return (I) Objects.requireNonNull(records[at]);
    }
}
