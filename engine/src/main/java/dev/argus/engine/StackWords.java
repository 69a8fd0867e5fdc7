package dev.argus.engine;

import dev.argus.digest.StallWords;
import dev.argus.model.IncidentKind;
import dev.argus.model.NameTable;
import dev.argus.model.StackRecord.Stack;
import java.util.List;
import java.util.Locale;

/** What the frames of a Python process say that it does: whether it waits for others, else for what. */
final class StackWords {
    /** Frames looked at from the inside: what a process does stands there, why it does it further out. */
    private static final int INNER = 12;

    private static final String[] COLLECTIVES = {
        "distributed_c10d.py",
        "all_reduce",
        "allreduce",
        "all_gather",
        "reduce_scatter",
        "all_to_all",
        "barrier (",
        "broadcast (",
        "p2p_communication",
        "nccl",
        "work.wait",
        "_wait_for_work",
        "synchronize ("
    };

    private StackWords() {}

    /** True if it waits in a collective, or for the GPU, which does. */
    static boolean waits(NameTable names, Stack stack) {
        return has(names, stack, 4, COLLECTIVES);
    }

    /** The kind of stall; {@code cpu-stall} if nothing says more. */
    static IncidentKind kind(NameTable names, Stack stack) {
        for (IncidentKind kind : List.of(IncidentKind.GC_PAUSE, IncidentKind.JIT_STALL, IncidentKind.DATA_STALL)) {
            for (int i = 0; i < Math.min(INNER, stack.frames().length); i++) {
                if (StallWords.says(kind, names.name(stack.frames()[i]))) {
                    return kind;
                }
            }
        }
        return IncidentKind.CPU_STALL;
    }

    private static boolean has(NameTable names, Stack stack, int inner, String... words) {
        for (int i = 0; i < Math.min(inner, stack.frames().length); i++) {
            String frame = names.name(stack.frames()[i]).toLowerCase(Locale.ROOT);
            for (String word : words) {
                if (frame.contains(word)) {
                    return true;
                }
            }
        }
        return false;
    }
}
