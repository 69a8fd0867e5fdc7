package dev.argus.hostlocal;

import dev.argus.engine.Out;
import dev.argus.engine.Partial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the detectors of one lane emit while they take records, each with the place of the record that caused it. So the emissions of
 * all lanes can be put in the order in which one lane alone would have made them. Belongs to one thread.
 */
final class Emissions implements Out {
    private final List<Partial> partials = new ArrayList<>();
    private final Map<String, Long> losses = new TreeMap<>();
    private long[] places = new long[64];
    private long place;

    /** The place of what is emitted from now on; not below the place before. */
    void at(long now) {
        place = now;
    }

    @Override
    public void emit(Partial partial) {
        int n = partials.size();
        if (n == places.length) {
            places = Arrays.copyOf(places, 2 * n);
        }
        places[n] = place;
        partials.add(partial);
    }

    @Override
    public void timer(long eventNanos) {
        // A folder of traces has an end: every timer fires there.
    }

    @Override
    public void loss(String reason) {
        losses.merge(reason, 1L, Long::sum);
    }

    /** Gives all to another, by place; of equal places the one lane's in its order. Empties the lanes. */
    static void drain(List<Emissions> lanes, Out to, Map<String, Long> allLosses) {
        int[] next = new int[lanes.size()];
        while (true) {
            int first = -1;
            for (int l = 0; l < next.length; l++) {
                Emissions e = lanes.get(l);
                boolean earlier = next[l] < e.partials.size()
                        && (first < 0 || e.places[next[l]] < lanes.get(first).places[next[first]]);
                first = earlier ? l : first;
            }
            if (first < 0) {
                break;
            }
            to.emit(lanes.get(first).partials.get(next[first]++));
        }
        for (Emissions e : lanes) {
            e.partials.clear();
            e.losses.forEach((reason, n) -> allLosses.merge(reason, n, Long::sum));
            e.losses.clear();
            e.place = 0;
        }
    }
}
