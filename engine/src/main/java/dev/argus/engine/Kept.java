package dev.argus.engine;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What was received, one entry a key, in the order in which the keys came. Adding costs O(1), whatever was received before.
 *
 * @param <P> what is kept
 */
final class Kept<P> extends AbstractList<P> {
    private final Function<P, ?> key;
    private final BiFunction<P, P, P> merge;
    private final List<P> entries = new ArrayList<>();
    private final Map<Object, Integer> places = new HashMap<>();

    Kept(Function<P, ?> key, BiFunction<P, P, P> merge) {
        this.key = key;
        this.merge = merge;
    }

    /** Adds an entry, merged with the one of the same key. */
    void put(P more) {
        Integer at = places.putIfAbsent(key.apply(more), entries.size());
        if (at == null) {
            entries.add(more);
        } else {
            entries.set(at, merge.apply(entries.get(at), more));
        }
    }

    /** Changes every entry, but not its key. */
    void change(UnaryOperator<P> change) {
        entries.replaceAll(change);
    }

    /** Forgets entries. */
    void forget(Predicate<P> which) {
        if (entries.removeIf(which)) {
            places.clear();
            for (int i = 0; i < entries.size(); i++) {
                places.put(key.apply(entries.get(i)), i);
            }
        }
    }

    @Override
    public boolean add(P more) {
        put(more);
        return true;
    }

    @Override
    public P get(int at) {
        return entries.get(at);
    }

    @Override
    public int size() {
        return entries.size();
    }
}
