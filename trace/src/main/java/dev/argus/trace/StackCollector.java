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
 * frames a stack, {@value #MAX_DISTINCT} distinct stacks of {@value #MAX_TEXT} characters together while reading, {@value #MAX_KEPT} in the record.
 */
final class StackCollector {
    static final int MAX_FRAMES = 128;
    static final int MAX_DISTINCT = 1 << 16;
    static final int MAX_KEPT = 8;

    /** Frames lie there twice: 64 MiB as Latin-1. */
    static final int MAX_TEXT = 32 << 20;

    private static final class Sum {
        final String thread;
        final List<String> frames;
        long weight;
        boolean active;

        Sum(String thread, List<String> frames) {
            this.thread = thread;
            this.frames = frames;
        }
    }

    /** By the text of all frames: texts are ordered, so that names made to collide cost a tree, not a list. */
    private final Map<String, Sum> stacks = new LinkedHashMap<>();

    private long held;
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
        String key = key(StackFrames.cut(thread), kept);
        Sum sum = stacks.get(key);
        if (sum == null) {
            if (stacks.size() >= MAX_DISTINCT || held + key.length() > MAX_TEXT) {
                beyond += weight;
                return;
            }
            held += key.length();
            sum = new Sum(StackFrames.cut(thread), kept);
            stacks.put(key, sum);
        }
        sum.weight = sum.weight + weight < 0 ? Long.MAX_VALUE : sum.weight + weight;
        sum.active |= active;
    }

    /** Each text behind its length: no name can pretend to be two. */
    private static String key(String thread, List<String> frames) {
        StringBuilder key =
                new StringBuilder().append(thread.length()).append(':').append(thread);
        for (String frame : frames) {
            key.append(frame.length()).append(':').append(frame);
        }
        return key.toString();
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
        List<Sum> order = new ArrayList<>(stacks.values());
        order.sort(Comparator.comparing((Sum s) -> !isMain(s.thread)).thenComparingLong(s -> -s.weight));
        List<Stack> kept = new ArrayList<>();
        for (Sum s : order.subList(0, Math.min(MAX_KEPT, order.size()))) {
            int[] frames = s.frames.stream().mapToInt(names::id).toArray();
            kept.add(new Stack(names.id(s.thread), s.active, s.weight, frames));
        }
        return new StackRecord(0, rank, names.id(process), kept, samples, sampled);
    }

    /** In samples of several threads the heaviest counts, whosever it is. */
    private boolean isMain(String thread) {
        return !sampled && thread.equals(StackFrames.MAIN_THREAD);
    }
}
