package dev.argus.ring;

import dev.argus.model.CollectiveCall;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collectives by the call that launched them, so that their kernels find them: by the correlation of a kernel in the same ring, or, across the rings of
 * one process, by the external id of the launch, whichever of the two is read first. What finds nothing here is joined by time when the step is digested. One for all rings of a
 * process; keeps the last {@value #MOST} of each, which is some times what lies in the queues of a GPU (about a thousand launches) and what a step has; belongs to one thread.
 */
public final class LaunchedCalls {
    private static final int MOST = 1 << 14;

    private final Map<Long, CollectiveCall> byCorrelation = new Latest<>();
    private final Map<Long, Stated> byExternalId = new Latest<>();

    /** Launches whose call has not been stated. */
    private final Map<Long, Launched> unstated = new Latest<>();

    private int rings;

    private record Stated(int ring, CollectiveCall call) {}

    private record Launched(int ring, long correlation) {}

    private static final class Latest<V> extends LinkedHashMap<Long, V> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
            return size() > MOST;
        }
    }

    int newRing() {
        return rings++;
    }

    void stated(int ring, long correlation, CollectiveCall call) {
        if (correlation != 0) {
            byCorrelation.put(key(ring, correlation), call);
            byExternalId.put(correlation, new Stated(ring, call));
            Launched before = unstated.remove(correlation);
            if (before != null && before.ring() != ring) {
                byCorrelation.put(key(before.ring(), before.correlation()), call);
            }
        }
    }

    void launched(int ring, long correlation, long externalId) {
        if (externalId == 0 || correlation == 0) {
            return;
        }
        Stated stated = byExternalId.get(externalId);
        if (stated == null) {
            unstated.put(externalId, new Launched(ring, correlation));
        } else if (stated.ring() != ring) {
            byCorrelation.put(key(ring, correlation), stated.call());
        }
    }

    @Nullable
    CollectiveCall of(int ring, long correlation) {
        return correlation == 0 ? null : byCorrelation.get(key(ring, correlation));
    }

    private static long key(int ring, long correlation) {
        return (long) ring << 32 | correlation;
    }
}
