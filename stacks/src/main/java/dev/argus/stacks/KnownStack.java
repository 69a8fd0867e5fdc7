package dev.argus.stacks;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last stack of a thread with its names: most samples differ from the one before in the innermost lines only, and then a comparison of arrays replaces most of the work. While no code object
 * of it is due to be compared, their heads need not be read either.
 *
 * <p>Bound: {@value #MAX_DEPTH} frames; deeper stacks are resolved anew every time.
 */
final class KnownStack {
    private static final int MAX_DEPTH = 128;

    private int depth;
    private long[] codes = new long[0];
    private long[] instructions = new long[0];
    private String[] names = new String[0];
    private @Nullable CodeEntry[] entries = new CodeEntry[0];
    private List<String> list = List.of();
    private boolean listed;
    private long dueNanos;

    void forget() {
        depth = 0;
    }

    /** True if there is a stack, and none of its code objects is to be compared with what is there now. */
    boolean trusted(long nowNanos) {
        return depth > 0 && nowNanos - dueNanos < 0;
    }

    /**
     * Names a stack of the same code objects.
     *
     * @return the same list as before where all lines are the same; null if it is another stack, or something is due to be compared
     */
    @Nullable
    List<String> name(long[] newCodes, long[] newInstructions, int newDepth, long nowNanos) {
        if (newDepth != depth || !trusted(nowNanos) || !Arrays.equals(newCodes, 0, depth, codes, 0, depth)) {
            return null;
        }
        for (int i = 0; i < depth; i++) {
            if (newInstructions[i] != instructions[i]) {
                CodeEntry entry = entries[i];
                String name = entry == null ? null : entry.frame(newInstructions[i]);
                if (name == null) {
                    return null;
                }
                listed &= name.equals(names[i]);
                names[i] = name;
                instructions[i] = newInstructions[i];
            }
        }
        return list();
    }

    /** Names as a list: the very one of the stack before where that has the same, for whoever adds up equal ones tells them by it. */
    List<String> listOf(String[] newNames, int newDepth) {
        boolean same = listed && list.size() == newDepth;
        for (int i = 0; i < newDepth && same; i++) {
            same = newNames[i].equals(list.get(i));
        }
        return same ? list : List.of(Arrays.copyOf(newNames, newDepth));
    }

    private List<String> list() {
        if (!listed) {
            list = List.of(Arrays.copyOf(names, depth));
            listed = true;
        }
        return list;
    }

    /** Keeps a stack that was resolved. */
    void keep(
            long[] newCodes,
            long[] newInstructions,
            @Nullable CodeEntry[] newEntries,
            int newDepth,
            List<String> newNames) {
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
            names[i] = newNames.get(i);
            entries[i] = entry;
        }
        dueNanos = due;
        list = newNames;
        listed = true;
        depth = newDepth;
    }
}
