package dev.argus.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Appends fields of protocol buffers to a growing byte array: varints (negative values as two's complement, never zigzag), fixed
 * 64 bits little-endian, and what has a length. A nested message is opened and closed; its length is put before it when it is
 * known, which moves messages of 128 bytes and more by a byte or some.
 */
public final class ProtoBuffer {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;

    private byte[] bytes = new byte[1 << 16];
    private int size;

    /** Bytes written so far. */
    public int size() {
        return size;
    }

    /** What they are in, from the begin; not copied, replaced when it grows. */
    public byte[] bytes() {
        return bytes;
    }

    /** Begins anew. */
    public void clear() {
        size = 0;
    }

    /** A field of type int, uint, bool or enum. */
    public void number(int field, long value) {
        ensure(20);
        raw(((long) field << 3) | VARINT);
        raw(value);
    }

    /** A field of eight bytes. */
    public void fixed64(int field, long value) {
        ensure(20);
        raw(((long) field << 3) | FIXED64);
        for (int i = 0; i < 8; i++) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
    }

    /** A field of type double. */
    public void real(int field, double value) {
        fixed64(field, Double.doubleToRawLongBits(value));
    }

    /** Text as UTF-8; a lone surrogate, which UTF-8 has no bytes for, becomes a question mark. */
    public void text(int field, String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        block(field, utf8, utf8.length);
    }

    /** Bytes as they are: the first {@code length} of them. */
    public void block(int field, byte[] value, int length) {
        ensure(20 + length);
        raw(((long) field << 3) | LENGTH);
        raw(length);
        System.arraycopy(value, 0, bytes, size, length);
        size += length;
    }

    /** Fields that were encoded before: the first {@code length} bytes. */
    public void raw(byte[] fields, int length) {
        ensure(length);
        System.arraycopy(fields, 0, bytes, size, length);
        size += length;
    }

    /** Begins a nested message; the result goes to {@link #close}. */
    public int open(int field) {
        ensure(12);
        raw(((long) field << 3) | LENGTH);
        size++;
        return size;
    }

    /** Ends the nested message that was opened last. */
    public void close(int start) {
        int length = size - start;
        if (length < 0x80) {
            bytes[start - 1] = (byte) length;
            return;
        }
        int more = (31 - Integer.numberOfLeadingZeros(length)) / 7;
        ensure(more);
        System.arraycopy(bytes, start, bytes, start + more, length);
        size = start - 1;
        raw(length);
        size += length;
    }

    private void raw(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
        }
    }
}
