package dev.argus.trace;

/**
 * Where values end that are printed plainly, as nearly all are: found word by word, without a state.
 *
 * <p>All return the limit for what is not plain or not wholly before the limit; eight zero bytes must stand behind it.
 */
final class PlainValue {
    private static final int MAX_LIST = 64;
    private static final long QUOTE = Swar.all('"');
    private static final long BACKSLASH = Swar.all('\\');

    private PlainValue() {}

    /** Index of the quote that closes a text without escapes; the limit if it has some, or is not wholly in the window. */
    static int text(byte[] b, int from, int limit) {
        for (int p = from; p < limit; p += 8) {
            long w = Swar.word(b, p);
            long stop = Swar.someZero(w ^ QUOTE) | Swar.someZero(w ^ BACKSLASH);
            if (stop != 0) {
                int at = p + Swar.first(stop);
                return b[at] == '"' ? at : limit;
            }
        }
        return limit;
    }

    /** Index behind a number without exponent; the limit for what is none, or is not wholly in the window. */
    static int number(byte[] b, int from, int limit) {
        int p = from;
        long stop = Swar.noNumber(Swar.word(b, p));
        while (stop == 0) {
            p += 8;
            stop = Swar.noNumber(Swar.word(b, p));
        }
        p += Swar.first(stop);
        byte c = b[p];
        return p > from && (c == ',' || c == '}' || c == '\n' || c == ' ') ? p : limit;
    }

    /** Index behind a list of a few small numbers; the limit for what is none, or is not wholly in the window. */
    static int list(byte[] b, int from, int limit) {
        int end = Math.min(from + MAX_LIST, limit);
        for (int p = from + 1; p < end; p++) {
            byte c = b[p];
            if (c == ']') {
                return p + 1;
            }
            if (c != ',' && c != ' ' && (c < '0' || c > '9')) {
                return limit;
            }
        }
        return limit;
    }
}
