package dev.argus.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads what {@link WireWriter} wrote. The content is taken as hostile: every length is checked against what is left before
 * anything is allocated, and whatever does not fit is a {@link WireException}.
 *
 * <p>Not thread-safe.
 */
public final class WireReader {
    private static final VarHandle LITTLE_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int end;
    private int at;

    /** Reads the array from its start; it is not copied. */
    public WireReader(byte[] bytes) {
        this(bytes, bytes.length);
    }

    /** Reads the first bytes of the array, which are not copied. */
    WireReader(byte[] bytes, int length) {
        this.bytes = bytes;
        this.end = length;
    }

    /** Number of bytes not read yet. */
    public int remaining() {
        return end - at;
    }

    /** One byte, 0..255. */
    public int readByte() {
        require(1);
        return bytes[at++] & 0xFF;
    }

    /** An unsigned varint, in its shortest form. */
    public long readVarint() {
        if (at < end && bytes[at] >= 0) {
            return bytes[at++]; // most are this short
        }
        return end - at >= Long.BYTES ? shortVarint() : longVarint();
    }

    /**
     * A varint of at most 8 bytes, read at once, for nobody can predict how long the next one is: the bit that ends it is the first not set
     * among the highest of the bytes; groups of 7 bits are then moved together in three steps.
     */
    private long shortVarint() {
        long word = (long) LITTLE_ENDIAN.get(bytes, at);
        long ends = ~word & 0x8080808080808080L;
        long stop = ends & -ends;
        long v = word & (stop - 1) & 0x7F7F7F7F7F7F7F7FL;
        if (stop == 0 || v < stop >>> 7) {
            return longVarint(); // longer, or it ends in a byte of 0
        }
        at += (Long.numberOfTrailingZeros(stop) + 1) >>> 3;
        v = ((v & 0x7F007F007F007F00L) >>> 1) | (v & 0x007F007F007F007FL);
        v = ((v & 0x3FFF00003FFF0000L) >>> 2) | (v & 0x00003FFF00003FFFL);
        return ((v & 0x0FFFFFFF00000000L) >>> 4) | (v & 0x000000000FFFFFFFL);
    }

    private long longVarint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at == end) {
                require(1);
            }
            int b = bytes[at++];
            if (b >= 0) {
                return lastOfVarint(value, b, shift);
            }
            if (shift == 63) {
                break;
            }
            value |= (long) (b & 0x7F) << shift;
        }
        throw new WireException("varint longer than 64 bits ends at byte " + at + "; the bytes are damaged");
    }

    private long lastOfVarint(long above, int b, int shift) {
        if (shift == 63 && b > 1) {
            throw new WireException("varint longer than 64 bits ends at byte " + at + "; the bytes are damaged");
        }
        if (b == 0 && shift > 0) {
            throw new WireException("varint ends in a byte of 0 before byte " + at
                    + ", expected its shortest form; the bytes are damaged");
        }
        return above | (long) b << shift;
    }

    /** A zigzag varint. */
    public long readSigned() {
        long v = readVarint();
        return (v >>> 1) ^ -(v & 1);
    }

    /**
     * A varint that counts things of at least {@code bytesEach} bytes which follow.
     *
     * @throws WireException if so many cannot follow
     */
    public int readCount(int bytesEach) {
        long count = readVarint();
        if (count < 0 || count > remaining() / Math.max(1, bytesEach)) {
            throw new WireException("count " + count + " at byte " + at + ", but only " + remaining()
                    + " bytes follow; damaged or cut");
        }
        return (int) count;
    }

    /** A varint that fits an {@code int}. */
    public int readInt() {
        long v = readVarint();
        if (v < 0 || v > Integer.MAX_VALUE) {
            throw new WireException(
                    "value " + Long.toUnsignedString(v) + " at byte " + at + ", expected at most 2^31-1");
        }
        return (int) v;
    }

    /** A zigzag varint that fits an {@code int}. */
    public int readSignedInt() {
        long v = readSigned();
        if (v != (int) v) {
            throw new WireException("value " + v + " at byte " + at + ", expected -2^31 to 2^31-1");
        }
        return (int) v;
    }

    /** A byte of flags, none above the highest. */
    int readFlags(int highest) {
        int flags = readByte();
        if (flags >= 2 * highest) {
            throw new WireException("flags " + flags + " at byte " + at + ", expected below " + 2 * highest);
        }
        return flags;
    }

    /** A binary32. */
    public float readFloat() {
        return Float.intBitsToFloat((int) readFixed(4));
    }

    /** A binary64. */
    public double readDouble() {
        return Double.longBitsToDouble(readFixed(8));
    }

    /** 64 bits, little-endian. */
    public long readLong() {
        return readFixed(8);
    }

    /** 32 bits, little-endian. */
    public int readFixedInt() {
        return (int) readFixed(4);
    }

    /**
     * A reader of what stands before a CRC-32C that ends the bytes.
     *
     * @param bytes bytes; not copied
     * @param what what they are, for the error
     * @throws WireException if the checksum differs
     */
    public static WireReader checked(byte[] bytes, String what) {
        int end = bytes.length - 4;
        if (end < 0) {
            throw new WireException(what + " of " + bytes.length + " bytes, expected at least 4");
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, end);
        WireReader sum = new WireReader(bytes);
        sum.at = end;
        if (sum.readFixedInt() != (int) crc.getValue()) {
            throw new WireException(what + ": checksum " + Integer.toHexString((int) crc.getValue())
                    + " of the content differs from the one behind it; damaged or cut");
        }
        return new WireReader(bytes, end);
    }

    /** Length and bytes. */
    public byte[] readBytes() {
        int n = readCount(1);
        byte[] result = Arrays.copyOfRange(bytes, at, at + n);
        at += n;
        return result;
    }

    /** All bytes that are left. */
    public byte[] readRest() {
        byte[] result = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return result;
    }

    /** Text as UTF-8. */
    public String readText() {
        return new String(readBytes(), StandardCharsets.UTF_8);
    }

    /**
     * Reads the first five bytes of a message.
     *
     * @throws WireException if they are others
     */
    void expectMagic(int magic, int version, String what) {
        int found = readFixedInt();
        if (found != magic) {
            throw new WireException(what + " begins with " + Integer.toHexString(found) + ", expected "
                    + Integer.toHexString(magic) + ": it is something else");
        }
        int number = readByte();
        if (number != version) {
            throw new WireException(
                    what + " of version " + number + ", expected " + version + ": one side is older than the other");
        }
    }

    /**
     * Checks that everything was read.
     *
     * @throws WireException if bytes are left
     */
    public void expectEnd() {
        if (remaining() != 0) {
            throw new WireException(remaining() + " bytes left at byte " + at + ", expected the end");
        }
    }

    private long readFixed(int width) {
        require(width);
        long bits = 0;
        for (int i = 0; i < width; i++) {
            bits |= (bytes[at++] & 0xFFL) << (8 * i);
        }
        return bits;
    }

    private void require(int n) {
        if (remaining() < n) {
            throw new WireException("cut: " + n + " bytes expected at byte " + at + ", " + remaining() + " left");
        }
    }
}
