package dev.argus.stacks;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Memory of another process, read in batches: the pieces are named first and then copied, in their order, by one call of {@code
 * process_vm_readv}(2). The target neither stops nor notices.
 *
 * <pre>
 *   begin(); a = add(address, 144); b = add(other, 8); if (read() == COMPLETE) { getLong(a + 8) ... getLong(b) }
 * </pre>
 *
 * <p>What is copied ends up in an array of words, and pieces are listed in another: single accesses to native memory cost much until the compiler
 * has seen them often, and at 20 samples a second that takes minutes.
 *
 * <p>Bounds: {@value #MAX_PIECES} pieces and {@value #CAPACITY} bytes a batch. Cost: one system call, measured at 1.2 us and 0.4 us a piece.
 * Belongs to one thread. Of another process' memory nothing can be believed, not even that it stays while it is copied.
 */
final class ForeignMemory implements AutoCloseable {
    /** What Linux takes in one call (IOV_MAX). */
    static final int MAX_PIECES = 1024;

    static final int CAPACITY = 768 << 10;

    /** Errors of {@link #read}, negated as Linux does. */
    static final int EPERM = -1;

    static final int ESRCH = -3;
    private static final int EFAULT = -14;

    /** Everything was copied. */
    static final int COMPLETE = 0;

    /** Something is not mapped. */
    static final int PARTIAL = 1;

    private static final long LOWEST = 4096;
    private static final long HIGHEST = 1L << 56;
    private static final int IOVEC = 16;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int pid;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment data = arena.allocate(CAPACITY, 64);
    private final MemorySegment local = arena.allocate(IOVEC, 8);
    private final MemorySegment remote = arena.allocate((long) IOVEC * MAX_PIECES, 8);

    // As numbers: a call with them is shorter than one with segments, whose lives are looked after each time.
    private final long dataAddress = data.address();
    private final long localAddress = local.address();
    private final long remoteAddress = remote.address();
    private final MemorySegment errno = arena.allocate(Native.STATE);
    private final long[] list = new long[2 * MAX_PIECES];
    private long[] words = new long[1024];
    private int pieces;
    private int donePieces;
    private int total;
    private int done;
    private long calls;

    /** Reads nothing yet. */
    ForeignMemory(int pid) {
        this.pid = pid;
    }

    int pid() {
        return pid;
    }

    /** Starts a new batch; what the last one brought is gone. */
    void begin() {
        pieces = 0;
        donePieces = 0;
        total = 0;
        done = 0;
    }

    /** True for what can be an address in a process; the lowest page never is. */
    static boolean possible(long address) {
        return address >= LOWEST && address < HIGHEST;
    }

    /**
     * Adds a piece to the batch.
     *
     * @return where its bytes will be; -1 if that cannot be an address, or there is no room
     */
    int add(long address, int length) {
        if (!possible(address) || length <= 0 || pieces == MAX_PIECES || length > CAPACITY - 8 - total) {
            return -1;
        }
        int at = total;
        list[2 * pieces] = address;
        list[2 * pieces + 1] = length;
        pieces++;
        total += length;
        return at;
    }

    /** Bytes asked for so far, so where the next piece will be. */
    int total() {
        return total;
    }

    /**
     * Copies the pieces added since the last call; what was copied before stays.
     *
     * @return {@link #COMPLETE}; or {@link #PARTIAL} where a piece is not mapped, of which nothing behind it is copied; else an error,
     *     negative
     */
    int read() {
        if (pieces == donePieces) {
            return COMPLETE;
        }
        int from = done;
        int asked = total - from;
        int first = donePieces;
        long got = call(from, asked, first);
        calls++;
        donePieces = pieces;
        total = (total + 7) & -8; // the next group begins at a word
        done = total;
        if (got < 0) {
            int error = -(int) Native.ERRNO.get(errno, 0L);
            return error == EFAULT ? PARTIAL : error;
        }
        int end = total >> 3;
        if (end > words.length) {
            words = Arrays.copyOf(words, Math.max(end, Math.min(CAPACITY >> 3, 2 * words.length)));
        }
        MemorySegment.copy(data, LONG, from, words, from >> 3, end - (from >> 3));
        return got == asked ? COMPLETE : PARTIAL;
    }

    private long call(int from, int asked, int first) {
        int count = pieces - first;
        MemorySegment.copy(list, 2 * first, remote, LONG, (long) first * IOVEC, 2 * count);
        local.set(LONG, 0, dataAddress + from);
        local.set(LONG, 8, asked);
        try {
            return (long) Native.READ.invokeExact(
                    errno, pid, localAddress, 1L, remoteAddress + (long) first * IOVEC, (long) count, 0L);
        } catch (Throwable impossible) {
            throw new AssertionError("process_vm_readv could not be called", impossible);
        }
    }

    /** System calls so far. */
    long calls() {
        return calls;
    }

    /** Reads one piece; false if it could not be read whole. */
    boolean readOnly(long address, int length) {
        begin();
        return add(address, length) == 0 && read() == COMPLETE;
    }

    /** Eight bytes, at a multiple of eight. */
    long getLong(int at) {
        return words[at >> 3];
    }

    /** Four bytes, at a multiple of four. */
    int getInt(int at) {
        return (int) (words[at >> 3] >>> (8 * (at & 4)));
    }

    int getByte(int at) {
        return (int) (words[at >> 3] >>> (8 * (at & 7))) & 0xFF;
    }

    /** The words there. */
    long[] words(int at, int length) {
        return Arrays.copyOfRange(words, at >> 3, (at + length) >> 3);
    }

    /** True if the words from {@code at + from} to {@code at + to} are those of the kept ones. */
    boolean equal(int at, long[] kept, int from, int to) {
        return Arrays.equals(words, (at + from) >> 3, (at + to) >> 3, kept, from >> 3, to >> 3);
    }

    byte[] bytes(int at, int length) {
        return data.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** True if the bytes there are all of those. */
    boolean equalBytes(int at, MemorySegment kept) {
        return MemorySegment.mismatch(data, at, at + kept.byteSize(), kept, 0, kept.byteSize()) < 0;
    }

    @Override
    public void close() {
        arena.close();
    }

    /** Looked up when first needed, so that a system without the call fails where it is asked for it. */
    @SuppressWarnings("restricted")
    private static final class Native {
        static final StructLayout STATE = Linker.Option.captureStateLayout();
        static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        static final MethodHandle READ = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker()
                                .defaultLookup()
                                .find("process_vm_readv")
                                .orElseThrow(() -> new UnsupportedOperationException(
                                        "this system has no process_vm_readv; expected Linux 3.2 or newer")),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG),
                        Linker.Option.captureCallState("errno"));

        private Native() {}
    }
}
