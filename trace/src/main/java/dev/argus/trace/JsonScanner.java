package dev.argus.trace;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON from a stream as bytes, through a window of bounded size, without making tokens.
 *
 * <p>The caller walks the structure and asks for what it wants: a known key, a number as nanoseconds, a text as a range of
 * bytes; everything else is skipped eight or sixty-four bytes at a time. Skipped values are checked for balance only, not
 * for grammar: what Jackson accepts is read alike, and some of what it rejects is accepted (trailing commas, raw control
 * characters, {@code NaN}, unknown escapes), for profilers do write that.
 *
 * <p><b>Window.</b> Bytes from {@link #mark()} on stay in memory, and ranges handed out are relative to the mark, hence
 * survive a refill. What is skipped is not kept, whatever its length; of a text at most {@link #MAX_TEXT} bytes are. The
 * window grows to {@link #MAX_WINDOW} at most. Behind its end there are always eight readable zero bytes.
 *
 * <p>A stream that fails counts as one that ends: {@link #failure()} tells why. One thread.
 */
final class JsonScanner {
    /** Longest text kept; the rest is dropped and {@link #textCut()} is true. */
    static final int MAX_TEXT = 4 << 20;
    /** Most bytes the marked value may keep. */
    static final int MAX_WINDOW = 64 << 20;

    /** Instead of a key: the end of the object was taken. */
    static final int END = -1;
    /** Instead of a key: nothing was taken, for the trail does not know the way. */
    static final int NO_WAY = -2;

    private static final int PADDING = 72;
    /** Keys of the formats are shorter; longer ones take the slow way. */
    private static final int KEY_ROOM = 56;
    /** Bit 7 of the last byte: keeps a search within its word. */
    private static final long LAST = 0x8000_0000_0000_0000L;

    private static final long QUOTE = Swar.all('"');
    private static final long BACKSLASH = Swar.all('\\');

    private final InputStream in;
    private final JsonBlock block = new JsonBlock();
    private byte[] buf;
    private int pos;
    private int limit;
    private int mark = -1;
    private int hole = -1;
    private long origin;
    private boolean ended;
    private @Nullable IOException failure;

    private int textFrom;
    private int textTo;
    private boolean textEscaped;
    private boolean textCut;

    JsonScanner(InputStream in, int window) {
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

    /** Start of the last text, relative to the mark. */
    int textFrom() {
        return textFrom;
    }

    /** End of the last text, relative to the mark. */
    int textTo() {
        return textTo;
    }

    /** True if the last text has escapes to decode. */
    boolean textEscaped() {
        return textEscaped;
    }

    /** True if the last text was longer than {@link #MAX_TEXT}. */
    boolean textCut() {
        return textCut;
    }

    JsonError error(String message) {
        return new JsonError(message, offset());
    }

    // ---------------------------------------------------------------- window

    /** Brings in more bytes; false at the end. All indexes move, ranges relative to the mark do not. */
    private boolean more() {
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

    private void ensure(int bytes) {
        while (limit - pos < bytes && more()) {
            // more() made progress
        }
    }

    private JsonError cut(String where) {
        return error("the text ends inside " + where);
    }

    // ---------------------------------------------------------------- structure

    /** Skips white space (and other control characters); returns the next byte without taking it, or -1 at the end. */
    int peek() {
        byte[] b = buf;
        int p = pos;
        return p < limit && b[p] > ' ' ? b[p] : peekBehindSpace();
    }

    private int peekBehindSpace() {
        for (; ; ) {
            byte[] b = buf;
            int p = pos;
            // The zeros behind the limit stop the search there.
            while (p < limit) {
                long w = Swar.word(b, p);
                long stop = Swar.aboveSpace(w) | Swar.zeros(w);
                if (stop == 0) {
                    p += 8;
                    continue;
                }
                p += Swar.first(stop);
                break;
            }
            pos = p;
            if (p < limit) {
                return b[p] & 0xFF;
            }
            if (!more()) {
                return -1;
            }
        }
    }

    /** Takes the byte that {@link #peek()} showed; only after it. */
    void take() {
        pos++;
    }

    /** Skips a byte order mark at the very beginning. */
    void skipByteOrderMark() {
        ensure(3);
        if (limit - pos >= 3 && buf[pos] == (byte) 0xEF && buf[pos + 1] == (byte) 0xBB && buf[pos + 2] == (byte) 0xBF) {
            pos += 3;
        }
    }

    /**
     * Inside an object, before a key or its end: takes the key and the colon.
     *
     * @return the key's id in the table, {@link KeyTable#UNKNOWN}, or -1 when the object's end was taken
     */
    int nextKey(KeyTable table) {
        byte[] b = buf;
        int p = pos;
        if (b[p] == ',') {
            p++;
        }
        if (b[p] <= ' ' && b[p] > 0) {
            long w = Swar.word(b, p);
            p += Swar.first(Swar.aboveSpace(w) | Swar.zeros(w) | LAST);
        }
        if (b[p] != '"' || limit - p < KEY_ROOM) {
            return slowKey(table);
        }
        int from = p + 1;
        long head = Swar.word(b, from);
        int to = from;
        for (long w = head; to - from < KEY_ROOM - 16; w = Swar.word(b, to)) {
            long stop = Swar.zeros(w ^ QUOTE);
            if (Swar.zeros(w ^ BACKSLASH) != 0) {
                break;
            }
            if (stop != 0) {
                to += Swar.first(stop);
                if (b[to + 1] != ':') {
                    break;
                }
                pos = to + 2;
                return table.find(head, b, from, to);
            }
            to += 8;
        }
        return slowKey(table);
    }

    /** The same through every corner: commas, escapes, window ends, and the object's end. */
    private int slowKey(KeyTable table) {
        int c = peek();
        while (c == ',') {
            pos++;
            c = peek();
        }
        if (c == '"') {
            int id = key(table);
            if (buf[pos] == ':' && pos < limit) {
                pos++;
            } else {
                colon();
            }
            return id;
        }
        if (c == '}') {
            pos++;
            return -1;
        }
        throw c < 0 ? cut("an object") : error("expected a key or '}', found " + shown(c));
    }

    private void colon() {
        int c = peek();
        if (c != ':') {
            throw c < 0 ? cut("an object") : error("expected ':', found " + shown(c));
        }
        pos++;
    }

    /** Inside an array: true if a value follows (commas taken), false when the array's end was taken. */
    boolean nextElement() {
        byte[] b = buf;
        int p = pos;
        if (b[p] == ',') {
            p++;
            long w = Swar.word(b, p);
            long stop = Swar.aboveSpace(w) | Swar.zeros(w);
            if (stop == 0) {
                p += 8;
                w = Swar.word(b, p);
                stop = Swar.aboveSpace(w) | Swar.zeros(w) | LAST;
            }
            p += Swar.first(stop);
            if (b[p] > ',' && b[p] != ']' && p < limit) {
                pos = p;
                return true;
            }
        }
        return slowElement();
    }

    private boolean slowElement() {
        int c = peek();
        while (c == ',') {
            pos++;
            c = peek();
        }
        if (c == ']') {
            pos++;
            return false;
        }
        if (c < 0) {
            throw cut("an array");
        }
        return true;
    }

    private int key(KeyTable table) {
        int from = pos + 1;
        if (limit - from >= 8) {
            long head = Swar.word(buf, from);
            long quotes = Swar.zeros(head ^ QUOTE);
            if (quotes != 0 && Swar.zeros(head ^ BACKSLASH) == 0) {
                int to = from + Swar.first(quotes);
                pos = to + 1;
                return table.find(head, buf, from, to);
            }
        }
        return longKey(table);
    }

    private int longKey(KeyTable table) {
        boolean unmarked = mark < 0;
        if (unmarked) {
            mark = pos;
        }
        text();
        int from = mark + textFrom;
        int to = mark + textTo;
        int id = textEscaped
                ? table.find(JsonText.unescape(buf, from, to))
                : table.find(Swar.word(buf, from), buf, from, to);
        if (unmarked) {
            mark = -1;
        }
        return id;
    }

    // ---------------------------------------------------------------- texts

    /** Takes a string; its range is kept ({@link #textFrom()}). */
    void text() {
        pos++;
        int from = pos - mark;
        int close = closeString(MAX_TEXT);
        textFrom = from;
        int to = close - mark;
        textCut = to - from > MAX_TEXT || hole >= 0;
        textTo = textCut ? from + MAX_TEXT : to;
        hole = -1;
    }

    /** Decodes the escapes of the last text where it stands; not if that made it longer, as bytes that are no UTF-8 may. */
    void unescapeText() {
        int from = mark + textFrom;
        byte[] plain = JsonText.unescape(buf, from, mark + textTo);
        if (plain.length <= textTo - textFrom) {
            System.arraycopy(plain, 0, buf, from, plain.length);
            textTo = textFrom + plain.length;
            textEscaped = false;
        }
    }

    /** Takes any value as raw text: a string without its quotes, a container with its brackets, a scalar. */
    void rawText() {
        int c = peek();
        if (c == '"') {
            text();
            return;
        }
        int from = pos - mark;
        if (c == '{' || c == '[') {
            pos++;
            skipRest(1, true);
        } else {
            skipScalar(true);
        }
        textFrom = from;
        textTo = pos - mark;
        textEscaped = false;
        textCut = false;
    }

    /** After the opening quote: goes behind the closing one, keeping at most {@code max} bytes; returns its index. */
    private int closeString(int max) {
        int start = pos;
        boolean escaped = false;
        for (; ; ) {
            byte[] b = buf;
            int p = pos;
            int end = limit;
            while (p < end) {
                long w = Swar.word(b, p);
                long stop = Swar.someZero(w ^ QUOTE) | Swar.someZero(w ^ BACKSLASH);
                if (stop == 0) {
                    p += 8;
                    continue;
                }
                p += Swar.first(stop);
                if (p >= end) {
                    break;
                }
                if (b[p] == '"') {
                    pos = p + 1;
                    textEscaped = escaped;
                    return p;
                }
                escaped = true;
                if (p + 1 >= end) {
                    break;
                }
                p += 2;
            }
            // A backslash in the last byte stays, so that its partner is seen with it.
            pos = Math.min(p, end);
            if (hole < 0 && pos - start > max) {
                hole = start + max;
            }
            int before = pos;
            if (!more()) {
                throw cut("a string");
            }
            start -= before - pos;
        }
    }

    private void skipString() {
        pos++;
        hole = pos;
        closeString(0);
        hole = -1;
    }

    // ---------------------------------------------------------------- skipping

    /** Takes any value without looking at it. */
    void skipValue() {
        byte[] b = buf;
        int p = pos;
        if (b[p] == ' ') {
            p++;
        }
        int from = p;
        long stop = Swar.noNumber(Swar.word(b, p));
        while (stop == 0) {
            p += 8;
            stop = Swar.noNumber(Swar.word(b, p));
        }
        p += Swar.first(stop);
        if (p > from && (b[p] == ',' || b[p] == '\n' || b[p] == '}') && p < limit) {
            pos = p;
            return;
        }
        int c = peek();
        if (c == '"') {
            skipString();
        } else if (c == '{' || c == '[') {
            pos++;
            skipRest(1, false);
        } else {
            skipScalar(false);
        }
    }

    /** Takes the rest of a container that is already open, with its closing bracket. */
    void skipRest() {
        skipRest(1, false);
    }

    // ---------------------------------------------------------------- along a trail

    /**
     * Inside an object, before a key or its end: takes known keys and their values, as long as the trail knows the way and
     * the values are numbers, plain texts, or lists of a few numbers. The mark must be set.
     *
     * @param spans by key, where the value's text is relative to the mark, see {@link Spans}: without quotes, with brackets
     * @return the key taken whose value is next, {@link #END} when the object's end was taken, {@link #NO_WAY} where
     *     {@link #strayKey} must go on
     */
    int walk(KeyTrail trail, KeyTable table, long[] spans) {
        byte[] b = buf;
        int p = pos;
        int end = limit;
        KeyTrail.Step at = trail.at();
        int result = NO_WAY;
        while (at != null) {
            KeyTrail.Step step = at.next(b, p, end, table);
            if (step == null) {
                break;
            }
            at = step;
            p += step.length;
            if (step.id < 0) {
                result = END;
                break;
            }
            boolean text = b[p] == '"';
            int start = text ? p + 1 : p;
            int close;
            if (text) {
                close = PlainValue.text(b, start, end);
            } else {
                close = b[p] == '[' ? PlainValue.list(b, p, end) : PlainValue.number(b, p, end);
            }
            if (close >= end) {
                result = step.id;
                break;
            }
            spans[step.id] = Spans.of(start - mark, close - mark);
            p = close;
            if (text) {
                p++;
                if (step.turns()) {
                    at = trail.turned(step, Swar.word(b, start));
                }
            }
        }
        pos = p;
        trail.at(at);
        return result;
    }

    /**
     * Where {@link #walk} found no way: takes the key and the colon, or the object's end, whatever they are; the trail learns.
     *
     * @return the key's id in the table, or {@link #END}
     */
    int strayKey(KeyTrail trail, KeyTable table) {
        int from = pos - mark;
        return learned(trail, table, from, nextKey(table));
    }

    private int learned(KeyTrail trail, KeyTable table, int from, int id) {
        if (id >= 0) {
            peek();
        }
        trail.learn(buf, mark + from, pos, table, id);
        return id;
    }

    /**
     * Takes the rest of an object along a trail, checked for balance only: behind a container, and where the trail ends,
     * by its brackets.
     *
     * @param valueNext whether a value is next, else a key
     * @param inside keys of the objects in it
     * @param spans what may be overwritten
     */
    void skipAlong(KeyTrail trail, boolean valueNext, KeyTable table, KeyTable inside, long[] spans) {
        int open = 1;
        boolean value = valueNext;
        while (open > 0) {
            if (value) {
                value = false;
                int c = peek();
                if (c == '[') {
                    pos++;
                    skipRest(open + 1, false);
                    return;
                }
                if (c == '{') {
                    pos++;
                    open++;
                } else {
                    skipValue();
                }
            }
            KeyTable keys = open == 1 ? table : inside;
            int key = walk(trail, keys, spans);
            if (key == NO_WAY && trail.at() != null) {
                key = plainKey(trail, keys);
            }
            if (key == NO_WAY) {
                skipRest(open, false);
                return;
            }
            if (key == END) {
                open--;
            } else {
                value = true;
            }
        }
    }

    /** As {@link #strayKey}, but takes nothing that is not written plainly and wholly in the window. */
    private int plainKey(KeyTrail trail, KeyTable table) {
        int start = pos - mark;
        int c = peek();
        if (c == ',') {
            pos++;
            c = peek();
        }
        if (c == '}') {
            pos++;
            return learned(trail, table, start, END);
        }
        int from = pos + 1;
        int to = c == '"' ? PlainValue.text(buf, from, limit) : limit;
        if (to >= limit || buf[to + 1] != ':') {
            return NO_WAY;
        }
        pos = to + 2;
        return learned(trail, table, start, table.find(Swar.word(buf, from), buf, from, to));
    }

    // ---------------------------------------------------------------- scalars

    private void skipScalar(boolean kept) {
        int begun = pos;
        hole = kept ? -1 : pos;
        for (; ; ) {
            while (pos < limit) {
                if (endsScalar(buf[pos])) {
                    if (pos == begun) {
                        throw error("expected a value, found " + shown(buf[pos] & 0xFF));
                    }
                    hole = -1;
                    return;
                }
                pos++;
            }
            begun = -1;
            if (!more()) {
                throw cut("a value");
            }
        }
    }

    private static boolean endsScalar(byte b) {
        return b == ',' || b == '}' || b == ']' || b == ':' || b == '"' || (b >= 0 && b <= ' ');
    }

    /** Goes behind the bracket that closes {@code open} levels: they are counted block by block, not visited. */
    private void skipRest(int open, boolean kept) {
        int depth = open;
        block.begin();
        hole = kept ? -1 : pos;
        for (; ; ) {
            byte[] b = buf;
            int p = pos;
            int last = limit - JsonBlock.BYTES;
            for (; p <= last; p += JsonBlock.BYTES) {
                block.read(b, p);
                int closing = block.closing();
                if (closing >= depth) {
                    int end = block.end(depth);
                    if (end > 0) {
                        pos = p + end;
                        hole = -1;
                        return;
                    }
                }
                depth += block.opening() - closing;
            }
            pos = p;
            if (limit - pos < JsonBlock.BYTES && !more()) {
                skipLast(depth, block.inString(), block.escapes());
                return;
            }
        }
    }

    /** The same one byte at a time, for the last bytes of the stream. */
    private void skipLast(int open, boolean stringOpen, boolean escapeOpen) {
        int depth = open;
        boolean inString = stringOpen;
        boolean escape = escapeOpen;
        while (pos < limit) {
            byte c = buf[pos++];
            boolean escaped = escape;
            escape = c == '\\' && !escaped;
            if (c == '"') {
                inString ^= !escaped;
            } else if (!inString && (c == '{' || c == '[')) {
                depth++;
            } else if (!inString && (c == '}' || c == ']') && --depth == 0) {
                hole = -1;
                return;
            }
        }
        hole = -1;
        throw cut(inString ? "a string" : "an object or array");
    }

    // ---------------------------------------------------------------- numbers

    /** Takes an integer, modulo 2^64; digits in quotes count, a fraction is dropped; {@link Decimals#MISSING} else. */
    long integer() {
        scalarOrText();
        return Decimals.integer(buf, mark + textFrom, mark + textTo);
    }

    /** Takes any value as raw text, and looks at each element if it is a list. */
    void rawList() {
        if (peek() != '[') {
            rawText();
            return;
        }
        int from = pos - mark;
        pos++;
        while (nextElement()) {
            scalarOrText();
        }
        textFrom = from;
        textTo = pos - mark;
        textEscaped = false;
        textCut = false;
    }

    /** Takes a scalar or string as text; a container is skipped and reads as an empty text. */
    void scalarOrText() {
        int c = peek();
        if (c == '{' || c == '[') {
            skipValue();
            textFrom = 0;
            textTo = 0;
        } else {
            rawText();
        }
    }

    private static String shown(int c) {
        return c > ' ' && c < 0x7F ? "'" + (char) c + "'" : String.format("byte 0x%02x", c);
    }
}
