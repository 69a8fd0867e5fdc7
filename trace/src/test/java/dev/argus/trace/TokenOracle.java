package dev.argus.trace;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** What is to be read of each event, written down from the rules over Jackson's tokens, big numbers and patterns. */
final class TokenOracle {
    private static final long MISSING = Long.MIN_VALUE;
    private static final long HUGE = Long.MAX_VALUE;
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
    private static final Pattern HEXADECIMAL = Pattern.compile("-?0[xX][0-9a-fA-F]+");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(\\.[0-9]*)?([eE][+-]?[0-9]+)?");
    private static final Pattern LAST_DIGITS = Pattern.compile(".*?([0-9]*)", Pattern.DOTALL);
    private static final List<String> CALLS = List.of(
            "record_param_comms",
            "nccl:",
            "gloo:",
            "c10d::",
            "_c10d_functional::",
            "c10d_functional::",
            "mpi:",
            "ucc:",
            "rccl:");
    private static final Map<String, Integer> CATEGORIES = Map.of(
            "kernel", 1, "gpu_memcpy", 2, "cuda_runtime", 4, "cpu_op", 5, "user_annotation", 6, "python_function", 8);
    private static final Map<String, String> ARGUMENTS = Map.of("external id", "External id");

    /** A value: its first token, its text (of a container, as written), and the elements of a list as texts. */
    private record Value(JsonToken kind, String text, List<Value> elements) {
        boolean isText() {
            return kind == JsonToken.VALUE_STRING;
        }

        boolean isContainer() {
            return kind.isStructStart();
        }
    }

    private final byte[] file;
    private final JsonParser in;
    private final List<String> out = new ArrayList<>();

    private TokenOracle(byte[] file, JsonParser in) {
        this.file = file;
        this.in = in;
    }

    static List<String> events(byte[] file) throws IOException {
        try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), file)) {
            TokenOracle oracle = new TokenOracle(file, in);
            oracle.document();
            return oracle.out;
        }
    }

    private void document() {
        if (in.nextToken() == JsonToken.START_ARRAY) {
            list();
            return;
        }
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean events = in.currentName().equals("traceEvents");
            if (in.nextToken() == JsonToken.START_ARRAY && events) {
                list();
            } else {
                in.skipChildren();
            }
        }
    }

    private void list() {
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (in.currentToken() == JsonToken.START_OBJECT) {
                event();
            } else {
                in.skipChildren();
            }
        }
    }

    private void event() {
        Map<String, Value> fields = new HashMap<>();
        Map<String, Value> args = new HashMap<>();
        boolean dropped = false;
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = in.currentName();
            in.nextToken();
            if (!key.equals("args")) {
                fields.put(key, value());
                continue;
            }
            if (in.currentToken() == JsonToken.START_OBJECT) {
                dropped |= isDropped(fields);
                while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                    String arg = in.currentName();
                    in.nextToken();
                    args.put(ARGUMENTS.getOrDefault(arg, arg), value());
                }
            } else {
                in.skipChildren();
            }
        }
        if (!dropped && !isDropped(fields) && fields.containsKey("ph")) {
            out.add(shown(fields, args));
        }
    }

    private Value value() {
        JsonToken kind = in.currentToken();
        if (!kind.isStructStart()) {
            return new Value(kind, in.getString(), List.of());
        }
        int from = (int) in.currentTokenLocation().getByteOffset();
        List<Value> elements = new ArrayList<>();
        if (kind == JsonToken.START_ARRAY) {
            while (in.nextToken() != JsonToken.END_ARRAY) {
                JsonToken element = in.currentToken();
                elements.add(new Value(element, element.isStructStart() ? "" : in.getString(), List.of()));
                in.skipChildren();
            }
        } else {
            in.skipChildren();
        }
        int to = (int) in.currentTokenLocation().getByteOffset() + 1;
        return new Value(kind, new String(file, from, to - from, StandardCharsets.UTF_8), elements);
    }

    // ---------------------------------------------------------------- rules

    private static char phase(Map<String, Value> fields) {
        Value phase = fields.get("ph");
        return phase == null ? 0 : phase.text.length() == 1 ? phase.text.charAt(0) : '?';
    }

    private static int category(Map<String, Value> fields) {
        Value cat = fields.get("cat");
        return cat == null ? 0 : CATEGORIES.getOrDefault(cat.text.toLowerCase(Locale.ROOT), 9);
    }

    private static boolean isDropped(Map<String, Value> fields) {
        char phase = phase(fields);
        if (phase != 0 && phase != 'X') {
            return phase != 'M';
        }
        int category = category(fields);
        boolean brief = isBrief(nanos(fields.get("dur")));
        return category == 9 || (category == 8 && brief) || (category == 5 && brief && !matters(fields));
    }

    private static boolean isBrief(long nanos) {
        return nanos >= 0 && nanos < 1_000_000;
    }

    private static boolean matters(Map<String, Value> fields) {
        Value name = fields.get("name");
        return name == null || !isName(name) || matters(name.text);
    }

    private static boolean matters(String name) {
        return name.contains("#") || CALLS.stream().anyMatch(name::startsWith);
    }

    private static boolean isName(Value name) {
        return !name.isContainer() && name.kind != JsonToken.VALUE_NULL;
    }

    private static String shown(Map<String, Value> fields, Map<String, Value> args) {
        Value name = fields.get("name");
        boolean named = name != null && isName(name);
        boolean metadata = phase(fields) == 'M';
        long dur = nanos(fields.get("dur"));
        String text = name != null && named ? name.text : "";
        int category = metadata ? 0 : category(fields);
        return join(
                metadata ? "M" : "X",
                category,
                named,
                text,
                nanos(fields.get("ts")),
                dur,
                id(fields.get("pid")),
                id(fields.get("tid")),
                place(args.get("device")),
                place(args.get("stream")),
                integer(args.get("correlation")),
                integer(args.get("External id")),
                integer(args.get("bytes")),
                Math.max(0, product(args.get("grid")) * product(args.get("block"))),
                isThere(args.get("dtype")),
                text(args.get("dtype")),
                isThere(args.get("Collective name")),
                text(args.get("Collective name")),
                text(args.get("name")));
    }

    static String join(Object... parts) {
        return String.join("|", Stream.of(parts).map(String::valueOf).toList());
    }

    private static boolean isThere(@Nullable Value value) {
        return value != null && value.kind != JsonToken.VALUE_NULL;
    }

    private static String text(@Nullable Value value) {
        return value != null && isThere(value) ? value.text : "";
    }

    // ---------------------------------------------------------------- numbers

    private static long nanos(@Nullable Value value) {
        if (value == null || value.isContainer()) {
            return MISSING;
        }
        try {
            BigDecimal nanos = new BigDecimal(value.text).movePointRight(3);
            if (nanos.precision() - nanos.scale() > 30) {
                return nanos.signum() < 0 ? -HUGE : nanos.signum() == 0 ? 0 : HUGE;
            }
            BigDecimal whole = nanos.setScale(0, RoundingMode.HALF_EVEN);
            return whole.compareTo(MAX) >= 0
                    ? HUGE
                    : whole.compareTo(MAX.negate()) <= 0 ? -HUGE : whole.longValueExact();
        } catch (NumberFormatException none) {
            return MISSING;
        }
    }

    private static long integer(@Nullable Value value) {
        return value == null || value.isContainer() ? MISSING : integer(value.text);
    }

    private static long integer(String text) {
        if (WHOLE.matcher(text).matches()) {
            return new BigInteger(text).longValue();
        }
        if (HEXADECIMAL.matcher(text).matches()) {
            return new BigInteger(text.replaceFirst("-?0[xX]", ""), 16).longValue();
        }
        if (!DECIMAL.matcher(text).matches()) {
            return MISSING;
        }
        BigDecimal number = new BigDecimal(text);
        if (number.signum() == 0 || number.precision() - number.scale() <= 0) {
            return 0;
        }
        if (number.precision() - number.scale() > 30) {
            return MISSING;
        }
        BigInteger whole = number.toBigInteger();
        return whole.bitLength() > 64 ? MISSING : whole.longValue();
    }

    private static long id(@Nullable Value value) {
        long id = place(value);
        return id == MISSING ? -1 : id;
    }

    /** A device or stream: of a text the digits at its end. */
    private static long place(@Nullable Value value) {
        if (value == null || !value.isText()) {
            return integer(value);
        }
        var digits = LAST_DIGITS.matcher(value.text);
        long id = digits.matches() ? integer(digits.group(1)) : MISSING;
        return id == MISSING ? -1 : id;
    }

    private static long product(@Nullable Value list) {
        if (list == null || list.kind != JsonToken.START_ARRAY) {
            return 0;
        }
        long product = 1;
        for (Value element : list.elements) {
            long factor = element.kind.isNumeric() ? integer(element) : MISSING;
            product = factor == MISSING ? 0 : product * factor;
        }
        return product;
    }
}
