package dev.argus.trace;

import java.io.InputStream;

/**
 * Reads JSON from a stream as bytes, through a window of bounded size, without making tokens.
 *
 * <p>The caller walks the structure and asks for what it wants: a known key, a number as nanoseconds, a text as a range of
 * bytes; everything else is skipped eight or sixty-four bytes at a time. Skipped values are checked for balance only, not
 * for grammar: what Jackson accepts is read alike, and some of what it rejects is accepted (trailing commas, raw control
 * characters, {@code NaN}, unknown escapes), for profilers do write that.
 *
 * <p>Ranges handed out are relative to the {@link #mark()} of the {@link JsonWindow window}. What is skipped is not kept; of a
 * text at most {@link #MAX_TEXT} bytes are. One thread.
 */
class JsonScanner extends JsonWindow {
    /** Longest text kept; the rest is dropped and {@link #textCut()} is true. */
    static final int MAX_TEXT = 4 << 20;

    /** Instead of a key: the end of the object was taken. */
    static final int END = -1;

    /** Keys of the formats are shorter; longer ones take the slow way. */
    private static final int KEY_ROOM = 56;
    /** Bit 7 of the last byte: keeps a search within its word. */
    private static final long LAST = 0x8000_0000_0000_0000L;

    private static final long QUOTE = Swar.all('"');
    private static final long BACKSLASH = Swar.all('\\');

    private final JsonBlock block = new JsonBlock();

    private int textFrom;
    private int textTo;
    private boolean textEscaped;
    private boolean textCut;

    JsonScanner(InputStream in, int window) {
        super(in, window);
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
    final void skipRest(int open, boolean kept) {
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
