package dev.argus.engine.replay;

import dev.argus.model.CollectiveStat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * For which of its collectives a rank waited, and when. While it waits for one, others that run meanwhile are not covered by compute either; they are
 * not awaited. So what is exposed as a whole is awaited, and of the others, the shortest first, what is exposed beyond the waits
 * already known, taken for their end.
 *
 * <p>Cost: O(n log n) in the collectives. The waits are disjoint.
 */
final class Awaited {
    /** Between kernels there are gaps too: so much of a collective may be exposed though nobody waits for it. */
    private static final double GAPS_RATIO = 0.1;

    private final NavigableMap<Long, Long> waits = new TreeMap<>();
    private final IdentityHashMap<CollectiveStat, Boolean> awaited = new IdentityHashMap<>();

    Awaited(Collection<CollectiveStat> collectives) {
        List<CollectiveStat> order = new ArrayList<>(collectives);
        order.sort(Comparator.comparing((CollectiveStat c) -> c.exposedNanos() < c.durationNanos())
                .thenComparingLong(CollectiveStat::durationNanos)
                .thenComparingLong(CollectiveStat::startNanos));
        for (CollectiveStat c : order) {
            long end = c.startNanos() + c.durationNanos();
            long exposed = Math.clamp(c.exposedNanos(), 0, c.durationNanos());
            boolean whole = exposed == c.durationNanos();
            long more = whole ? exposed : exposed - covered(c.startNanos(), end);
            boolean known = more > (whole ? 0 : GAPS_RATIO * c.durationNanos());
            awaited.put(c, known);
            if (known) {
                add(end - more, end);
            }
        }
    }

    /** True if the rank waited for it. */
    boolean isAwaited(CollectiveStat c) {
        return awaited.getOrDefault(c, false);
    }

    /** Start to end of each wait, disjoint, ascending. */
    NavigableMap<Long, Long> waits() {
        return waits;
    }

    private long covered(long from, long to) {
        long sum = 0;
        Long first = waits.floorKey(from);
        for (Map.Entry<Long, Long> w :
                waits.subMap(first == null ? from : first, true, to, false).entrySet()) {
            sum += Math.max(0, Math.min(to, w.getValue()) - Math.max(from, w.getKey()));
        }
        return sum;
    }

    private void add(long from, long to) {
        long start = from;
        long end = to;
        Map.Entry<Long, Long> before = waits.floorEntry(from);
        if (before != null && before.getValue() >= from) {
            start = before.getKey();
        }
        NavigableMap<Long, Long> inside = waits.subMap(start, true, end, true);
        for (long over : inside.values()) {
            end = Math.max(end, over);
        }
        inside.clear();
        waits.put(start, end);
    }
}
