package dev.argus.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Percent-decoding of hostile addresses: strict, never twice. */
final class Paths {
    /** Longest path and query together. */
    static final int MOST_CHARACTERS = 8 << 10;

    private static final int MOST_PARAMETERS = 32;

    private Paths() {}

    /** Decodes one part of a path, or a name or value of a query. */
    static String decode(String raw, boolean plusIsBlank) throws Problem {
        byte[] bytes = new byte[raw.length() * 3];
        int n = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                int high = i + 2 < raw.length() ? digit(raw.charAt(i + 1)) : -1;
                int low = i + 2 < raw.length() ? digit(raw.charAt(i + 2)) : -1;
                if (high < 0 || low < 0) {
                    throw malformed();
                }
                bytes[n++] = (byte) (high << 4 | low);
                i += 2;
            } else if (c > 0x7e || c <= ' ') {
                throw malformed();
            } else {
                bytes[n++] = (byte) (plusIsBlank && c == '+' ? ' ' : c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, n))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw malformed();
        }
    }

    private static int digit(char c) {
        return c <= 'f' ? Character.digit(c, 16) : -1;
    }

    /** The parameters of a query, each name once. */
    static Map<String, String> query(String raw) throws Problem {
        Map<String, String> all = new LinkedHashMap<>();
        if (raw.isEmpty()) {
            return all;
        }
        for (String part : raw.split("&", -1)) {
            int sign = part.indexOf('=');
            if (sign < 1) {
                throw new Problem(400, "a parameter without a name or value", "name=value, joined by &");
            }
            String name = decode(part.substring(0, sign), true);
            if (all.put(name, decode(part.substring(sign + 1), true)) != null || all.size() > MOST_PARAMETERS) {
                throw new Problem(400, "a parameter is given twice, or there are too many", "each parameter once");
            }
        }
        return all;
    }

    @SuppressWarnings("OrphanedFormatString") // no format: what an address looks like
    private static Problem malformed() {
        return new Problem(
                400,
                "the address is not percent-encoded UTF-8",
                "every character beyond ASCII as %XX of its UTF-8 bytes");
    }
}
