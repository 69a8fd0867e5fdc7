package dev.argus.engine;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * Stretches that were found: of the same subject, those that overlap or follow each other are one. What is judged again replaces what was
 * said before, what ended long ago is forgotten. Adding costs O(stretches of that subject).
 *
 * @param <P> a stretch
 */
final class Findings<P> extends AbstractCollection<P> {
    /** Stretches of one subject this close are one. */
    private static final int NEAR_STEPS = 2;

    /**
     * What is to be known of a stretch.
     *
     * @param judged what was judged together with it
     * @param subject what it is about, within that
     * @param first its first step
     * @param last its last step
     * @param merge two that touch as one
     */
    record Traits<P>(
            Function<P, Judged.Subject> judged,
            Function<P, ?> subject,
            ToLongFunction<P> first,
            ToLongFunction<P> last,
            BinaryOperator<P> merge) {}

    private final Traits<P> traits;
    private final Map<Judged.Subject, Map<Object, List<P>>> entries = new LinkedHashMap<>();
    private int size;

    Findings(Traits<P> traits) {
        this.traits = traits;
    }

    private List<P> of(P one) {
        return entries.computeIfAbsent(traits.judged().apply(one), j -> new LinkedHashMap<>())
                .computeIfAbsent(traits.subject().apply(one), s -> new ArrayList<>(1));
    }

    private boolean touch(P a, P b) {
        return traits.first().applyAsLong(b) <= traits.last().applyAsLong(a) + NEAR_STEPS
                && traits.first().applyAsLong(a) <= traits.last().applyAsLong(b) + NEAR_STEPS;
    }

    /** Adds a stretch, merged with the latest one of its subject that it touches. */
    void put(P more) {
        List<P> of = of(more);
        for (int at = of.size() - 1; at >= 0; at--) {
            if (touch(of.get(at), more)) {
                of.set(at, traits.merge().apply(of.get(at), more));
                return;
            }
        }
        of.add(more);
        size++;
    }

    /** Adds a stretch as it is: one that was kept apart before. */
    @Override
    public boolean add(P more) {
        size++;
        return of(more).add(more);
    }

    /** Takes back the stretches within steps that are judged again. */
    void withdraw(Judged again) {
        Map<Object, List<P>> of = entries.get(again.subject());
        if (of != null) {
            remove(
                    of,
                    p -> traits.first().applyAsLong(p) >= again.firstStep()
                            && traits.last().applyAsLong(p) <= again.lastStep());
        }
    }

    /**
     * Forgets stretches that ended before a step, and of those that go on what lies before it.
     *
     * @param since the step
     * @param cut a stretch that began earlier without what lies before the step
     */
    void forget(long since, UnaryOperator<P> cut) {
        for (Map<Object, List<P>> of : entries.values()) {
            remove(of, p -> traits.last().applyAsLong(p) < since);
            of.values().forEach(list -> list.replaceAll(p -> traits.first().applyAsLong(p) < since ? cut.apply(p) : p));
        }
        entries.values().removeIf(Map::isEmpty);
    }

    /** Forgets those that ended first, down to three quarters, when there are more than a number. Returns how many. */
    int bound(int most) {
        if (size <= most) {
            return 0;
        }
        long[] last = stream().mapToLong(traits.last()).sorted().toArray();
        int before = size;
        int drop = size - Math.max(1, most * 3 / 4);
        long until = last[drop - 1];
        long[] alike = {drop - Arrays.stream(last).filter(l -> l < until).count()}; // of those that ended together some
        entries.values()
                .forEach(of -> remove(of, p -> {
                    long l = traits.last().applyAsLong(p);
                    return l < until || (l == until && alike[0]-- > 0);
                }));
        return before - size;
    }

    private void remove(Map<Object, List<P>> of, Predicate<P> which) {
        for (List<P> list : of.values()) {
            size -= list.size();
            list.removeIf(which);
            size += list.size();
        }
        of.values().removeIf(List::isEmpty);
    }

    @Override
    public Iterator<P> iterator() {
        return entries.values().stream()
                .flatMap(m -> m.values().stream())
                .flatMap(List::stream)
                .iterator();
    }

    @Override
    public int size() {
        return size;
    }
}
