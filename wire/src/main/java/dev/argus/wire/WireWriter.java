package dev.argus.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Appends primitives to a growing byte array.
 *
 * <pre>
 * varint   little-endian base 128, 7 bits a byte, high bit = more follows, at most 10 bytes
 * signed   zigzag ((v &lt;&lt; 1) ^ (v &gt;&gt; 63)), then varint
 * float    IEEE 754 binary32, little-endian, 4 bytes
 * long     64 bits, little-endian
 * double   IEEE 754 binary64, little-endian, 8 bytes
 * bytes    varint length, then the bytes
 * text     UTF-8 as bytes
 * </pre>
 *
 * <p>Not thread-safe; reuse through {@link #reset()} allocates nothing after warm-up.
 */
public final class WireWriter {
    private byte[] buffer = new byte[256];
    private int length;

    /** Forgets what was written, keeps the buffer. */
    public void reset() {
        length = 0;
    }

    /** Number of bytes written. */
    public int length() {
        return length;
    }

    /** A fresh array of the bytes written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, length);
    }

    /** One byte. */
    public WireWriter writeByte(int value) {
        ensure(1);
        buffer[length++] = (byte) value;
        return this;
    }

    /** An unsigned value as varint. */
    public WireWriter writeVarint(long value) {
        ensure(10);
        byte[] to = buffer;
        int at = length;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            to[at++] = (byte) ((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        to[at++] = (byte) rest;
        length = at;
        return this;
    }

    /** A signed value as zigzag varint. */
    public WireWriter writeSigned(long value) {
        return writeVarint((value << 1) ^ (value >> 63));
    }

    /** A binary32. */
    public WireWriter writeFloat(float value) {
        return writeFixed(Float.floatToRawIntBits(value), 4);
    }

    /** A binary64. */
    public WireWriter writeDouble(double value) {
        return writeFixed(Double.doubleToRawLongBits(value), 8);
    }

    /** 64 bits, little-endian. */
    public WireWriter writeLong(long value) {
        return writeFixed(value, 8);
    }

    /** 32 bits, little-endian. */
    public WireWriter writeFixedInt(int value) {
        return writeFixed(value, 4);
    }

    /** Checksum of all that was written since a place: CRC-32C, 4 bytes, little-endian. */
    public WireWriter writeChecksum(int since) {
        CRC32C crc = new CRC32C();
        crc.update(buffer, since, length - since);
        return writeFixedInt((int) crc.getValue());
    }

    /** Length and bytes. */
    public WireWriter writeBytes(byte[] bytes) {
        writeVarint(bytes.length);
        ensure(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
        return this;
    }

    /** Bytes without their length. */
    public WireWriter writeRaw(byte[] bytes) {
        ensure(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
        return this;
    }

    /** Text as UTF-8. */
    public WireWriter writeText(String text) {
        return writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private WireWriter writeFixed(long bits, int width) {
        ensure(width);
        for (int i = 0; i < width; i++) {
            buffer[length++] = (byte) (bits >>> (8 * i));
        }
        return this;
    }

    private void ensure(int more) {
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }
}
