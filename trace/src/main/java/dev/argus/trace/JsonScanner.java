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

    private static final int PADDING = 72;
    private static final int NUMBER_ROOM = 48;
    /** Keys of the formats are shorter; longer ones take the slow way. */
    private static final int KEY_ROOM = 56;
    /** Bit 7 of the last byte: keeps a search within its word. */
    private static final long LAST = 0x8000_0000_0000_0000L;

    private static final long QUOTE = Swar.all('"');
    private static final long BACKSLASH = Swar.all('\\');
    /** The four brackets differ in these bits only, from each other and from Y, y and _. */
    private static final long BRACKET_BITS = Swar.all(0x26);

    private static final long BRACKET = Swar.all(0x7F);
    private static final long EVEN_BITS = 0x5555_5555_5555_5555L;

    private final InputStream in;
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
                long stop = Swar.zeros(w ^ QUOTE) | Swar.zeros(w ^ BACKSLASH);
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
        while (b[p] >= '-' && b[p] <= '9') {
            p++;
        }
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

    /**
     * Goes behind the bracket that closes {@code open} levels. Sixty-four bytes become three bit masks (quotes, opening and
     * closing brackets); a prefix sum of quote bits tells what lies inside strings; levels are then counted, not visited.
     * After Langdale and Lemire, "Parsing gigabytes of JSON per second" (2019), without vectors.
     */
    private void skipRest(int open, boolean kept) {
        int depth = open;
        long inString = 0;
        long escape = 0;
        hole = kept ? -1 : pos;
        for (; ; ) {
            byte[] b = buf;
            int p = pos;
            int end = limit - 64;
            while (p <= end) {
                long w0 = Swar.word(b, p);
                long w1 = Swar.word(b, p + 8);
                long w2 = Swar.word(b, p + 16);
                long w3 = Swar.word(b, p + 24);
                long w4 = Swar.word(b, p + 32);
                long w5 = Swar.word(b, p + 40);
                long w6 = Swar.word(b, p + 48);
                long w7 = Swar.word(b, p + 56);
                long quotes = Swar.transpose((quotes(w0) >>> 7)
                        | (quotes(w1) >>> 6)
                        | (quotes(w2) >>> 5)
                        | (quotes(w3) >>> 4)
                        | (quotes(w4) >>> 3)
                        | (quotes(w5) >>> 2)
                        | (quotes(w6) >>> 1)
                        | quotes(w7));
                long slashes =
                        slash(w0) | slash(w1) | slash(w2) | slash(w3) | slash(w4) | slash(w5) | slash(w6) | slash(w7);
                if (((slashes & Swar.all(0x80)) | escape) != 0) {
                    long backslashes = backslashes(b, p);
                    long escaped = escaped(backslashes, escape);
                    escape = escapesNext(backslashes, escape);
                    quotes &= ~escaped;
                }
                if ((quotes | ~inString) == 0) {
                    p += 64;
                    continue;
                }
                long opens = (opens(w0) >>> 7)
                        | (opens(w1) >>> 6)
                        | (opens(w2) >>> 5)
                        | (opens(w3) >>> 4)
                        | (opens(w4) >>> 3)
                        | (opens(w5) >>> 2)
                        | (opens(w6) >>> 1)
                        | opens(w7);
                long closes = (closes(w0) >>> 7)
                        | (closes(w1) >>> 6)
                        | (closes(w2) >>> 5)
                        | (closes(w3) >>> 4)
                        | (closes(w4) >>> 3)
                        | (closes(w5) >>> 2)
                        | (closes(w6) >>> 1)
                        | closes(w7);
                long inside = prefixXor(quotes) ^ inString;
                inString = inside >> 63;
                long outside = ~Swar.transpose(inside);
                opens &= outside;
                closes &= outside;
                int closing = Long.bitCount(closes);
                if (closing < depth) {
                    depth += Long.bitCount(opens) - closing;
                    p += 64;
                    continue;
                }
                opens = Swar.transpose(opens);
                long both = opens | Swar.transpose(closes);
                while (both != 0) {
                    long bit = both & -both;
                    depth += (opens & bit) != 0 ? 1 : -1;
                    if (depth == 0) {
                        pos = p + Long.numberOfTrailingZeros(bit) + 1;
                        hole = -1;
                        return;
                    }
                    both ^= bit;
                }
                p += 64;
            }
            pos = p;
            if (limit - pos < 64 && !more()) {
                skipLast(depth, inString != 0, escape != 0);
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
            if (escape) {
                escape = false;
            } else if (c == '\\') {
                escape = true;
            } else if (c == '"') {
                inString = !inString;
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

    private static long quotes(long w) {
        return Swar.zeros(w ^ QUOTE);
    }

    /** Not 0 in bit 7 of some byte if there is a backslash in the word; which byte is not told. */
    private static long slash(long w) {
        long x = w ^ BACKSLASH;
        return (x - Swar.all(1)) & ~x;
    }

    private static long opens(long w) {
        return Swar.zeros((w | BRACKET_BITS) ^ BRACKET) & (w << 6) & ~(w << 5);
    }

    private static long closes(long w) {
        return Swar.zeros((w | BRACKET_BITS) ^ BRACKET) & (w << 5) & ~(w << 6);
    }

    private static long backslashes(byte[] b, int p) {
        long bits = 0;
        for (int i = 0; i < 64; i += 8) {
            bits |= Swar.pack(Swar.zeros(Swar.word(b, p + i) ^ BACKSLASH)) << i;
        }
        return bits;
    }

    /** Bits of the bytes that a backslash before them escapes. */
    private static long escaped(long backslashes, long escape) {
        long slashes = backslashes & ~escape;
        long follows = (slashes << 1) | escape;
        long oddStarts = slashes & ~EVEN_BITS & ~follows;
        long sum = oddStarts + slashes;
        return (EVEN_BITS ^ (sum << 1)) & follows;
    }

    /** 1 if the first byte behind the block is escaped, else 0. */
    private static long escapesNext(long backslashes, long escape) {
        long slashes = backslashes & ~escape;
        long follows = (slashes << 1) | escape;
        long oddStarts = slashes & ~EVEN_BITS & ~follows;
        return Long.compareUnsigned(oddStarts + slashes, slashes) < 0 ? 1 : 0;
    }

    private static long prefixXor(long bits) {
        long x = bits;
        x ^= x << 1;
        x ^= x << 2;
        x ^= x << 4;
        x ^= x << 8;
        x ^= x << 16;
        x ^= x << 32;
        return x;
    }

    // ---------------------------------------------------------------- numbers

    /**
     * Takes a value printed in microseconds, as nanoseconds: exact, finer digits rounded half to even.
     *
     * @return {@link Decimals#MISSING} for what is no number, plus or minus {@link Decimals#HUGE} beyond the range
     */
    long nanos() {
        peek();
        if (limit - pos < NUMBER_ROOM) {
            ensure(NUMBER_ROOM);
        }
        byte[] b = buf;
        int p = pos;
        boolean negative = b[p] == '-';
        if (negative) {
            p++;
        }
        int first = p;
        long value = 0;
        for (int d = b[p] - '0'; d >= 0 && d <= 9; d = b[p] - '0') {
            value = value * 10 + d;
            p++;
        }
        int digits = p - first;
        if (digits == 0 || digits > 16 || value > 9_000_000_000_000_000L) {
            return slowNanos();
        }
        value *= 1000;
        if (b[p] == '.') {
            p++;
            int scale = 100;
            for (int d = b[p] - '0'; d >= 0 && d <= 9 && scale > 0; d = b[p] - '0') {
                value += (long) d * scale;
                scale /= 10;
                p++;
            }
        }
        if (p >= limit || !endsScalar(b[p])) {
            return slowNanos();
        }
        pos = p;
        return negative ? -value : value;
    }

    private long slowNanos() {
        scalarOrText();
        return Decimals.nanosOfMicros(buf, mark + textFrom, mark + textTo);
    }

    /** Takes an integer, modulo 2^64; digits in quotes count, a fraction is dropped; {@link Decimals#MISSING} else. */
    long integer() {
        peek();
        if (limit - pos < NUMBER_ROOM) {
            ensure(NUMBER_ROOM);
        }
        byte[] b = buf;
        int p = pos;
        int first = p;
        long value = 0;
        for (int d = b[p] - '0'; d >= 0 && d <= 9; d = b[p] - '0') {
            value = value * 10 + d;
            p++;
        }
        if (p == first || p >= limit || p - first > 18 || !endsScalar(b[p])) {
            scalarOrText();
            return Decimals.integer(buf, mark + textFrom, mark + textTo);
        }
        pos = p;
        return value;
    }

    /** Takes a scalar or string as text; a container is skipped and reads as an empty text. */
    private void scalarOrText() {
        int c = peek();
        if (c == '{' || c == '[') {
            skipValue();
            textFrom = 0;
            textTo = 0;
        } else {
            rawText();
        }
    }

    /** Takes an array of integers (grid, block) and returns their product; 0 when it is anything else. */
    long product() {
        if (peek() != '[') {
            skipValue();
            return 0;
        }
        pos++;
        long product = 1;
        while (nextElement()) {
            int before = peek();
            if (before == '{' || before == '[') {
                skipValue();
                product = 0;
            } else {
                long factor = integer();
                product = factor == Decimals.MISSING ? 0 : product * factor;
            }
        }
        return product;
    }

    private static String shown(int c) {
        return c > ' ' && c < 0x7F ? "'" + (char) c + "'" : String.format("byte 0x%02x", c);
    }
}
