package dev.argus.trace;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The part of a stream that is in memory, for a scanner that goes over it: bytes from {@link #mark()} on stay, and ranges relative to the mark survive a refill; what is skipped ({@link #hole}) is not kept, whatever its length. It grows
 * to {@link #MAX_WINDOW} at most. Behind its end there are always eight readable zero bytes and more.
 *
 * <p>A stream that fails counts as one that ends: {@link #failure()} tells why. One thread. Fields are open to the scanner, which keeps them in locals where it counts.
 */
class JsonWindow {
    /** Most bytes the marked value may keep. */
    static final int MAX_WINDOW = 64 << 20;

    private static final int PADDING = 72;

    private final InputStream in;

    /** The bytes; another array after a refill. */
    byte[] buf;

    /** Index of the next byte. */
    int pos;

    /** Index behind the last byte. */
    int limit;

    /** Index from which on bytes stay, or -1. */
    int mark = -1;

    /** Index from which on bytes up to the next one are not needed, though they are behind the mark; or -1. */
    int hole = -1;

    private long origin;
    private boolean ended;
    private @Nullable IOException failure;

    JsonWindow(InputStream in, int window) {
        this.in = in;
        this.buf = new byte[Math.max(window, 16) + PADDING];
    }

    /** Uncompressed offset of the next byte. */
    long offset() {
        return origin + pos;
    }

    /** Why the stream ended before its time, or null. */
    @Nullable
    IOException failure() {
        return failure;
    }

    /** Keeps all bytes from here on that are not skipped; ranges are relative to this place. */
    void mark() {
        mark = pos;
    }

    /** The window; only to be read within ranges handed out, and only until the next call that may refill. */
    byte[] bytes() {
        return buf;
    }

    /** Index in {@link #bytes()} of the mark. */
    int base() {
        return mark;
    }

    JsonError error(String message) {
        return new JsonError(message, offset());
    }

    /** Brings in more bytes; false at the end. All indexes move, ranges relative to the mark do not. */
    final boolean more() {
        if (ended) {
            return false;
        }
        compact();
        int room = buf.length - PADDING - limit;
        int got;
        try {
            got = in.read(buf, limit, room);
        } catch (IOException broken) {
            failure = broken;
            got = -1;
        }
        ended = got <= 0;
        limit += Math.max(got, 0);
        // Also at the end: what was moved leaves its old bytes behind.
        Arrays.fill(buf, limit, limit + PADDING, (byte) 0);
        return !ended;
    }

    private void compact() {
        int from = mark < 0 ? pos : mark;
        int keepTo = hole >= from && hole < pos ? hole : pos;
        int head = keepTo - from;
        int tail = limit - pos;
        System.arraycopy(buf, from, buf, 0, head);
        System.arraycopy(buf, pos, buf, head, tail);
        origin += pos - head;
        if (mark >= 0) {
            mark = 0;
        }
        if (hole >= 0) {
            hole = Math.max(0, hole - from);
        }
        pos = head;
        limit = head + tail;
        int capacity = buf.length - PADDING;
        if (limit > capacity - (capacity >> 2)) {
            grow(capacity);
        }
    }

    private void grow(int capacity) {
        if (capacity >= MAX_WINDOW) {
            throw error("a value of more than " + (MAX_WINDOW >> 20) + " MiB");
        }
        buf = Arrays.copyOf(buf, Math.min(capacity * 2, MAX_WINDOW) + PADDING);
    }

    final void ensure(int bytes) {
        while (limit - pos < bytes && more()) {
            // more() made progress
        }
    }

    final JsonError cut(String where) {
        return error("the text ends inside " + where);
    }
}
