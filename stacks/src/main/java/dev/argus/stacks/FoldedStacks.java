package dev.argus.stacks;

import dev.argus.model.NameTable;
import dev.argus.model.StackRecord;
import dev.argus.model.StackRecord.Stack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stacks of one process over one window: equal ones of a thread's name are added up.
 *
 * <p>Bounds: as many distinct stacks as it is made for; what comes when there is no room is counted ({@link #beyond}). Of a stack the {@value
 * #MAX_FRAMES} innermost frames count; one that has more ends in {@value #CUT}. Cost: one hash of the frames a stack, whose names keep theirs; none where the
 * very list was among the last.
 */
public final class FoldedStacks {
    /** Frames of a stack in a record, as of those that are read from files. */
    public static final int MAX_FRAMES = 128;

    /** The outermost frame of a stack that was cut. */
    public static final String CUT = "(more callers)";

    private record Key(String thread, List<String> frames) {}

    private static final class Sum {
        long weight;
        boolean active;
        boolean main;
    }

    /** One of the last stacks, told by the list itself. */
    private record Recent(String thread, List<String> frames, Sum sum) {}

    private static final int RECENT = 8;

    private final int bound;
    private final @Nullable Recent[] recent = new Recent[RECENT];
    private int next;
    private final Map<Key, Sum> stacks = new HashMap<>();
    private long samples;
    private long beyond;

    /**
     * Of an empty window.
     *
     * @param bound most distinct stacks, at least 1
     */
    public FoldedStacks(int bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound " + bound + ": expected at least 1");
        }
        this.bound = bound;
    }

    /** Adds a sample by its weight. */
    public void add(SampledStack stack) {
        samples += stack.weight();
        Sum sum = recent(stack);
        if (sum == null) {
            sum = sum(stack);
        }
        if (sum == null) {
            beyond += stack.weight();
            return;
        }
        sum.weight += stack.weight();
        sum.active |= stack.active();
        sum.main |= stack.main();
    }

    @SuppressWarnings("ReferenceEquality") // a fast way for the very same list; others are hashed
    private @Nullable Sum recent(SampledStack stack) {
        for (Recent r : recent) {
            if (r != null && r.frames == stack.frames() && r.thread.equals(stack.threadName())) {
                return r.sum;
            }
        }
        return null;
    }

    private @Nullable Sum sum(SampledStack stack) {
        Key key = new Key(stack.threadName(), kept(stack));
        Sum sum = stacks.get(key);
        if (sum == null) {
            if (stacks.size() >= bound) {
                return null;
            }
            sum = new Sum();
            stacks.put(key, sum);
        }
        if (!stack.cut()) {
            recent[next] = new Recent(stack.threadName(), stack.frames(), sum);
            next = (next + 1) % RECENT;
        }
        return sum;
    }

    private static List<String> kept(SampledStack stack) {
        List<String> frames = stack.frames();
        if (frames.size() <= MAX_FRAMES && !stack.cut()) {
            return frames;
        }
        List<String> kept = new ArrayList<>(frames.subList(0, Math.min(frames.size(), MAX_FRAMES - 1)));
        kept.add(CUT);
        return List.copyOf(kept);
    }

    /** Weight of everything that was added. */
    public long samples() {
        return samples;
    }

    /** Weight of what there was no room for. */
    public long beyond() {
        return beyond;
    }

    /** Distinct stacks so far. */
    public int size() {
        return stacks.size();
    }

    /** Begins the next window. */
    public void clear() {
        stacks.clear();
        Arrays.fill(recent, null);
        samples = 0;
        beyond = 0;
    }

    /**
     * The window as a record of its heaviest stacks, those of the main thread first; equal weights in the order of their frames, so that the same samples give the same record.
     *
     * @param attempt of the job
     * @param rank global rank, -1 if unknown
     * @param process what tells it from others
     * @param keep most stacks of the record
     * @param names gets the names of what is kept, and no others
     */
    public StackRecord record(int attempt, int rank, String process, int keep, NameTable names) {
        List<Map.Entry<Key, Sum>> order = new ArrayList<>(stacks.entrySet());
        order.sort((a, b) -> {
            if (a.getValue().main != b.getValue().main) {
                return a.getValue().main ? -1 : 1;
            }
            int byWeight = Long.compare(b.getValue().weight, a.getValue().weight);
            return byWeight != 0 ? byWeight : compare(a.getKey(), b.getKey());
        });
        List<Stack> kept = new ArrayList<>();
        for (Map.Entry<Key, Sum> entry : order.subList(0, Math.min(keep, order.size()))) {
            int[] frames = entry.getKey().frames().stream().mapToInt(names::id).toArray();
            Sum sum = entry.getValue();
            kept.add(new Stack(names.id(entry.getKey().thread()), sum.active, sum.weight, frames));
        }
        return new StackRecord(attempt, rank, names.id(process), kept, samples, true);
    }

    private static int compare(Key a, Key b) {
        int byThread = a.thread().compareTo(b.thread());
        for (int i = 0;
                byThread == 0 && i < Math.min(a.frames().size(), b.frames().size());
                i++) {
            byThread = a.frames().get(i).compareTo(b.frames().get(i));
        }
        return byThread != 0
                ? byThread
                : Integer.compare(a.frames().size(), b.frames().size());
    }
}
