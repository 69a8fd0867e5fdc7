package dev.argus.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A small value (a header, never events) as maps, lists, texts and numbers ({@code Long}, else {@code Double}).
 *
 * <p>At most {@value #MAX_DEPTH} levels deep. Lenient where profilers are: trailing commas, and bare words ({@code ...},
 * {@code NaN}) which become texts.
 */
final class JsonTree {
    private static final int MAX_DEPTH = 64;

    private final byte[] bytes;
    private final int to;
    private int pos;

    private JsonTree(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.pos = from;
        this.to = to;
    }

    /**
     * Parses {@code bytes[from, to)}.
     *
     * @throws JsonError if it is no JSON; the offset counts from {@code from}
     */
    static @Nullable Object parse(byte[] bytes, int from, int to) {
        JsonTree tree = new JsonTree(bytes, from, to);
        try {
            return tree.value(0);
        } catch (JsonError broken) {
            throw new JsonError(broken.text(), broken.offset() - from);
        }
    }

    private @Nullable Object value(int depth) {
        int c = peek();
        if (depth > MAX_DEPTH) {
            throw error("nested deeper than " + MAX_DEPTH);
        }
        return switch (c) {
            case '{' -> object(depth);
            case '[' -> list(depth);
            case '"' -> text();
            default -> word();
        };
    }

    private Map<String, @Nullable Object> object(int depth) {
        Map<String, @Nullable Object> out = new LinkedHashMap<>();
        pos++;
        while (true) {
            int c = peek();
            if (c == ',') {
                pos++;
            } else if (c == '}') {
                pos++;
                return out;
            } else if (c == '"') {
                String key = text();
                if (peek() != ':') {
                    throw error("expected ':'");
                }
                pos++;
                out.put(key, value(depth + 1));
            } else {
                throw error("expected a key");
            }
        }
    }

    private List<@Nullable Object> list(int depth) {
        List<@Nullable Object> out = new ArrayList<>();
        pos++;
        while (true) {
            int c = peek();
            if (c == ',') {
                pos++;
            } else if (c == ']') {
                pos++;
                return out;
            } else {
                out.add(value(depth + 1));
            }
        }
    }

    private String text() {
        int from = ++pos;
        boolean escaped = false;
        while (pos < to && bytes[pos] != '"') {
            if (bytes[pos] == '\\') {
                escaped = true;
                pos++;
            }
            pos++;
        }
        if (pos >= to) {
            throw error("a text without end");
        }
        return JsonText.decode(bytes, from, pos++, escaped);
    }

    private @Nullable Object word() {
        int from = pos;
        while (pos < to && ",:]}\"".indexOf(bytes[pos]) < 0 && bytes[pos] > ' ') {
            pos++;
        }
        if (pos == from) {
            throw error("expected a value");
        }
        String word = JsonText.decode(bytes, from, pos, false);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> number(word);
        };
    }

    private static Object number(String word) {
        try {
            return Long.valueOf(word);
        } catch (NumberFormatException notWhole) {
            try {
                return Double.valueOf(word);
            } catch (NumberFormatException notANumber) {
                return word;
            }
        }
    }

    private int peek() {
        while (pos < to && bytes[pos] <= ' ' && bytes[pos] >= 0) {
            pos++;
        }
        if (pos >= to) {
            throw error("the text ends inside a value");
        }
        return bytes[pos];
    }

    private JsonError error(String message) {
        return new JsonError(message, pos);
    }
}
