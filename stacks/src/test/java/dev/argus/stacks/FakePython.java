package dev.argus.stacks;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Structures of an interpreter in our own memory, by any layout: what a process could show, and what none ever would. */
final class FakePython implements AutoCloseable {
    static final int SIZE = 1 << 20;
    private static final int SELF = (int) ProcessHandle.current().pid();

    final PythonLayout layout;
    private final Arena arena = Arena.ofShared();
    final MemorySegment memory = arena.allocate(SIZE, 4096);
    private long used = 64;
    final long codeType;
    final long stringType;
    final long bytesType;
    final long interpreter;
    final long gil;
    final ForeignMemory foreign = new ForeignMemory(SELF);

    FakePython(PythonLayout layout) {
        this.layout = layout;
        this.codeType = take(64);
        this.stringType = take(64);
        this.bytesType = take(64);
        this.interpreter = take(1 << 14);
        this.gil = take(64);
    }

    final long take(int bytes) {
        long at = memory.address() + used;
        used += (bytes + 15) & -16;
        return at;
    }

    void word(long address, long value) {
        memory.set(JAVA_LONG_UNALIGNED, address - memory.address(), value);
    }

    void number(long address, int value) {
        memory.set(JAVA_INT_UNALIGNED, address - memory.address(), value);
    }

    void octet(long address, int value) {
        memory.set(JAVA_BYTE, address - memory.address(), (byte) value);
    }

    long string(String text) {
        long at = take(layout.asciiSize() + text.length() + 1);
        word(at + PythonLayout.OBJECT_TYPE, stringType);
        word(at + PythonLayout.STRING_LENGTH, text.length());
        number(at + layout.stringState(), (1 << 2) | (1 << 5) | (1 << 6));
        copy(text.getBytes(US_ASCII), at + layout.asciiSize());
        return at;
    }

    long bytes(byte[] data) {
        long at = take(PythonLayout.BYTES_DATA + data.length + 1);
        word(at + PythonLayout.OBJECT_TYPE, bytesType);
        word(at + PythonLayout.VAR_SIZE, data.length);
        copy(data, at + PythonLayout.BYTES_DATA);
        return at;
    }

    private void copy(byte[] data, long address) {
        MemorySegment.copy(data, 0, memory, JAVA_BYTE, address - memory.address(), data.length);
    }

    /** One unit a line, from the first line on. */
    long code(String name, String file, int line, int units) {
        long at = take(layout.codeBytes() + 2 * units);
        byte[] table = new byte[3 * units];
        for (int i = 0; i < units; i++) {
            table[3 * i] = (byte) (0x80 | (i == 0 ? 10 : 11) << 3);
        }
        word(at + PythonLayout.OBJECT_TYPE, codeType);
        word(at + PythonLayout.VAR_SIZE, units);
        number(at + layout.codeFirstLine(), line);
        word(at + layout.codeFilename(), string(file));
        word(at + layout.codeQualname(), string(name));
        word(at + layout.codeLines(), bytes(table));
        return at;
    }

    long frame(long code, int unit, long previous, int owner) {
        long at = take(layout.frameSpan() + 16);
        word(at + layout.frameCode(), code);
        word(at + layout.frameInstruction(), code + layout.codeBytes() + 2L * unit);
        word(at + layout.framePrevious(), previous);
        octet(at + layout.frameOwner(), owner);
        return at;
    }

    /** A thread, put in front of the others. */
    long thread(long frame, int id) {
        long at = take(layout.threadSpan());
        word(at + layout.threadInterp(), interpreter);
        word(at + layout.threadNativeId(), id);
        current(at, frame);
        word(at + layout.threadNext(), memory.get(JAVA_LONG_UNALIGNED, head() - memory.address()));
        word(head(), at);
        return at;
    }

    long head() {
        return interpreter + layout.interpreterThreads();
    }

    void current(long thread, long frame) {
        if (layout.threadCframe() < 0) {
            word(thread + layout.currentFrame(), frame);
        } else {
            long cframe = take(16);
            word(cframe + layout.currentFrame(), frame);
            word(thread + layout.threadCframe(), cframe);
        }
    }

    PythonProcess process() {
        boolean locked = layout.gil() != PythonLayout.Gil.IN_RUNTIME;
        return new PythonProcess(
                new ProcessIdentity(SELF, 1),
                0x030b00f0 + ((long) (layout.minor() - 11) << 16),
                layout,
                interpreter,
                gil,
                locked ? gil + 8 : 0,
                codeType,
                stringType,
                bytesType,
                SELF);
    }

    @Override
    public void close() {
        foreign.close();
        arena.close();
    }
}
