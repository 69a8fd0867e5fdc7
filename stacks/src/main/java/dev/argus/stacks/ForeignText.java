package dev.argus.stacks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.argus.model.StackFrames;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A string or bytes object as it was read: enough of it to know it again.
 *
 * @param address of the object
 * @param dataOffset where its characters begin
 * @param count characters or bytes, as the object says
 * @param kind bytes a character: 1, 2 or 4; 0 for bytes
 * @param data the first of them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ForeignText(long address, int dataOffset, long count, int kind, byte[] data) {
    /** Of a table of lines; a longer one is read so far. */
    static final int MAX_LINES = 64 << 10;

    private static final int MAX_NAME_BYTES = 4 * 4096; // of a path, as long as Linux allows

    /** Bytes of an object that say how long it is. */
    static int headSpan(PythonLayout layout) {
        return (Math.max(PythonLayout.BYTES_DATA, layout.stringState() + 4) + 7) & -8;
    }

    /** How much of a string is to be read, from its head; null if that is no string. */
    static @Nullable ForeignText string(ForeignMemory memory, int at, long address, PythonProcess python) {
        PythonLayout layout = python.layout();
        int state = memory.getInt(at + layout.stringState());
        int kind = (state >> 2) & 7;
        boolean compact = ((state >> 5) & 1) == 1;
        boolean ascii = ((state >> 6) & 1) == 1;
        long count = memory.getLong(at + PythonLayout.STRING_LENGTH);
        if (memory.getLong(at + PythonLayout.OBJECT_TYPE) != python.stringType()
                || !compact
                || (kind != 1 && kind != 2 && kind != 4)
                || count < 0
                || count > Integer.MAX_VALUE) {
            return null;
        }
        int length = (int) Math.min(count * kind, MAX_NAME_BYTES);
        return new ForeignText(
                address, ascii ? layout.asciiSize() : layout.compactSize(), count, kind, new byte[length]);
    }

    /** The same of bytes. */
    static @Nullable ForeignText bytes(ForeignMemory memory, int at, long address, PythonProcess python) {
        long count = memory.getLong(at + PythonLayout.VAR_SIZE);
        if (memory.getLong(at + PythonLayout.OBJECT_TYPE) != python.bytesType() || count < 0 || count > 1 << 30) {
            return null;
        }
        return new ForeignText(address, PythonLayout.BYTES_DATA, count, 0, new byte[(int) Math.min(count, MAX_LINES)]);
    }

    int length() {
        return data.length;
    }

    ForeignText with(byte[] newData) {
        return new ForeignText(address, dataOffset, count, kind, newData);
    }

    /** Adds its bytes to the batch, up to a whole word, which an object always has; -1 if there is no room; where nothing is to be read, 0. */
    int add(ForeignMemory memory) {
        return data.length == 0 ? 0 : memory.add(address + dataOffset, (data.length + 7) & -8);
    }

    /** True if head and data are those of this object still. */
    boolean matches(ForeignMemory memory, int headAt, int dataAt, PythonProcess python) {
        ForeignText now = kind == 0 ? bytes(memory, headAt, address, python) : string(memory, headAt, address, python);
        return now != null
                && now.count == count
                && now.kind == kind
                && now.dataOffset == dataOffset
                && (data.length == 0 || memory.equalBytes(dataAt, MemorySegment.ofArray(data)));
    }

    /** Its characters, as many as are kept of a path. */
    String string() {
        if (kind == 1) {
            return new String(data, ISO_8859_1); // ASCII too; what is beyond Latin-1 has another kind
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i + kind <= data.length && text.length() < 4 * StackFrames.MAX_NAME; i += kind) {
            int c = (data[i] & 0xFF) | ((data[i + 1] & 0xFF) << 8);
            if (kind == 4) {
                c |= ((data[i + 2] & 0xFF) << 16) | ((data[i + 3] & 0xFF) << 24);
            }
            text.appendCodePoint(Character.isValidCodePoint(c) ? c : 0xFFFD);
        }
        return text.toString();
    }
}
