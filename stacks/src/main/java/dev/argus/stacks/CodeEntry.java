package dev.argus.stacks;

import dev.argus.model.StackFrames;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A code object as it was read, and the names of its frames. */
final class CodeEntry {
    private static final int LINES = 16; // remembered, by place; a power of two

    final long address;
    private final long[] head; // from its type on
    private final PythonLayout layout;
    final ForeignText qualname;
    final ForeignText file;
    final ForeignText lines;
    private final String function;
    private final String shortFile;
    private final int firstLine;
    private final long units;
    private final int[] knownUnits = new int[LINES];
    private final @Nullable String[] knownNames = new String[LINES];
    private final long firstNanos;
    private int checks;
    private long checkedNanos;

    CodeEntry(
            long address,
            long[] head,
            PythonLayout layout,
            ForeignText qualname,
            ForeignText file,
            ForeignText lines,
            long nowNanos) {
        this.address = address;
        this.head = head;
        this.layout = layout;
        this.qualname = qualname;
        this.file = file;
        this.lines = lines;
        this.function = StackFrames.cut(qualname.string());
        this.shortFile = StackFrames.cut(StackFrames.shortFile(file.string()));
        int line = layout.codeFirstLine() - PythonLayout.OBJECT_TYPE;
        this.firstLine = Math.max(0, (int) (head[line >> 3] >>> (8 * (line & 4))));
        this.units = head[(PythonLayout.VAR_SIZE - PythonLayout.OBJECT_TYPE) >> 3];
        this.firstNanos = nowNanos;
        this.checkedNanos = nowNanos;
        Arrays.fill(knownUnits, Integer.MIN_VALUE);
    }

    /** True if what the batch has at that place is this code object, but for its reference count and what changes in use. */
    boolean matches(ForeignMemory memory, int at) {
        int end = 8 * head.length;
        int changing = layout.mutableTo() - PythonLayout.OBJECT_TYPE;
        return changing <= 0
                ? memory.equal(at, head, 0, end)
                : memory.equal(at, head, 0, layout.mutableFrom() - PythonLayout.OBJECT_TYPE)
                        && memory.equal(at, head, changing, end);
    }

    /** True if head, name, file and lines are to be compared again: always while it is new, then each {@link #interval}. */
    boolean due(long nowNanos) {
        return nowNanos - dueNanos() >= 0;
    }

    /** When that is so at the latest. */
    long dueNanos() {
        boolean young = checks < CodeCache.TRUSTED_AFTER || checkedNanos - firstNanos < CodeCache.YOUNG_NANOS;
        return young ? checkedNanos : checkedNanos + interval();
    }

    /** An eighth of the time for which it has been the same: who has stayed long is expected to stay as long again. */
    long interval() {
        return Math.clamp(
                (checkedNanos - firstNanos) / CodeCache.CHECKS_OF_AGE,
                CodeCache.CHECK_NANOS,
                CodeCache.LATEST_CHECK_NANOS);
    }

    void checked(long nowNanos) {
        checks++;
        checkedNanos = nowNanos;
    }

    /** Footprint, about. */
    int bytes() {
        return 512 + qualname.length() + file.length() + lines.length() + 2 * (function.length() + shortFile.length());
    }

    /** The frame at that instruction in words; null if the instruction is none of its own. */
    @Nullable
    String frame(long instruction) {
        long offset = instruction - (address + layout.codeBytes());
        if (offset < -2 || offset > 2 * units || (offset & 1) != 0) {
            return null;
        }
        int unit = (int) (offset >> 1);
        int slot = unit & (LINES - 1);
        String known = knownNames[slot];
        if (knownUnits[slot] == unit && known != null) {
            return known;
        }
        int line = LineTable.line(lines.data(), firstLine, unit);
        String name = StackFrames.named(function, shortFile, Integer.toString(line));
        for (String other : knownNames) {
            if (name.equals(other)) {
                name = other; // one object a line
                break;
            }
        }
        knownUnits[slot] = unit;
        knownNames[slot] = name;
        return name;
    }
}
