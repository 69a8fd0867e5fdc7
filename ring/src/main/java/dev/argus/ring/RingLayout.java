package dev.argus.ring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Where everything lies in a ring file, little-endian; the only place that knows.
 *
 * <pre>
 *    0 magic 8 "ARGUSRNG"
 *    8 major 2 | minor 2 | header bytes 4        16 record bytes 4 | producer 4
 *   24 capacity 8, in records                     32 session 8
 *   40 process id 4 | clock of the records 4      48 start ticks 8
 *   56 rank 4 | local rank 4                      64 world size 4 | 0
 *   72 inode of the pid namespace 8               80 zero
 *  ------------------------------ the producer writes ------------------------------
 *  128 writePosition 8                           136 heartbeat 8
 *  144 control word obeyed 8                     152 state 4 | why off 4
 *  160 dropped, 12 x 8, by reason
 *  ------------------------------ the agent writes ---------------------------------
 *  256 readPosition 8                            264 heartbeat of the agent 8
 *  272 process id of the agent 4 | 0             280 control word 8
 *  288 zero
 * 4096 records of 32 bytes; that of position p at 4096 + 32 x (p mod capacity)
 *
 *  a record, as four words:
 *        | 0 type | 1 | 2 | 3 | 4 .. 7 |   8 .. 15   | 16 .. 23: duration 40 bits, thread 24 | 24 .. 31 |
 * </pre>
 *
 * <p>The design page docs/design/0008-ring.md has the meaning of every field; {@link RingRecords} has the fields of each type.
 */
public final class RingLayout {
    /** "ARGUSRNG" as a little-endian word. */
    public static final long MAGIC = 0x474E_5253_5547_5241L;

    /** Another major version is refused. */
    public static final int MAJOR = 1;

    /** Minor version written here; a higher one is read, its unknown records counted. */
    public static final int MINOR = 0;

    /** Bytes before the first record. */
    public static final int HEADER_BYTES = 4096;

    /** Bytes of a record. */
    public static final int RECORD_BYTES = 32;

    /** Words of 8 bytes of a record. */
    public static final int RECORD_WORDS = 4;

    /** Fewest and most records of a ring; a power of two between them. */
    public static final long LEAST_CAPACITY = 1L << 10;

    /** Most records of a ring. */
    public static final long MOST_CAPACITY = 1L << 26;

    /** Bytes of the part of the header that never changes. */
    public static final int FIXED_BYTES = 128;

    /** Bytes of the header that have a meaning. */
    static final int USED_BYTES = 288;

    /** Longest text in bytes of UTF-8; longer ones are cut and carry their hash. */
    public static final int TEXT_BYTES = 4096;

    /** Bytes of a text in one record. */
    static final int TEXT_PART = 24;

    /** Most records of one text. */
    static final int TEXT_RECORDS = 1 + (TEXT_BYTES - TEXT_PART + TEXT_PART - 1) / TEXT_PART;

    /** Bits of a duration. */
    static final int DURATION_BITS = 40;

    /** Longest duration, 2^40 - 1 ns. */
    public static final long LONGEST = (1L << DURATION_BITS) - 1;

    static final long AT_MAGIC = 0;
    static final long AT_MAJOR = 8;
    static final long AT_MINOR = 10;
    static final long AT_HEADER_BYTES = 12;
    static final long AT_RECORD_BYTES = 16;
    static final long AT_PRODUCER = 20;
    static final long AT_CAPACITY = 24;
    static final long AT_SESSION = 32;
    static final long AT_PROCESS = 40;
    static final long AT_CLOCK = 44;
    static final long AT_START_TICKS = 48;
    static final long AT_RANK = 56;
    static final long AT_LOCAL_RANK = 60;
    static final long AT_WORLD = 64;
    static final long AT_NAMESPACE = 72;
    static final long AT_WRITE_POSITION = 128;
    static final long AT_HEARTBEAT = 136;
    static final long AT_OBEYED = 144;
    static final long AT_STATE = 152;
    static final long AT_WHY_OFF = 156;
    static final long AT_DROPPED = 160;

    /** Where the reader keeps how many records it has taken. */
    public static final long AT_READ_POSITION = 256;

    static final long AT_AGENT_HEARTBEAT = 264;
    static final long AT_AGENT_PROCESS = 272;
    static final long AT_CONTROL = 280;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Words as they lie, for comparison only. */
    static final ValueLayout.OfLong NATIVE = ValueLayout.JAVA_LONG;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final VarHandle WORD = LONG.varHandle();
    static final VarHandle HALF = INT.varHandle();

    /** Words of 8 bytes inside an array of bytes, anywhere. */
    static final VarHandle BYTES = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private RingLayout() {}

    /**
     * Bytes of a file.
     *
     * @param capacity records, a power of two within the bounds
     */
    public static long fileBytes(long capacity) {
        return HEADER_BYTES + RECORD_BYTES * capacity;
    }

    /** True for a capacity that a ring may have. */
    public static boolean isCapacity(long capacity) {
        return capacity >= LEAST_CAPACITY && capacity <= MOST_CAPACITY && Long.bitCount(capacity) == 1;
    }

    /** Offset of the record of a position. */
    static long recordAt(long position, long capacity) {
        return HEADER_BYTES + RECORD_BYTES * (position & (capacity - 1));
    }

    static long acquire(MemorySegment file, long at) {
        return (long) WORD.getAcquire(file, at);
    }

    static void release(MemorySegment file, long at, long value) {
        WORD.setRelease(file, at, value);
    }

    static int acquireInt(MemorySegment file, long at) {
        return (int) HALF.getAcquire(file, at);
    }

    static void releaseInt(MemorySegment file, long at, int value) {
        HALF.setRelease(file, at, value);
    }
}
