package dev.argus.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums of the ledger of waits by rank and step. */
final class Ledger {
    private final Map<Integer, Map<Long, Long>> caused = new HashMap<>();
    private final Map<Long, Long> causedByAll = new HashMap<>();

    Ledger(List<WaitPartial> waits) {
        for (WaitPartial w : waits) {
            for (int i = 0; i < w.ranks().length; i++) {
                long nanos = w.causedNanos()[i];
                caused.computeIfAbsent(w.ranks()[i], r -> new HashMap<>()).merge(w.step(), nanos, Long::sum);
                causedByAll.merge(w.step(), nanos, Long::sum);
            }
        }
    }

    /** Wait of others that a rank caused over a range of steps, in nanoseconds. */
    long causedNanos(int rank, long first, long last) {
        long sum = 0;
        for (Map.Entry<Long, Long> e : caused.getOrDefault(rank, Map.of()).entrySet()) {
            sum += e.getKey() >= first && e.getKey() <= last ? e.getValue() : 0;
        }
        return sum;
    }

    /** Share of all waits of a range of steps that a rank caused, 0..1; 0 when nobody waited. */
    double causedRatio(int rank, long first, long last) {
        long all = 0;
        for (Map.Entry<Long, Long> e : causedByAll.entrySet()) {
            all += e.getKey() >= first && e.getKey() <= last ? e.getValue() : 0;
        }
        return all > 0 ? (double) causedNanos(rank, first, last) / all : 0;
    }
}
