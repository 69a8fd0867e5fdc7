package dev.argus.hostlocal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records on their way to the lane that has their state: each with its key and its place in the batch. Belongs to one thread at a time.
 *
 * @param <I> record type
 */
final class Routed<I> {
    /** Takes a record from its way. */
    @FunctionalInterface
    interface Sink<I> {
        void take(long place, long key, I record);
    }

    private final List<I> records = new ArrayList<>();
    private long[] keysAndPlaces = new long[64];

    void add(long place, long key, I record) {
        int at = 2 * records.size();
        if (at == keysAndPlaces.length) {
            keysAndPlaces = Arrays.copyOf(keysAndPlaces, 2 * at);
        }
        keysAndPlaces[at] = key;
        keysAndPlaces[at + 1] = place;
        records.add(record);
    }

    /** Gives all away in the order in which they came. */
    void drain(Sink<I> sink) {
        for (int i = 0; i < records.size(); i++) {
            sink.take(keysAndPlaces[2 * i + 1], keysAndPlaces[2 * i], records.get(i));
        }
        records.clear();
    }
}
