package dev.argus.engine;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Stretches that were received: of the same subject, those that overlap or follow each other are one. Adding costs O(stretches of that
 * subject).
 *
 * @param <P> a stretch
 */
final class Stretches<P> extends AbstractList<P> {
    private final Function<P, ?> subject;
    private final BiPredicate<P, P> touch;
    private final BiFunction<P, P, P> merge;
    private final List<P> entries = new ArrayList<>();
    private final Map<Object, List<Integer>> places = new HashMap<>();

    Stretches(Function<P, ?> subject, BiPredicate<P, P> touch, BiFunction<P, P, P> merge) {
        this.subject = subject;
        this.touch = touch;
        this.merge = merge;
    }

    /** Adds a stretch, merged with the latest one of its subject that it touches. */
    void put(P more) {
        List<Integer> of = places.computeIfAbsent(subject.apply(more), s -> new ArrayList<>());
        for (int at : of.reversed()) {
            if (touch.test(entries.get(at), more)) {
                entries.set(at, merge.apply(entries.get(at), more));
                return;
            }
        }
        of.add(entries.size());
        entries.add(more);
    }

    /** Adds a stretch as it is: one that was kept apart before. */
    @Override
    public boolean add(P more) {
        places.computeIfAbsent(subject.apply(more), s -> new ArrayList<>()).add(entries.size());
        return entries.add(more);
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
