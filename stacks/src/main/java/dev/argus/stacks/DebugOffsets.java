package dev.argus.stacks;

import dev.argus.stacks.PythonLayout.Gil;

/**
 * What Python 3.13 and newer say of themselves: {@code _Py_DebugOffsets}, the first member of {@code _PyRuntime}. All numbers have eight
 * bytes.
 *
 * <pre>
 *  index  3.13                            3.14
 *  0      cookie "xdebugpy"               the same
 *  1      version (PY_VERSION_HEX)        the same
 *  2      free_threaded                   the same
 *  3..5   runtime                         the same
 *  6..    interpreter, 13 numbers         16: threads_main after threads_head; code_object_generation, tlbc_generation at the end
 *  ..     thread, 9                       the same, 9
 *  ..     frame, 6                        8: stackpointer, tlbc_index at the end
 *  ..     code, 10                        11: co_tlbc at the end
 *  ..     object 2, type 4, tuple 3,      the same, and set 4 after list
 *         list 3, dict 3, float 2,
 *         long 3, bytes 3, unicode 4
 * </pre>
 *
 * <p>Source: {@code Include/internal/pycore_runtime.h} of 3.13.0, {@code pycore_debug_offsets.h} of 3.14. The order is part of no interface, so
 * other versions are refused, and so is what cannot be an offset: the numbers come from another process.
 */
final class DebugOffsets {
    /** Bytes to read. */
    static final int LENGTH = 800;

    private static final long COOKIE = 0x7970_6775_6265_6478L; // "xdebugpy", little-endian
    private static final int RUNTIME = 3;
    private static final int INTERPRETER = 6;
    private static final int THREAD_COUNT = 9;
    private static final int MAX_RUNTIME = 1 << 20;
    private static final int MAX_OBJECT = 1 << 12;

    private final ForeignMemory memory;
    private final int at;

    private DebugOffsets(ForeignMemory memory, int at) {
        this.memory = memory;
        this.at = at;
    }

    /** True if the runtime begins with them. */
    static boolean recognises(ForeignMemory memory, int at) {
        return memory.getLong(at) == COOKIE;
    }

    /** PY_VERSION_HEX, such as 0x030d00f0. */
    static long version(ForeignMemory memory, int at) {
        return memory.getLong(at + 8);
    }

    /**
     * The layout they describe.
     *
     * @throws StackAccessException if the version is not known, or a number cannot be right
     */
    static PythonLayout layout(ForeignMemory memory, int at) throws StackAccessException {
        return new DebugOffsets(memory, at).layout();
    }

    private PythonLayout layout() throws StackAccessException {
        int minor = PythonVersions.supported(memory.getLong(at + 8));
        if (minor < 13) {
            throw new StackAccessException(
                    "Python 3." + minor + " with offsets for debuggers, which begin with 3.13: not believed");
        }
        if (number(2) != 0) {
            throw new StackAccessException("Python 3." + minor
                    + " without GIL (free-threaded): found, but only builds with the GIL are read; use py-spy for it");
        }
        boolean later = minor >= 14;
        int thread = INTERPRETER + (later ? 16 : 13);
        int frame = thread + THREAD_COUNT;
        int code = frame + (later ? 8 : 6);
        int objects = code + (later ? 11 : 10);
        int bytes = objects + 2 + 4 + 3 + 3 + (later ? 4 : 0) + 3 + 2 + 3;
        int unicode = bytes + 3;
        int gil = INTERPRETER + (later ? 12 : 11); // locked, then holder
        require(offset(objects + 1, MAX_OBJECT, 8) == PythonLayout.OBJECT_TYPE, "type of an object", objects + 1);
        require(number(bytes + 1) == PythonLayout.VAR_SIZE, "size of bytes", bytes + 1);
        require(number(bytes + 2) == PythonLayout.BYTES_DATA, "data of bytes", bytes + 2);
        require(number(unicode + 2) == PythonLayout.STRING_LENGTH, "length of a string", unicode + 2);
        require(
                number(gil + 1) >= 0 && number(gil) > number(gil + 1) && number(gil) - number(gil + 1) <= 64,
                "GIL",
                gil);
        int ascii = offset(unicode + 3, MAX_OBJECT, 8);
        return new PythonLayout(
                minor,
                offset(RUNTIME + 2, MAX_RUNTIME, 8),
                offset(INTERPRETER + 3, MAX_RUNTIME, 8),
                Gil.IN_INTERPRETER,
                -1,
                offset(gil + 1, MAX_RUNTIME, 8),
                offset(gil, MAX_RUNTIME, 4),
                offset(thread + 2, MAX_OBJECT, 8),
                offset(thread + 3, MAX_OBJECT, 8),
                offset(thread + 6, MAX_OBJECT, 8),
                -1,
                offset(thread + 4, MAX_OBJECT, 8),
                offset(frame + 1, MAX_OBJECT, 8),
                offset(frame + 2, MAX_OBJECT, 8),
                offset(frame + 3, MAX_OBJECT, 8),
                offset(frame + 5, MAX_OBJECT, 1),
                3,
                offset(code + 5, MAX_OBJECT, 4),
                offset(code + 1, MAX_OBJECT, 8),
                offset(code + 3, MAX_OBJECT, 8),
                offset(code + 4, MAX_OBJECT, 8),
                offset(code + 9, MAX_OBJECT, 1),
                0,
                0,
                offset(unicode + 1, MAX_OBJECT, 4),
                ascii,
                ascii + 16);
    }

    private long number(int index) {
        return memory.getLong(at + 8 * index);
    }

    private int offset(int index, int below, int multiple) throws StackAccessException {
        long value = number(index);
        require(value >= 0 && value < below && value % multiple == 0, "offset", index);
        return (int) value;
    }

    private void require(boolean holds, String what, int index) throws StackAccessException {
        if (!holds) {
            throw new StackAccessException("the offsets for debuggers in this process cannot be right: " + what
                    + ", number " + index + ", is " + number(index));
        }
    }
}
