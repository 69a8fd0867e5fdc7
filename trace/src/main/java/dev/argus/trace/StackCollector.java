package dev.argus.trace;

import dev.argus.model.NameTable;
import dev.argus.model.StackFrames;
import dev.argus.model.StackRecord;
import dev.argus.model.StackRecord.Stack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the stacks of one process: equal ones of a thread are added up, the heaviest are kept. Bounds: {@value #MAX_FRAMES} innermost
 * frames a stack, {@value #MAX_DISTINCT} distinct stacks while reading, {@value #MAX_KEPT} in the record.
 */
final class StackCollector {
    static final int MAX_FRAMES = 128;
    static final int MAX_DISTINCT = 1 << 16;
    static final int MAX_KEPT = 8;

    private record Key(String thread, List<String> frames) {}

    private static final class Sum {
        long weight;
        boolean active;
    }

    private final Map<Key, Sum> stacks = new LinkedHashMap<>();
    private final boolean sampled;
    private long samples;
    private long beyond;

    StackCollector(boolean sampled) {
        this.sampled = sampled;
    }

    /**
     * Adds a stack.
     *
     * @param frames innermost first
     */
    void add(String thread, boolean active, long weight, List<String> frames) {
        samples = samples + weight < 0 ? Long.MAX_VALUE : samples + weight;
        List<String> kept =
                frames.stream().limit(MAX_FRAMES).map(StackFrames::cut).toList();
        Key key = new Key(StackFrames.cut(thread), kept);
        if (!stacks.containsKey(key) && stacks.size() >= MAX_DISTINCT) {
            beyond += weight;
            return;
        }
        Sum sum = stacks.computeIfAbsent(key, k -> new Sum());
        sum.weight = sum.weight + weight < 0 ? Long.MAX_VALUE : sum.weight + weight;
        sum.active |= active;
    }

    boolean isEmpty() {
        return stacks.isEmpty();
    }

    long samples() {
        return samples;
    }

    /** Weight of stacks there was no room for. */
    long beyond() {
        return beyond;
    }

    StackRecord record(int rank, String process, NameTable names) {
        List<Map.Entry<Key, Sum>> order = new ArrayList<>(stacks.entrySet());
        order.sort(Comparator.comparing(
                        (Map.Entry<Key, Sum> e) -> !isMain(e.getKey().thread()))
                .thenComparingLong(e -> -e.getValue().weight));
        List<Stack> kept = new ArrayList<>();
        for (Map.Entry<Key, Sum> e : order.subList(0, Math.min(MAX_KEPT, order.size()))) {
            int[] frames = e.getKey().frames().stream().mapToInt(names::id).toArray();
            kept.add(new Stack(names.id(e.getKey().thread()), e.getValue().active, e.getValue().weight, frames));
        }
        return new StackRecord(0, rank, names.id(process), kept, samples, sampled);
    }

    /** In samples of several threads the heaviest counts, whosever it is. */
    private boolean isMain(String thread) {
        return !sampled && thread.equals(StackFrames.MAIN_THREAD);
    }
}
