package dev.argus.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of one export: a process and a GPU on which it ran kernels is a rank. Numbered by GPU, then by process.
 *
 * <p>Where one process drives several GPUs its calls belong to the GPU of the work they started, and its ranges to all of them.
 */
final class NsysParts {
    static final int MAX_PARTS = 1024;

    /** Threads of a process differ in the low 24 bits of the global id. */
    private static final long PROCESS = ~0xFFFFFFL;

    /** One rank. */
    static final class Rank {
        final long process;
        final int device;
        final PartSink sink;
        final NsysSteps steps = new NsysSteps();
        int number;

        Rank(long process, int device, PartSink sink) {
            this.process = process;
            this.device = device;
            this.sink = sink;
        }
    }

    private record Key(long process, int device) {}

    private final SinkFactory sinks;
    private final Map<Key, Rank> ranks = new HashMap<>();
    private final Map<Long, List<Rank>> byProcess = new TreeMap<>();
    private final Map<Long, Map<Long, Rank>> byCorrelation = new HashMap<>();
    private List<Rank> ordered = List.of();

    NsysParts(SinkFactory sinks) {
        this.sinks = sinks;
    }

    /** Declares that a process ran a kernel on a GPU; false when there are more than anybody has. */
    boolean declare(long process, int device) {
        Key key = new Key(process(process), device);
        if (!ranks.containsKey(key) && ranks.size() >= MAX_PARTS) {
            return false;
        }
        ranks.computeIfAbsent(key, k -> {
            Rank rank = new Rank(k.process(), device, new PartSink(sinks, ranks.size()));
            byProcess.computeIfAbsent(k.process(), p -> new ArrayList<>()).add(rank);
            return rank;
        });
        return true;
    }

    /** No more are declared: numbers them. */
    void number() {
        ordered = new ArrayList<>(ranks.values());
        ordered.sort(Comparator.comparingInt((Rank r) -> r.device).thenComparingLong(r -> r.process));
        for (int i = 0; i < ordered.size(); i++) {
            ordered.get(i).number = i;
        }
    }

    List<Rank> ranks() {
        return ordered;
    }

    private static long process(long globalId) {
        return globalId == NsysRows.NONE ? 0 : globalId & PROCESS;
    }

    /** The rank of work on a GPU; null if no kernel ran there. */
    @Nullable
    Rank of(long process, int device) {
        return ranks.get(new Key(process(process), device));
    }

    /** Remembers whose work a call started, where a process has several GPUs. */
    void correlate(Rank rank, long correlation) {
        if (correlation > 0 && byProcess.getOrDefault(rank.process, List.of()).size() > 1) {
            byCorrelation.computeIfAbsent(rank.process, p -> new HashMap<>()).put(correlation, rank);
        }
    }

    /** The rank whose work a call started; null if that is not known. */
    @Nullable
    Rank caller(long thread, long correlation) {
        List<Rank> all = ofProcess(thread);
        if (all.size() == 1) {
            return all.getFirst();
        }
        return all.isEmpty()
                ? null
                : byCorrelation.getOrDefault(process(thread), Map.of()).get(correlation);
    }

    /** All ranks of the process a thread belongs to; all there are when threads are not stated and there is one process. */
    List<Rank> ofProcess(long thread) {
        if (thread == NsysRows.NONE && byProcess.size() == 1) {
            return byProcess.values().iterator().next();
        }
        return byProcess.getOrDefault(process(thread), List.of());
    }
}
