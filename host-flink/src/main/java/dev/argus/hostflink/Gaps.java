package dev.argus.hostflink;

import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whiles in which nobody listened, as they are known so far. Those that overlap are one: what is here depends on which gaps were told, not on the order in which partitions were read.
 *
 * <p>Bounded: {@value #MOST}; beyond, the two that are nearest to each other become one, with what lies between them.
 */
final class Gaps {
    static final int MOST = 1024;
    private static final long NANOS = 1_000_000L;

    /** Ends by begin, both milliseconds since the Unix epoch; none overlaps another. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    /**
     * Adds one.
     *
     * @return false if there were too many: more than was told is taken for a gap now
     */
    boolean add(Gap gap) {
        long from = gap.fromMillis();
        long until = gap.untilMillis();
        if (until <= from) {
            return true;
        }
        Map.Entry<Long, Long> before = ends.lowerEntry(until);
        while (before != null && before.getValue() > from) {
            from = Math.min(from, before.getKey());
            until = Math.max(until, before.getValue());
            ends.remove(before.getKey());
            before = ends.lowerEntry(until);
        }
        ends.put(from, until);
        if (ends.size() <= MOST) {
            return true;
        }
        joinNearest();
        return false;
    }

    private void joinNearest() {
        long nearest = Long.MAX_VALUE;
        long at = 0;
        Map.Entry<Long, Long> before = null;
        for (Map.Entry<Long, Long> e : ends.entrySet()) {
            if (before != null && e.getKey() - before.getValue() < nearest) {
                nearest = e.getKey() - before.getValue();
                at = before.getKey();
            }
            before = e;
        }
        Map.Entry<Long, Long> next = ends.higherEntry(at);
        if (next != null) {
            ends.remove(next.getKey());
            ends.put(at, next.getValue());
        }
    }

    /** True if a time, nanoseconds since the Unix epoch, lies within one. */
    boolean in(long nanos) {
        for (Map.Entry<Long, Long> e : ends.entrySet()) {
            if (nanos > e.getKey() * NANOS && nanos < e.getValue() * NANOS) {
                return true;
            }
        }
        return false;
    }

    /** Forgets those that have ended by a time, nanoseconds since the Unix epoch. Returns whether there was one. */
    boolean pass(long nanos) {
        return ends.values().removeIf(until -> until * NANOS <= nanos);
    }

    /** All, by their begin. */
    List<Gap> all() {
        List<Gap> all = new ArrayList<>();
        ends.forEach((from, until) -> all.add(new Gap(from, until)));
        return all;
    }

    void write(WireWriter to) {
        to.writeVarint(ends.size());
        ends.forEach((from, until) -> to.writeSigned(from).writeSigned(until));
    }

    /** @throws dev.argus.wire.WireException if the bytes are something else */
    void read(WireReader from) {
        for (int n = from.readCount(2); n > 0; n--) {
            add(new Gap(from.readSigned(), from.readSigned()));
        }
    }
}
