package dev.argus.storage.object;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** What keys of objects look like: 1 to 512 characters of {@code [A-Za-z0-9._/=-]}, no part of them empty, {@code .} or {@code ..}. */
public final class ObjectKeys {
    /** Most characters of a key. */
    public static final int MOST = 512;

    /** Most characters of a part made of a name. */
    private static final int MOST_PART = 120;

    private ObjectKeys() {}

    /**
     * The key itself.
     *
     * @throws IllegalArgumentException if it can be none
     */
    public static String check(String key) {
        if (key.isEmpty() || key.length() > MOST) {
            throw new IllegalArgumentException("key of " + key.length() + " characters: expected 1 to " + MOST);
        }
        checkPrefix(key);
        if (key.endsWith("/")) {
            throw wrong(key);
        }
        return key;
    }

    /** The beginning of keys: may be empty, and may end with a slash. */
    static String checkPrefix(String prefix) {
        if (prefix.length() > MOST) {
            throw new IllegalArgumentException("prefix of " + prefix.length() + " characters: expected up to " + MOST);
        }
        int from = 0;
        for (int at = 0; at <= prefix.length(); at++) {
            if (at < prefix.length() && prefix.charAt(at) != '/') {
                if (!isPlain(prefix.charAt(at)) && prefix.charAt(at) != '=') {
                    throw wrong(prefix);
                }
                continue;
            }
            String part = prefix.substring(from, at);
            boolean last = at == prefix.length();
            if ((part.isEmpty() && !last) || part.equals(".") || part.equals("..")) {
                throw wrong(prefix);
            }
            from = at + 1;
        }
        return prefix;
    }

    /**
     * One part of a key for any name: letters, digits, {@code _}, {@code -} and inner dots stay, other bytes of UTF-8 become {@code =} and two hex digits. Names of more than 120 characters so written are cut, with a
     * hash behind; others stay different from each other.
     */
    public static String part(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder(bytes.length + 8);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            if (isPlain(c) && (c != '.' || i > 0)) {
                out.append(c);
            } else {
                out.append('=').append(HexFormat.of().withUpperCase().toHexDigits(bytes[i]));
            }
        }
        if (out.isEmpty()) {
            return "=";
        }
        if (out.length() > MOST_PART) {
            String hash = HexFormat.of().toHexDigits(hash(bytes));
            out.setLength(MOST_PART - hash.length() - 1);
            out.append('-').append(hash);
        }
        return out.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }

    /** FNV-1a, 64 bits. */
    private static long hash(byte[] bytes) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    private static IllegalArgumentException wrong(String key) {
        return new IllegalArgumentException("key '" + key.replaceAll("[^A-Za-z0-9._/=-]", "?")
                + "': expected parts of A-Z a-z 0-9 . _ = - with / between, none of them empty, '.' or '..'");
    }
}
