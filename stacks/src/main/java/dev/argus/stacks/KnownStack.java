package dev.argus.stacks;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last stack of a thread with its names and the heads of its code objects as they were read: most samples differ from the one before in the
 * innermost frames only, and then a comparison of arrays replaces most of the work.
 *
 * <p>Bound: {@value #MAX_DEPTH} frames; deeper stacks are resolved anew every time.
 */
final class KnownStack {
    private static final int MAX_DEPTH = 128;

    private int depth;
    private long[] codes = new long[0];
    private long[] instructions = new long[0];
    private @Nullable String[] names = new String[0];
    private @Nullable CodeEntry[] entries = new CodeEntry[0];
    private long[] heads = new long[0];
    private long dueNanos;

    void forget() {
        depth = 0;
    }

    /**
     * Names a stack of the same code objects.
     *
     * @param headsAt where the batch has the heads, in the order of the plan
     * @param headsEnd their end
     * @return false if it is another stack, a head changed, or something is due to be compared
     */
    boolean name(
            ForeignMemory memory,
            int headsAt,
            int headsEnd,
            long[] newCodes,
            long[] newInstructions,
            int newDepth,
            long nowNanos,
            String[] to) {
        if (newDepth != depth
                || nowNanos - dueNanos >= 0
                || headsEnd - headsAt != 8 * heads.length
                || !Arrays.equals(newCodes, 0, depth, codes, 0, depth)
                || !memory.equal(headsAt, heads, 0, 8 * heads.length)) {
            return false;
        }
        for (int i = 0; i < depth; i++) {
            String name = names[i];
            if (name == null || newInstructions[i] != instructions[i]) {
                CodeEntry entry = entries[i];
                name = entry == null ? null : entry.frame(newInstructions[i]);
                if (name == null) {
                    return false;
                }
                names[i] = name;
                instructions[i] = newInstructions[i];
            }
            to[i] = name;
        }
        return true;
    }

    /** Keeps a stack that was resolved, if the batch had the heads of all its code objects. */
    void keep(
            ForeignMemory memory,
            int headsAt,
            int headsEnd,
            long[] newCodes,
            long[] newInstructions,
            @Nullable CodeEntry[] newEntries,
            int newDepth,
            String[] newNames) {
        depth = 0;
        if (newDepth > MAX_DEPTH || newDepth == 0) {
            return;
        }
        if (codes.length < newDepth) {
            int room = Math.min(MAX_DEPTH, newDepth + 8);
            codes = new long[room];
            instructions = new long[room];
            names = new String[room];
            entries = new CodeEntry[room];
        }
        long due = Long.MAX_VALUE;
        for (int i = 0; i < newDepth; i++) {
            CodeEntry entry = newEntries[i];
            if (entry == null) {
                return;
            }
            due = i == 0 || entry.dueNanos() - due < 0 ? entry.dueNanos() : due;
            codes[i] = newCodes[i];
            instructions[i] = newInstructions[i];
            names[i] = newNames[i];
            entries[i] = entry;
        }
        dueNanos = due;
        heads = memory.words(headsAt, headsEnd - headsAt);
        depth = newDepth;
    }
}
