package dev.argus.hostlocal;

import dev.argus.engine.Out;
import dev.argus.engine.Partial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the detectors of one lane emit while they take records, each with the place of the record that caused it. So the emissions of
 * all lanes can be put in the order in which one lane alone would have made them. Belongs to one thread.
 */
final class Emissions implements Out {
    record Placed(long place, Partial partial) {}

    private final List<Placed> placed = new ArrayList<>();
    private final Map<String, Long> losses = new TreeMap<>();
    private long place;

    /** The place of what is emitted from now on. */
    void at(long now) {
        place = now;
    }

    @Override
    public void emit(Partial partial) {
        placed.add(new Placed(place, partial));
    }

    @Override
    public void timer(long eventNanos) {
        // A folder of traces has an end: every timer fires there.
    }

    @Override
    public void loss(String reason) {
        losses.merge(reason, 1L, Long::sum);
    }

    /** All that the lanes hold, by place; of one place in the order in which they were emitted. Empties the lanes. */
    static List<Placed> drain(List<Emissions> lanes, Map<String, Long> allLosses) {
        List<Placed> all = new ArrayList<>();
        for (Emissions e : lanes) {
            all.addAll(e.placed);
            e.placed.clear();
            e.losses.forEach((reason, n) -> allLosses.merge(reason, n, Long::sum));
            e.losses.clear();
        }
        all.sort((a, b) -> Long.compare(a.place, b.place)); // stable, and all of a place are of one lane
        return all;
    }
}
