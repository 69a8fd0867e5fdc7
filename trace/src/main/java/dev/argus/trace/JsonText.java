package dev.argus.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes between quotes to text: escapes and surrogates exactly, invalid UTF-8 as replacement characters. */
final class JsonText {
    private JsonText() {}

    /** Text of {@code bytes[from, to)}. */
    static String decode(byte[] bytes, int from, int to, boolean escaped) {
        if (!escaped) {
            return plain(bytes, from, to);
        }
        StringBuilder out = new StringBuilder(to - from);
        int run = from;
        int p = from;
        while (p < to) {
            if (bytes[p] != '\\') {
                p++;
                continue;
            }
            out.append(plain(bytes, run, p));
            p = escape(bytes, p, to, out);
            run = p;
        }
        return out.append(plain(bytes, run, to)).toString();
    }

    /** Appends what the escape at {@code p} stands for; returns the place behind it. */
    private static int escape(byte[] bytes, int p, int to, StringBuilder out) {
        if (p + 1 >= to) {
            out.append('\\');
            return to;
        }
        byte kind = bytes[p + 1];
        if (kind == 'u' && p + 6 <= to) {
            int unit = unit(bytes, p + 2);
            if (unit >= 0) {
                out.append((char) unit);
                return p + 6;
            }
        }
        switch (kind) {
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case '"', '/', '\\' -> out.append((char) kind);
            default -> {
                // No escape of JSON (a Windows path, say): kept as written.
                out.append('\\');
                return p + 1;
            }
        }
        return p + 2;
    }

    private static int unit(byte[] bytes, int at) {
        int unit = 0;
        for (int i = at; i < at + 4; i++) {
            int digit = bytes[i] < 0 ? -1 : Character.digit((char) bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = (unit << 4) | digit;
        }
        return unit;
    }

    private static String plain(byte[] bytes, int from, int to) {
        return isAscii(bytes, from, to)
                ? new String(bytes, from, to - from, StandardCharsets.ISO_8859_1)
                : new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static boolean isAscii(byte[] bytes, int from, int to) {
        for (int p = from; p < to; p++) {
            if (bytes[p] < 0) {
                return false;
            }
        }
        return true;
    }

    /** True if the bytes are not UTF-8. */
    static boolean isMalformed(byte[] bytes, int from, int to) {
        if (isAscii(bytes, from, to)) {
            return false;
        }
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') < 0) {
            return false;
        }
        byte[] back = text.getBytes(StandardCharsets.UTF_8);
        return !Arrays.equals(back, 0, back.length, bytes, from, to);
    }

    /** The UTF-8 bytes of an escaped text; only for keys, which are short. */
    static byte[] unescape(byte[] bytes, int from, int to) {
        return decode(bytes, from, to, true).getBytes(StandardCharsets.UTF_8);
    }
}
