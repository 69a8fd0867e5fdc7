package dev.argus.server.http;

import dev.argus.model.SafeText;
import dev.argus.model.SimilarText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * The members of a JSON object that a client sent, taken one by one with what is expected of each; {@link #end} refuses members that nobody took. Strict RFC 8259,
 * each name once, at most {@value #MOST_DEPTH} levels deep.
 */
public final class JsonBody {
    /** Longest body, in bytes. */
    public static final int MOST_BYTES = 256 << 10;

    private static final int MOST_DEPTH = 8;
    private static final int MOST_MEMBERS = 100_000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MOST_DEPTH)
                    .maxNameLength(64)
                    .maxNumberLength(32)
                    .maxStringLength(MOST_BYTES)
                    .build())
            .build();

    private final String where;
    private final Map<String, @Nullable Object> members;
    private final TreeSet<String> known = new TreeSet<>();

    private JsonBody(String where, Map<String, @Nullable Object> members) {
        this.where = where;
        this.members = members;
    }

    /** Reads the body of a request. */
    public static JsonBody read(Call call) throws Problem, IOException {
        byte[] bytes = call.body(Answer.JSON, MOST_BYTES);
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Problem(400, "the body is no JSON object", "a JSON object");
            }
            Map<String, @Nullable Object> members = object(parser);
            if (parser.nextToken() != null) {
                throw new Problem(400, "the body goes on behind the JSON object", "one JSON object");
            }
            return new JsonBody("", members);
        } catch (JacksonException broken) {
            String what = SafeText.of(broken.getOriginalMessage(), 200);
            throw new Problem(400, "the body is no JSON that can be read: " + what, "one JSON object, each name once");
        }
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) throws Problem {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            members.put(name, value(parser, parser.nextToken()));
        }
        return members;
    }

    private static @Nullable Object value(JsonParser parser, @Nullable JsonToken token) throws Problem {
        if (token == null) {
            throw new Problem(400, "the body is cut", "one JSON object");
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

    private static List<@Nullable Object> list(JsonParser parser) throws Problem {
        List<@Nullable Object> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(parser, token));
            if (items.size() > MOST_MEMBERS) {
                throw new Problem(400, "a list is too long", "at most " + MOST_MEMBERS + " items");
            }
        }
        return items;
    }

    private @Nullable Object take(String name) {
        known.add(name);
        return members.get(name);
    }

    private Problem wrong(String name, String expected) {
        String found = switch (members.get(name)) {
            case String text -> "a text of " + text.length() + " characters";
            case Long number -> "the number " + number;
            case null -> members.containsKey(name) ? "null" : "missing";
            default -> "something else";
        };
        return new Problem(400, "'" + where + name + "' is " + found, expected);
    }

    /** True if a member is there. */
    public boolean has(String name) {
        known.add(name); // known, whether it is there or not
        return members.containsKey(name);
    }

    /** A text of 1 to {@code most} characters. */
    public String text(String name, int most) throws Problem {
        if (take(name) instanceof String text && !text.isEmpty() && text.length() <= most) {
            return text;
        }
        throw wrong(name, "a text of 1 to " + most + " characters");
    }

    /** A whole number. */
    public long whole(String name, long least, long most) throws Problem {
        if (take(name) instanceof Long number && number >= least && number <= most) {
            return number;
        }
        throw wrong(name, "a whole number from " + least + " to " + most);
    }

    /** A list of texts. */
    public List<String> texts(String name) throws Problem {
        List<String> texts = new ArrayList<>();
        if (take(name) instanceof List<?> items) {
            for (Object item : items) {
                if (item instanceof String text) {
                    texts.add(text);
                } else {
                    throw wrong(name, "a list of texts");
                }
            }
            return texts;
        }
        throw wrong(name, "a list of texts");
    }

    /** An object within. */
    public JsonBody object(String name) throws Problem {
        if (take(name) instanceof Map<?, ?> inner) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            inner.forEach((key, value) -> copy.put(String.valueOf(key), value));
            return new JsonBody(where + name + ".", copy);
        }
        throw wrong(name, "an object");
    }

    /** Refuses what nobody took. */
    public void end() throws Problem {
        for (String name : members.keySet()) {
            if (!known.contains(name)) {
                String similar = SimilarText.to(name, List.copyOf(known));
                throw new Problem(
                        400,
                        "a member that is not known"
                                + (similar == null ? "" : ": '" + where + similar + "' was meant?"),
                        "members " + String.join(", ", known));
            }
        }
    }
}
