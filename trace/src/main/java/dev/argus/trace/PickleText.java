package dev.argus.trace;

import org.jspecify.annotations.Nullable;

/** Texts as protocol 0 writes them on a line: quoted as Python's {@code repr} does, or with raw-unicode escapes. */
final class PickleText {
    private PickleText() {}

    /** A text in quotes, the escapes of {@code repr} resolved; bytes become the characters of Latin-1. */
    static String quoted(String line) {
        int last = line.length() - 1;
        boolean quotes =
                last > 0 && (line.charAt(0) == '\'' || line.charAt(0) == '"') && line.charAt(last) == line.charAt(0);
        if (!quotes) {
            throw new PickleError("a text without quotes", -1);
        }
        StringBuilder out = new StringBuilder(line.length());
        int at = 1;
        while (at < last) {
            char c = line.charAt(at++);
            if (c != '\\' || at >= last) {
                out.append(c);
                continue;
            }
            char escape = line.charAt(at++);
            if (escape == 'x') {
                Integer code = hex(line, at, 2, last);
                if (code == null) {
                    throw new PickleError("an escape without its two digits", -1);
                }
                out.append((char) code.intValue());
                at += 2;
            } else {
                out.append(plain(escape));
            }
        }
        return out.toString();
    }

    private static char plain(char escape) {
        return switch (escape) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case '0' -> '\0';
            default -> escape;
        };
    }

    /** Only {@code \}{@code uXXXX} and {@code \}{@code UXXXXXXXX} are escapes. */
    static String rawUnicode(String line) {
        StringBuilder out = new StringBuilder(line.length());
        int at = 0;
        while (at < line.length()) {
            char c = line.charAt(at);
            int digits = c != '\\' || at + 1 >= line.length()
                    ? 0
                    : line.charAt(at + 1) == 'u' ? 4 : line.charAt(at + 1) == 'U' ? 8 : 0;
            Integer code = digits == 0 ? null : hex(line, at + 2, digits, line.length());
            if (code != null && Character.isValidCodePoint(code)) {
                out.appendCodePoint(code);
                at += 2 + digits;
            } else {
                out.append(c);
                at++;
            }
        }
        return out.toString();
    }

    private static @Nullable Integer hex(String line, int from, int digits, int end) {
        if (from + digits > end) {
            return null;
        }
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(line.charAt(i), 16);
            if (digit < 0 || value > 0x7FFFFFF) {
                return null;
            }
            value = value << 4 | digit;
        }
        return value;
    }
}
