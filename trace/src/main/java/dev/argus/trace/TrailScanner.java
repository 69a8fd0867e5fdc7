package dev.argus.trace;

import java.io.InputStream;

/**
 * A scanner that goes along a {@link KeyTrail}: where the bytes between two values are those that were there before, the key is known without being read.
 *
 * <p>One thread.
 */
final class TrailScanner extends JsonScanner {
    /** Instead of a key: nothing was taken, for the trail does not know the way. */
    static final int NO_WAY = -2;

    TrailScanner(InputStream in, int window) {
        super(in, window);
    }

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
}
