package dev.argus.simulator;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Maps, lists, numbers and texts as JSON. */
final class JsonText {
    private JsonText() {}

    static String of(Object value) {
        StringBuilder out = new StringBuilder();
        put(out, value);
        return out.toString();
    }

    private static void put(StringBuilder out, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                String separator = "{";
                for (Map.Entry<?, ?> e : map.entrySet()) {
                    out.append(separator);
                    quoted(out, String.valueOf(e.getKey()));
                    out.append(": ");
                    put(out, e.getValue());
                    separator = ", ";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                String separator = "[";
                for (Object item : list) {
                    out.append(separator);
                    put(out, item);
                    separator = ", ";
                }
                out.append(list.isEmpty() ? "[]" : "]");
            }
            case int[] numbers -> {
                out.append('[');
                for (int i = 0; i < numbers.length; i++) {
                    out.append(i == 0 ? "" : ", ").append(numbers[i]);
                }
                out.append(']');
            }
            case Double d -> out.append(d.isNaN() ? "null" : String.format(Locale.ROOT, "%.4f", d));
            case Number n -> out.append(n);
            case Boolean b -> out.append(b);
            default -> {
                if (value == NULL) {
                    out.append("null");
                } else {
                    quoted(out, value.toString());
                }
            }
        }
    }

    /** Stands for JSON's null. */
    static final Object NULL = new Object();

    static void quoted(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
