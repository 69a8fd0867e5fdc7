package dev.argus.wire.json;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON value as it is told, member by member; keeps nothing but the nesting.
 *
 * <p>Strings are exact: control characters, U+2028, U+2029 and lone surrogates are escaped, so the text is valid UTF-8 when
 * encoded and every character comes back. Longs are written exactly, doubles with the fewest digits that read back to the same
 * value, and {@code null} where a double is not finite. Containers down to {@code breakDepth} put each child on a line of its
 * own; deeper ones stay on one line.
 *
 * <p>The order of members is the order of calls. Wrong nesting is a programming error and throws.
 */
public final class JsonWriter {
    private static final int MAX_DEPTH = 32;

    private final Appendable out;
    private final int breakDepth;
    private final boolean[] object = new boolean[MAX_DEPTH];
    private final boolean[] used = new boolean[MAX_DEPTH];
    private int depth;
    private boolean named;

    /**
     * Writes to any text sink.
     *
     * @param out the sink; buffered if it should be fast
     * @param breakDepth containers of this depth and less break lines; 0 for one line
     */
    public JsonWriter(Appendable out, int breakDepth) {
        this.out = out;
        this.breakDepth = breakDepth;
    }

    /** Opens an object. */
    public JsonWriter beginObject() throws IOException {
        return begin('{', true);
    }

    /** Closes the innermost object. */
    public JsonWriter endObject() throws IOException {
        return end('}', true);
    }

    /** Opens an array. */
    public JsonWriter beginArray() throws IOException {
        return begin('[', false);
    }

    /** Closes the innermost array. */
    public JsonWriter endArray() throws IOException {
        return end(']', false);
    }

    /** Writes the name of the next member. */
    public JsonWriter name(String name) throws IOException {
        if (depth == 0 || !object[depth - 1] || named) {
            throw new IllegalStateException("name '" + name + "': expected inside an object, after a value");
        }
        separate();
        quote(name);
        out.append(':');
        named = true;
        return this;
    }

    /** Writes a string, or {@code null}. */
    public JsonWriter value(@Nullable String text) throws IOException {
        beforeValue();
        if (text == null) {
            out.append("null");
        } else {
            quote(text);
        }
        return this;
    }

    /** Writes an integer exactly. */
    public JsonWriter value(long number) throws IOException {
        beforeValue();
        out.append(Long.toString(number));
        return this;
    }

    /** Writes a number, {@code null} if it is not finite. */
    public JsonWriter value(double number) throws IOException {
        beforeValue();
        out.append(Double.isFinite(number) ? Double.toString(number) : "null");
        return this;
    }

    /** Writes true or false. */
    public JsonWriter value(boolean truth) throws IOException {
        beforeValue();
        out.append(truth ? "true" : "false");
        return this;
    }

    /** Writes {@code null}. */
    public JsonWriter nullValue() throws IOException {
        beforeValue();
        out.append("null");
        return this;
    }

    /** Writes a value that is JSON already; whether it is, is not checked. */
    public JsonWriter json(CharSequence value) throws IOException {
        beforeValue();
        out.append(value);
        return this;
    }

    private JsonWriter begin(char bracket, boolean isObject) throws IOException {
        beforeValue();
        if (depth == MAX_DEPTH) {
            throw new IllegalStateException("nested deeper than " + MAX_DEPTH);
        }
        out.append(bracket);
        object[depth] = isObject;
        used[depth++] = false;
        return this;
    }

    private JsonWriter end(char bracket, boolean isObject) throws IOException {
        if (depth == 0 || object[depth - 1] != isObject || named) {
            throw new IllegalStateException("'" + bracket + "' at depth " + depth + ": nothing to close");
        }
        boolean filled = used[--depth];
        if (filled && depth < breakDepth) {
            newLine();
        }
        out.append(bracket);
        return this;
    }

    private void beforeValue() throws IOException {
        if (depth == 0) {
            return;
        }
        if (object[depth - 1]) {
            if (!named) {
                throw new IllegalStateException("value without a name in an object");
            }
            named = false;
        } else {
            separate();
        }
    }

    private void separate() throws IOException {
        if (used[depth - 1]) {
            out.append(',');
        }
        used[depth - 1] = true;
        if (depth <= breakDepth) {
            newLine();
        }
    }

    private void newLine() throws IOException {
        char[] indent = new char[1 + depth];
        Arrays.fill(indent, ' ');
        indent[0] = '\n';
        out.append(new String(indent));
    }

    private void quote(String text) throws IOException {
        out.append('"');
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            if (c > 0x9f && !Character.isSurrogate(c) && c != 0x2028 && c != 0x2029) {
                continue;
            }
            out.append(text, plain, i);
            escape(c);
            plain = i + 1;
        }
        out.append(text, plain, text.length()).append('"');
    }

    private void escape(char c) throws IOException {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            default -> {
                String hex = Integer.toHexString(c);
                out.append("\\u").append("0".repeat(4 - hex.length())).append(hex);
            }
        }
    }
}
