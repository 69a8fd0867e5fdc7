package dev.argus.stacks;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Code objects of one process by address, the least used forgotten first: at most {@value #MAX_ENTRIES}, {@value #MAX_BYTES} bytes.
 *
 * <p>An address is no identity: Python uses memory again at once. So the head of a code object, its name, file and lines are compared with every sample until it has been seen
 * {@value #TRUSTED_AFTER} times and for five seconds, then each eighth of the time it has been known for, between one and eight seconds: code that came so far stays as a rule, and if it were replaced by other code, that would be
 * noticed then, or at once where an instruction is none of its own.
 */
final class CodeCache {
    static final int TRUSTED_AFTER = 16;
    static final long YOUNG_NANOS = 5_000_000_000L;
    static final long CHECK_NANOS = 1_000_000_000L;

    /** No code object is trusted for longer. */
    static final long LATEST_CHECK_NANOS = 8_000_000_000L;

    static final int CHECKS_OF_AGE = 8;
    private static final int MAX_ENTRIES = 4096;
    private static final int MAX_BYTES = 8 << 20;

    private final ForeignMemory memory;
    private final PythonProcess python;
    private final LinkedHashMap<Long, CodeEntry> entries = new LinkedHashMap<>(256, 0.75f, true);
    private int bytes;

    CodeCache(ForeignMemory memory, PythonProcess python) {
        this.memory = memory;
        this.python = python;
    }

    @Nullable
    CodeEntry get(long address) {
        return entries.get(address);
    }

    int size() {
        return entries.size();
    }

    void forget(CodeEntry entry) {
        if (entries.remove(entry.address, entry)) {
            bytes -= entry.bytes();
        }
    }

    /** Adds the head of a code object to the batch. */
    int addHead(long address) {
        return memory.add(address + PythonLayout.OBJECT_TYPE, python.layout().codeSpan());
    }

    /** True if the head there is that of a code object. */
    boolean isCode(int at) {
        long size = memory.getLong(at + PythonLayout.VAR_SIZE - PythonLayout.OBJECT_TYPE);
        return memory.getLong(at) == python.codeType() && size > 0 && size <= 1 << 24;
    }

    /**
     * Reads what a head points to, and the head once more, in the current batch.
     *
     * @param at its head in the batch
     * @return null if that cannot be a code object, or it changed meanwhile
     */
    @Nullable
    CodeEntry load(long address, int at, long nowNanos) {
        PythonLayout layout = python.layout();
        if (!isCode(at)) {
            return null;
        }
        long[] head = memory.words(at, layout.codeSpan());
        int span = ForeignText.headSpan(layout);
        long qualname = memory.getLong(at + layout.codeQualname() - PythonLayout.OBJECT_TYPE);
        long file = memory.getLong(at + layout.codeFilename() - PythonLayout.OBJECT_TYPE);
        long lines = memory.getLong(at + layout.codeLines() - PythonLayout.OBJECT_TYPE);
        int qualnameAt = memory.add(qualname, span);
        int fileAt = memory.add(file, span);
        int linesAt = memory.add(lines, span);
        if (qualnameAt < 0 || fileAt < 0 || linesAt < 0 || memory.read() != ForeignMemory.COMPLETE) {
            return null;
        }
        ForeignText name = ForeignText.string(memory, qualnameAt, qualname, python);
        ForeignText path = ForeignText.string(memory, fileAt, file, python);
        ForeignText table = ForeignText.bytes(memory, linesAt, lines, python);
        if (name == null || path == null || table == null) {
            return null;
        }
        int again = addHead(address);
        int nameAt = name.add(memory);
        int pathAt = path.add(memory);
        int tableAt = table.add(memory);
        if (nameAt < 0 || pathAt < 0 || tableAt < 0 || again < 0 || memory.read() != ForeignMemory.COMPLETE) {
            return null;
        }
        CodeEntry entry = new CodeEntry(
                address,
                head,
                layout,
                name.with(memory.bytes(nameAt, name.length())),
                path.with(memory.bytes(pathAt, path.length())),
                table.with(memory.bytes(tableAt, table.length())),
                nowNanos);
        if (!entry.matches(memory, again)) {
            return null;
        }
        keep(entry);
        return entry;
    }

    private void keep(CodeEntry entry) {
        CodeEntry before = entries.put(entry.address, entry);
        bytes += entry.bytes() - (before == null ? 0 : before.bytes());
        while (entries.size() > MAX_ENTRIES || bytes > MAX_BYTES) {
            Map.Entry<Long, CodeEntry> eldest = entries.firstEntry();
            if (eldest.getValue() == entry) {
                return;
            }
            bytes -= eldest.getValue().bytes();
            entries.remove(eldest.getKey());
        }
    }

    /** Places in the batch for comparing an entry whole: head, three heads, three data; -1 where there was no room. */
    static final int CHECK_PIECES = 7;

    /** Adds what {@link #unchanged} needs; false if there is no room, and then it is not due yet. */
    boolean addCheck(CodeEntry entry, int[] places, int from) {
        int span = ForeignText.headSpan(python.layout());
        ForeignText[] texts = {entry.qualname, entry.file, entry.lines};
        places[from] = addHead(entry.address);
        boolean all = places[from] >= 0;
        for (int i = 0; i < texts.length; i++) {
            places[from + 1 + 2 * i] = memory.add(texts[i].address(), span);
            places[from + 2 + 2 * i] = texts[i].add(memory);
            all &= places[from + 1 + 2 * i] >= 0 && places[from + 2 + 2 * i] >= 0;
        }
        return all;
    }

    /** True if head, name, file and lines are what they were. */
    boolean unchanged(CodeEntry entry, int[] places, int from) {
        return entry.matches(memory, places[from])
                && entry.qualname.matches(memory, places[from + 1], places[from + 2], python)
                && entry.file.matches(memory, places[from + 3], places[from + 4], python)
                && entry.lines.matches(memory, places[from + 5], places[from + 6], python);
    }
}
