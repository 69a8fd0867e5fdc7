package dev.argus.model;

import org.jspecify.annotations.Nullable;

/**
 * Makes strings from outside (traces, hosts, files, arguments) fit to be shown in a terminal, a log or an error.
 *
 * <p>Whatever could move the cursor, reverse the direction of text, hide or pile up characters becomes a visible escape: a
 * backslash and {@code x1b} below U+0100, {@code u202e} up to U+FFFF, {@code u{e0041}} above. What stays is one line of
 * printable characters. Text that is too long is cut: {@code abc…(+997)} says how many code points are missing. The result is
 * a fixed point: {@code of(of(s))} equals {@code of(s)} unless it was cut.
 *
 * <p>Cost: O(length), one pass; the result has at most {@code limit} characters and the mark of the cut. JSON never uses this:
 * there strings are exact.
 */
public final class SafeText {
    /** Most characters shown of a name. */
    public static final int NAME_LIMIT = 120;

    /** Most characters shown of a sentence that may hold names. */
    public static final int SENTENCE_LIMIT = 2_000;

    /** Marks piled on one character: two serve every living script in common use, a flood covers the lines around. */
    private static final int COMBINING_LIMIT = 2;

    private SafeText() {}

    /** A name, cut to {@link #NAME_LIMIT} characters; null becomes the empty text. */
    public static String of(@Nullable String text) {
        return of(text, NAME_LIMIT);
    }

    /** A sentence of our own which may hold foreign names, cut to {@link #SENTENCE_LIMIT} characters. */
    public static String sentence(@Nullable String text) {
        return of(text, SENTENCE_LIMIT);
    }

    /**
     * Escapes and cuts.
     *
     * @param text anything; null becomes the empty text
     * @param limit most characters of the result, the mark of a cut not counted; &gt;= 1
     */
    public static String of(@Nullable String text, int limit) {
        if (text == null) {
            return "";
        }
        if (limit < 1) {
            throw new IllegalArgumentException("limit " + limit + ": expected at least 1");
        }
        StringBuilder out = new StringBuilder(Math.min(text.length(), limit) + 16);
        int combining = COMBINING_LIMIT; // a mark at the very start would sit on what stands before the text
        for (int at = 0; at < text.length(); ) {
            int c = text.codePointAt(at);
            boolean mark = isMark(c);
            combining = mark ? combining + 1 : 0;
            int before = out.length();
            if (isHarmless(c) && combining <= COMBINING_LIMIT) {
                out.appendCodePoint(c);
            } else {
                escape(out, c);
                combining = COMBINING_LIMIT; // nor may a mark change an escape
            }
            if (out.length() > limit) {
                out.setLength(before);
                return out.append("…(+")
                        .append(text.codePointCount(at, text.length()))
                        .append(')')
                        .toString();
            }
            at += Character.charCount(c);
        }
        return out.toString();
    }

    private static boolean isMark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.ENCLOSING_MARK
                || type == Character.COMBINING_SPACING_MARK;
    }

    /** False for controls, formats (bidi, zero width), separators, lone surrogates, unassigned, private and blank ones. */
    private static boolean isHarmless(int c) {
        if (c < 0x7f) {
            return c >= 0x20;
        }
        if (isBlank(c)) {
            return false;
        }
        return switch ((byte) Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /** Letters and marks which Unicode counts as such but which show nothing: fillers, variation selectors, joiners. */
    private static boolean isBlank(int c) {
        return c == 0x034f
                || c == 0x115f
                || c == 0x1160
                || c == 0x17b4
                || c == 0x17b5
                || c == 0x2800
                || c == 0x3164
                || c == 0xffa0
                || (c >= 0x180b && c <= 0x180f)
                || (c >= 0xfe00 && c <= 0xfe0f)
                || (c >= 0xe0100 && c <= 0xe01ef);
    }

    private static void escape(StringBuilder out, int c) {
        if (c < 0x100) {
            hex(out.append("\\x"), c, 2);
        } else if (c < 0x10000) {
            hex(out.append("\\u"), c, 4);
        } else {
            hex(out.append("\\u{"), c, 5);
            out.append('}');
        }
    }

    private static void hex(StringBuilder out, int value, int digits) {
        String text = Integer.toHexString(value);
        out.append("0".repeat(Math.max(0, digits - text.length()))).append(text);
    }
}
