package dev.argus.hostlocal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records on their way to the lane that has their state, gathered by key, each with its place in the batch. Who takes them takes all of
 * a key one after the other, so that a state is fetched from memory once a batch. Belongs to one thread at a time.
 *
 * @param <I> record type
 */
final class Routed<I> {
    /** Takes a record from its way. */
    @FunctionalInterface
    interface Sink<I> {
        void take(long place, long key, I record);
    }

    private static final class OfKey<I> {
        final List<I> records = new ArrayList<>();
        long[] places = new long[8];

        void add(long place, I record) {
            int n = records.size();
            if (n == places.length) {
                places = Arrays.copyOf(places, 2 * n);
            }
            places[n] = place;
            records.add(record);
        }
    }

    private final Map<Long, OfKey<I>> keys = new LinkedHashMap<>();

    void add(long place, long key, I record) {
        keys.computeIfAbsent(key, k -> new OfKey<>()).add(place, record);
    }

    /** Gives all away: those of a key in the order in which they came. */
    void drain(Sink<I> sink) {
        keys.forEach((key, of) -> {
            for (int i = 0; i < of.records.size(); i++) {
                sink.take(of.places[i], key, of.records.get(i));
            }
        });
        keys.clear();
    }
}
