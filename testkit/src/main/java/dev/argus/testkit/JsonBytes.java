package dev.argus.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Text as bytes, through one buffer to a stream. Used by one thread. */
final class JsonBytes {
    private static final int ROOM = 64;
    private final OutputStream out;
    private final byte[] buffer = new byte[1 << 16];
    private int size;
    private long flushed;

    JsonBytes(OutputStream out) {
        this.out = out;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    JsonBytes put(byte[] text) {
        if (text.length > buffer.length - size) {
            flush();
            if (text.length > buffer.length) {
                write(text, text.length);
                return this;
            }
        }
        System.arraycopy(text, 0, buffer, size, text.length);
        size += text.length;
        return this;
    }

    JsonBytes put(String text) {
        return put(bytes(text));
    }

    JsonBytes number(long value) {
        if (value < 0) {
            return put(Long.toString(value));
        }
        if (buffer.length - size < ROOM) {
            flush();
        }
        int digits = 1;
        for (long rest = value / 10; rest != 0; rest /= 10) {
            digits++;
        }
        digits(value, digits);
        return this;
    }

    /** Nanoseconds as microseconds with three decimals. */
    JsonBytes micros(long nanos) {
        long whole = nanos / 1000;
        number(whole);
        if (buffer.length - size < ROOM) {
            flush();
        }
        buffer[size++] = '.';
        digits(nanos - whole * 1000, 3);
        return this;
    }

    private void digits(long value, int count) {
        long rest = value;
        for (int at = size + count - 1; at >= size; at--) {
            long next = rest / 10;
            buffer[at] = (byte) ('0' + (rest - next * 10));
            rest = next;
        }
        size += count;
    }

    /** Bytes written so far. */
    long count() {
        return flushed + size;
    }

    void flush() {
        write(buffer, size);
        size = 0;
    }

    private void write(byte[] text, int length) {
        try {
            out.write(text, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        flushed += length;
    }
}
