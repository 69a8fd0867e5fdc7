package dev.argus.stacks;

import org.jspecify.annotations.Nullable;

/**
 * Where the fields of CPython's structures are, in bytes: one entry a version.
 *
 * <pre>
 *  _PyRuntime            PyInterpreterState       PyThreadState            _PyInterpreterFrame
 *  +-------------------+ +---------------------+  +---------------------+  +----------------------+
 *  | interpretersHead ----&gt; interpreterThreads ---&gt; threadNext -&gt; ...   |  | frameCode --------.  |
 *  | gilHolder (3.11)  | | gilPointer (3.12) -.|  | threadInterp        |  | framePrevious ->  |  |
 *  +-------------------+ | gilHolder  (3.13+) ||  | threadNativeId      |  | frameInstruction  |  |
 *                        +--------------------|+  | threadCframe -.     |  | frameOwner        |  |
 *                              _gil  &lt;--------'   |  (3.11, 3.12) |     |  +-------------------|--+
 *                        +---------------------+  | currentFrame  |     |    PyCodeObject  &lt;---'
 *                        | holder, locked      |  |  (3.13+) -----|-----|--&gt; +---------------------+
 *                        +---------------------+  +---------------|-----+    | ob_type, ob_size    |
 *                                                     _PyCFrame &lt;-'          | codeFirstLine       |
 *                                                 +---------------------+    | codeFilename -&gt; str |
 *                                                 | currentFrame  ---&gt; frame | codeQualname -&gt; str |
 *                                                 +---------------------+    | codeLines -&gt; bytes  |
 *                                                                            | codeBytes: code     |
 *                                                                            +---------------------+
 * </pre>
 *
 * <p>Source: 3.11 and 3.12 by {@code offsetof} over the headers that come with those versions ({@code pycore_runtime.h}, {@code pycore_interp.h},
 * {@code pycore_frame.h}, {@code cpython/pystate.h}, {@code cpython/code.h}), x86-64, the same for 3.11.2 and 3.11.7. Such structures stay as they are
 * within a minor version. From 3.13 on the process says where its fields are ({@link DebugOffsets}); the table has none of those.
 *
 * @param minor of Python 3
 * @param interpretersHead in the runtime
 * @param interpreterThreads the newest thread, in the interpreter
 * @param gil where it is said who holds the GIL
 * @param gilPointer in the interpreter, if the GIL is pointed to; else unused
 * @param gilHolder the thread state that holds it, in whatever {@code gil} says
 * @param gilLocked an int, likewise; -1 if the holder is null when nobody holds it
 * @param threadNext in the thread state
 * @param threadInterp its interpreter
 * @param threadNativeId as {@code gettid} says
 * @param threadCframe the C frame; -1 if the current frame is in the thread state itself
 * @param currentFrame in the C frame, else in the thread state
 * @param framePrevious the caller
 * @param frameCode its code object, perhaps with tag bits
 * @param frameInstruction the instruction at work
 * @param frameOwner one byte
 * @param ownersBeyond owners from here on are no Python frames but marks of an entry from C
 * @param codeFirstLine an int
 * @param codeFilename a string
 * @param codeQualname a string
 * @param codeLines bytes of the table of lines
 * @param codeBytes where its instructions begin
 * @param mutableFrom bytes before {@code codeLines} that change while it is in use, beginning, a multiple of eight; equal to {@code mutableTo} if there are none
 * @param mutableTo their end
 * @param stringState an int, bits 2 to 4 the bytes a character, bit 5 compact, bit 6 ASCII
 * @param asciiSize size of an ASCII string without its characters
 * @param compactSize the same of others
 */
record PythonLayout(
        int minor,
        int interpretersHead,
        int interpreterThreads,
        Gil gil,
        int gilPointer,
        int gilHolder,
        int gilLocked,
        int threadNext,
        int threadInterp,
        int threadNativeId,
        int threadCframe,
        int currentFrame,
        int framePrevious,
        int frameCode,
        int frameInstruction,
        int frameOwner,
        int ownersBeyond,
        int codeFirstLine,
        int codeFilename,
        int codeQualname,
        int codeLines,
        int codeBytes,
        int mutableFrom,
        int mutableTo,
        int stringState,
        int asciiSize,
        int compactSize) {
    /** Where it is said who holds the GIL. */
    enum Gil {
        IN_RUNTIME,
        POINTED_TO,
        IN_INTERPRETER
    }

    /** The same in every version: {@code PyObject_VAR_HEAD} and what follows in strings and bytes. */
    static final int OBJECT_TYPE = 8;

    static final int VAR_SIZE = 16;
    static final int STRING_LENGTH = 16;
    static final int BYTES_DATA = 32;

    /** Of pointers to objects; those of 3.14 carry two bits of their own. */
    static final long TAG_BITS = 3;

    /** Owner of a frame that is part of a generator or coroutine. */
    static final int OWNED_BY_GENERATOR = 1;

    private static final PythonLayout PYTHON_3_11 = new PythonLayout(
            11,
            40,
            16,
            Gil.IN_RUNTIME,
            -1,
            576,
            -1,
            8,
            16,
            160,
            56,
            8,
            48,
            32,
            56,
            69,
            3,
            72,
            112,
            128,
            136,
            184,
            52,
            56,
            32,
            48,
            72);

    private static final PythonLayout PYTHON_3_12 = new PythonLayout(
            12,
            40,
            72,
            Gil.POINTED_TO,
            384,
            8,
            16,
            8,
            16,
            144,
            56,
            0,
            8,
            0,
            56,
            70,
            3,
            68,
            112,
            128,
            136,
            192,
            0,
            0,
            32,
            40,
            56);

    /** The layout of 3.{@code minor}, or null if it is none of the table. */
    static @Nullable PythonLayout ofMinor(int minor) {
        return switch (minor) {
            case 11 -> PYTHON_3_11;
            case 12 -> PYTHON_3_12;
            default -> null;
        };
    }

    /** Bytes of a thread state that are read. */
    int threadSpan() {
        int last = Math.max(Math.max(threadNext, threadInterp), threadNativeId);
        return words(Math.max(last, threadCframe < 0 ? currentFrame : threadCframe) + 8);
    }

    /** Bytes of a frame that are read. */
    int frameSpan() {
        return words(Math.max(Math.max(framePrevious, frameCode), Math.max(frameInstruction, frameOwner)) + 1);
    }

    /**
     * Bytes of a code object that are read, beginning with its type: the reference count before changes all the time. They are compared but for what
     * changes in use.
     */
    int codeSpan() {
        return words(
                Math.max(Math.max(codeFirstLine, codeFilename), Math.max(codeQualname, codeLines)) + 8 - OBJECT_TYPE);
    }

    private static int words(int bytes) {
        return (bytes + 7) & -8;
    }
}
