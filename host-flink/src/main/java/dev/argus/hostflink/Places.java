package dev.argus.hostflink;

import java.util.HashMap;
import java.util.Map;

/** How far each partition of the topic of frames was read. Places there have no holes, for nothing is written in transactions and nothing is compacted: what is stepped over is gone. */
final class Places {
    /** The place lies before the one that was read last: the topic is another one. */
    static final long ANEW = -1;

    private final Map<Integer, Long> newest = new HashMap<>();

    /** Takes up the place of a partition; of several the furthest. */
    void restore(int partition, long place) {
        newest.merge(partition, place, Math::max);
    }

    /**
     * The next record.
     *
     * @return records that are gone before they were read, or {@link #ANEW}
     */
    long read(int partition, long place) {
        Long before = newest.put(partition, place);
        if (before == null || place == before + 1) {
            return 0;
        }
        return place <= before ? ANEW : place - before - 1;
    }

    /** Places by partition; a view. */
    Map<Integer, Long> all() {
        return newest;
    }
}
