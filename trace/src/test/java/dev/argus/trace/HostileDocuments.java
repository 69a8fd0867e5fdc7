package dev.argus.trace;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * JSON that is right and that no profiler would write: escapes anywhere, keys twice and in any order, values of any kind under any
 * key, numbers of any size, other members that look like events; in few layouts, so that what was learned is used again.
 */
final class HostileDocuments {
    private static final String[] KEYS = {"ph", "cat", "name", "pid", "tid", "ts", "dur", "args", "id", "s", "\u00e9"};
    private static final String[] ARGS = {
        "device",
        "stream",
        "correlation",
        "External id",
        "external id",
        "bytes",
        "grid",
        "block",
        "dtype",
        "Collective name",
        "name",
        "cat",
        "args",
        "ts",
        "k"
    };
    private static final String[] CATEGORIES = {
        "kernel",
        "Kernel",
        "cuda_runtime",
        "cpu_op",
        "python_function",
        "ac2g",
        "gpu_memcpy",
        "user_annotation",
        "zz",
        ""
    };
    private static final String[] NAMES = {
        "gemm",
        "",
        "nccl:all_reduce",
        "Optimizer.step#Adam",
        "a\"b\\c/\n\t\b\f\r",
        "\u00e9\ud83d\ude00",
        "\ud83d",
        "{[]}:,\"traceEvents\":[",
        "null",
        "[1, 2]",
        "x".repeat(70),
        "\\\\\\\"",
        "\u0001\u007f\u2028",
        "void k<float, 4>(int*, std::array<char*, 2ul>)"
    };
    private static final String[] NUMBERS = {
        "0",
        "-0",
        "-0.0",
        "0e0",
        "7",
        "-7",
        "12345678",
        "123456789",
        "1234567890123456",
        "12345678901234567",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890",
        "1751410839690164.648",
        "1751410839690164.64850",
        "9007199254740993",
        "0.5",
        "0.0005",
        "0.0015",
        "1.9999",
        "12.250",
        "1e400",
        "-1e400",
        "1E-400",
        "1.5e3",
        "15E+2",
        "1.751410836e18",
        "1.8446744073709551615e19",
        "9.3e18",
        "1e20",
        "999.9994999999999999999",
        "9223372036854775.807",
        "9223372036854775.808",
        "100000000.125"
    };
    private static final String[] TEXTS_OF_NUMBERS = {
        "\"12.5\"", "\"stream 7\"", "\"7\"", "\"-7\"", "\"\"", "\"0x1F\"", "\"0xZ\"", "\"1e3\"", "\"12abc\"", "\"-\""
    };

    private final Random random;
    private final List<List<String>> layouts = new ArrayList<>();
    private final String line;

    private HostileDocuments(Random random) {
        this.random = random;
        this.line = List.of("", "\n", "\r\n", "\n    ", "\r\n\t", " ").get(random.nextInt(6));
    }

    /** A document of some events. */
    static byte[] of(Random random, int events) {
        return new HostileDocuments(random).document(events);
    }

    private byte[] document(int count) {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            layouts.add(layout());
        }
        StringBuilder list = new StringBuilder("[");
        for (int i = 0; i < count; i++) {
            list.append(i == 0 ? "" : ",").append(line).append(element());
        }
        list.append(line).append(']');
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (random.nextInt(5) == 0) {
            out.writeBytes(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF});
        }
        String text = random.nextInt(3) == 0 ? list.toString() : object(list.toString());
        out.writeBytes((space() + text + space()).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private String object(String events) {
        StringBuilder out = new StringBuilder("{");
        for (int i = random.nextInt(3); i > 0; i--) {
            String other = random.nextInt(3) == 0 ? "traceEvents" : "other" + i;
            String value = other.equals("traceEvents")
                    ? List.of("{}", "5", "\"[\"", "null").get(random.nextInt(4))
                    : decoy();
            out.append(text(other))
                    .append(space())
                    .append(':')
                    .append(space())
                    .append(value)
                    .append(',')
                    .append(line);
        }
        out.append(text("traceEvents")).append(':').append(space()).append(events);
        return out.append(",\"z\":").append(value(3)).append(line).append('}').toString();
    }

    /** Something large that holds what looks like events. */
    private String decoy() {
        StringBuilder out = new StringBuilder("[");
        for (int i = random.nextInt(30); i > 0; i--) {
            out.append(random.nextBoolean() ? event(layout()) : value(4))
                    .append(',')
                    .append(space());
        }
        return out.append("[{\"traceEvents\":[]}]]").toString();
    }

    private String element() {
        return switch (random.nextInt(25)) {
            case 0 -> value(3);
            case 1, 2 -> event(layout());
            default -> event(layouts.get(random.nextInt(layouts.size())));
        };
    }

    /** Keys as they are written, each with the colon and the white space around it; those of arguments between braces. */
    private List<String> layout() {
        List<String> keys = new ArrayList<>(List.of(KEYS).subList(0, 8));
        for (int i = random.nextInt(4); i > 0; i--) {
            keys.add(KEYS[random.nextInt(KEYS.length)]);
        }
        if (random.nextInt(3) > 0) {
            Collections.shuffle(keys, random);
        }
        if (random.nextInt(4) == 0) {
            keys.remove(random.nextInt(keys.size()));
        }
        List<String> out = new ArrayList<>();
        for (String key : keys) {
            out.add(key);
            out.add(line
                    + text(key)
                    + (random.nextInt(8) == 0 ? space() : "")
                    + ':'
                    + (random.nextBoolean() ? " " : ""));
            if (key.equals("args") && random.nextInt(8) > 0) {
                out.add("{");
                for (int i = random.nextInt(9); i > 0; i--) {
                    String arg = ARGS[random.nextInt(ARGS.length)];
                    out.add(arg);
                    out.add(line + text(arg) + ':' + (random.nextBoolean() ? " " : ""));
                }
                out.add("}");
            }
        }
        return out;
    }

    private String event(List<String> layout) {
        StringBuilder out = new StringBuilder("{");
        boolean args = false;
        boolean first = true;
        for (int i = 0; i < layout.size(); i++) {
            String piece = layout.get(i);
            if (piece.equals("{")) {
                args = true;
                first = true;
                out.append('{');
            } else if (piece.equals("}")) {
                args = false;
                first = false;
                out.append(line).append('}');
            } else {
                out.append(first ? "" : ",").append(layout.get(++i));
                first = false;
                if (i + 1 == layout.size() || !layout.get(i + 1).equals("{")) {
                    out.append(args ? argument(piece) : field(piece));
                }
            }
        }
        return out.append(line).append('}').toString();
    }

    private String field(String key) {
        if (random.nextInt(12) == 0) {
            return value(2);
        }
        return switch (key) {
            case "ph" ->
                text(random.nextInt(8) > 0 ? "X" : List.of("M", "s", "XX", "").get(random.nextInt(4)));
            case "cat" -> text(CATEGORIES[random.nextInt(CATEGORIES.length)]);
            case "name" -> text(NAMES[random.nextInt(NAMES.length)]);
            case "pid", "tid", "ts", "dur" -> number();
            default -> value(3);
        };
    }

    private String argument(String key) {
        if (random.nextInt(10) == 0) {
            return value(3);
        }
        return switch (key) {
            case "grid", "block" -> list();
            case "dtype", "Collective name", "name" -> text(NAMES[random.nextInt(NAMES.length)]);
            case "k", "cat", "args" -> value(3);
            default -> number();
        };
    }

    private String list() {
        StringBuilder out = new StringBuilder("[");
        for (int i = random.nextInt(4); i > 0; i--) {
            out.append(random.nextInt(12) == 0 ? value(1) : String.valueOf(random.nextInt(300)));
            out.append(i == 1 ? "" : random.nextBoolean() ? ", " : "," + space());
        }
        return out.append(']').toString();
    }

    private String number() {
        return switch (random.nextInt(10)) {
            case 0 -> TEXTS_OF_NUMBERS[random.nextInt(TEXTS_OF_NUMBERS.length)];
            case 1, 2 -> String.valueOf(random.nextInt());
            case 3, 4 -> random.nextInt(1 << 22) + "." + random.nextInt(10000);
            default -> NUMBERS[random.nextInt(NUMBERS.length)];
        };
    }

    private String value(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 -> number();
            case 1 -> text(NAMES[random.nextInt(NAMES.length)]);
            case 2 -> List.of("null", "true", "false").get(random.nextInt(3));
            case 3 -> List.of("[]", "{}", "[7]", "[1, 2]").get(random.nextInt(4));
            case 4 -> "[" + value(depth - 1) + space() + "," + space() + value(depth - 1) + "]";
            case 5 -> "[".repeat(40) + value(depth - 1) + "]".repeat(40);
            default ->
                "{" + text("ts") + ":" + value(depth - 1) + "," + line + text("args") + ":{" + text("dur") + ":"
                        + value(depth - 1) + "}}";
        };
    }

    /** A text in quotes, with the escapes that it needs and some that it does not. */
    private String text(String plain) {
        int often = random.nextInt(6) == 0 ? 2 : 1 << 20;
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            boolean forced = c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c);
            int named = "\"\\/\b\f\n\r\t".indexOf(c);
            if (named >= 0 && (forced || random.nextInt(often) == 0) && random.nextInt(3) > 0) {
                out.append('\\').append("\"\\/bfnrt".charAt(named));
            } else if (forced || random.nextInt(often) == 0) {
                out.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    private String space() {
        return switch (random.nextInt(6)) {
            case 0 -> line;
            case 1 -> " ".repeat(random.nextInt(140));
            case 2 -> "\r\n\t";
            default -> "";
        };
    }
}
