package dev.argus.server.remote;

import dev.argus.model.SafeText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * The members of a JSON object out of a topic, each taken with what is expected of it; what is not known is stepped over. Content is hostile: strict UTF-8 and RFC 8259, each name once, bounded in bytes and depth; memory is
 * bounded by the bytes, some 50 times of them.
 */
final class JsonValue {
    /** Longest value, in bytes. */
    static final int MOST_BYTES = 1 << 20;

    private static final int MOST_DEPTH = 12;
    private static final int MOST_TEXT = 1 << 16;
    private static final int MOST_RANK = 1 << 24;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MOST_DEPTH)
                    .maxNameLength(1024)
                    .maxNumberLength(32)
                    .maxStringLength(MOST_BYTES)
                    .build())
            .build();

    private final String where;
    private final Map<String, @Nullable Object> members;

    private JsonValue(String where, Map<String, @Nullable Object> members) {
        this.where = where;
        this.members = members;
    }

    /** Reads a value of a topic. */
    static JsonValue read(byte[] bytes) throws UnusableValueException {
        if (bytes.length > MOST_BYTES) {
            throw new UnusableValueException(
                    UnusableValueException.TOO_LARGE, bytes.length + " bytes, expected at most " + MOST_BYTES);
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new UnusableValueException(UnusableValueException.NOT_JSON, "not UTF-8");
        }
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw notJson("no object");
            }
            Map<String, @Nullable Object> members = object(parser);
            if (parser.nextToken() != null) {
                throw notJson("more behind the object");
            }
            return new JsonValue("", members);
        } catch (JacksonException broken) {
            throw notJson(String.valueOf(broken.getOriginalMessage()));
        }
    }

    private static UnusableValueException notJson(String what) {
        return new UnusableValueException(
                UnusableValueException.NOT_JSON, "no JSON that can be read: " + SafeText.of(what, 200));
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) throws UnusableValueException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            members.put(name, value(parser, parser.nextToken()));
        }
        return members;
    }

    private static @Nullable Object value(JsonParser parser, @Nullable JsonToken token) throws UnusableValueException {
        if (token == null) {
            throw notJson("it is cut");
        }
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> list(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static List<@Nullable Object> list(JsonParser parser) throws UnusableValueException {
        List<@Nullable Object> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(parser, token));
        }
        return items;
    }

    UnusableValueException wrong(String name, String expected) {
        return new UnusableValueException(
                UnusableValueException.WRONG_MEMBER,
                "'" + where + name + "' is missing or something else, expected " + expected);
    }

    /** Refuses another schema. */
    void schema(String expected) throws UnusableValueException {
        if (!expected.equals(members.get("schema"))) {
            throw new UnusableValueException(
                    UnusableValueException.OTHER_SCHEMA,
                    "schema '" + SafeText.of(String.valueOf(members.get("schema")), 60) + "', expected " + expected);
        }
    }

    /** True if a member is there and not null. */
    boolean has(String name) {
        return members.get(name) != null;
    }

    /** A text, shorter than what could be meant seriously. */
    String text(String name) throws UnusableValueException {
        if (members.get(name) instanceof String text && text.length() <= MOST_TEXT) {
            return text;
        }
        throw wrong(name, "a text of at most " + MOST_TEXT + " characters");
    }

    /** A text or null. */
    @Nullable
    String textOrNull(String name) throws UnusableValueException {
        return has(name) ? text(name) : null;
    }

    /** A whole number. */
    long whole(String name, long least, long most) throws UnusableValueException {
        if (members.get(name) instanceof Long number && number >= least && number <= most) {
            return number;
        }
        throw wrong(name, "a whole number from " + least + " to " + most);
    }

    /** A finite number that is not below 0. */
    double amount(String name) throws UnusableValueException {
        double number = number(name);
        if (number >= 0 && number < Double.POSITIVE_INFINITY) {
            return number;
        }
        throw wrong(name, "a number from 0");
    }

    /** A number; NaN for null. */
    double number(String name) throws UnusableValueException {
        Object value = members.get(name);
        if (value == null && members.containsKey(name)) {
            return Double.NaN;
        }
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw wrong(name, "a number");
    }

    /** True or false; false where it is missing. */
    boolean truth(String name) throws UnusableValueException {
        Object value = members.getOrDefault(name, false);
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw wrong(name, "true or false");
    }

    /** A list of texts. */
    List<String> texts(String name, int most) throws UnusableValueException {
        List<String> texts = new ArrayList<>();
        for (Object item : items(name, most)) {
            if (!(item instanceof String text) || text.length() > MOST_TEXT) {
                throw wrong(name, "a list of texts");
            }
            texts.add(text);
        }
        return texts;
    }

    /** A list of whole numbers. */
    List<Long> wholes(String name, int most) throws UnusableValueException {
        List<Long> numbers = new ArrayList<>();
        for (Object item : items(name, most)) {
            if (!(item instanceof Long number)) {
                throw wrong(name, "a list of whole numbers");
            }
            numbers.add(number);
        }
        return numbers;
    }

    /** A list of ranks. */
    int[] ranks(String name) throws UnusableValueException {
        List<?> items = items(name, MOST_BYTES);
        int[] ranks = new int[items.size()];
        for (int i = 0; i < ranks.length; i++) {
            if (!(items.get(i) instanceof Long rank) || rank < 0 || rank > MOST_RANK) {
                throw wrong(name, "a list of ranks");
            }
            ranks[i] = rank.intValue();
        }
        return ranks;
    }

    /** A list of objects. */
    List<JsonValue> objects(String name, int most) throws UnusableValueException {
        List<JsonValue> objects = new ArrayList<>();
        for (Object item : items(name, most)) {
            objects.add(inner(name, item));
        }
        return objects;
    }

    /** An object within. */
    JsonValue object(String name) throws UnusableValueException {
        return inner(name, members.get(name));
    }

    private JsonValue inner(String name, @Nullable Object value) throws UnusableValueException {
        if (value instanceof Map<?, ?> inner) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            inner.forEach((key, v) -> copy.put(String.valueOf(key), v));
            return new JsonValue(where + name + ".", copy);
        }
        throw wrong(name, "an object");
    }

    /** Names of the members. */
    List<String> names() {
        return List.copyOf(members.keySet());
    }

    private List<?> items(String name, int most) throws UnusableValueException {
        if (members.get(name) instanceof List<?> items && items.size() <= most) {
            return items;
        }
        throw wrong(name, "a list of at most " + most);
    }

    /** A set of ranks as a text, such as {@code 0-7,16}; the empty set where it is missing. */
    String ranges(String name) throws UnusableValueException {
        String text = has(name) ? text(name) : "";
        if (!text.isEmpty() && !text.matches("[0-9]{1,7}(-[0-9]{1,7})?(,[0-9]{1,7}(-[0-9]{1,7})?)*+")) {
            throw wrong(name, "a set of ranks such as 0-7,16");
        }
        return text;
    }
}
