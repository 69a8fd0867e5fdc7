package dev.argus.hostlocal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A small JSON file as maps, lists, texts, {@link Long}, {@link Double} and {@link Boolean}. */
record JsonTree(@Nullable Object value) {
    static JsonTree of(Path file) throws IOException {
        try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), Files.readAllBytes(file))) {
            in.nextToken();
            return new JsonTree(value(in));
        }
    }

    private static @Nullable Object value(JsonParser in) {
        return switch (Objects.requireNonNull(in.currentToken())) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                    String key = in.currentName();
                    in.nextToken();
                    map.put(key, value(in));
                }
                yield map;
            }
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(in));
                }
                yield list;
            }
            case VALUE_STRING -> in.getString();
            case VALUE_NUMBER_INT -> in.getLongValue();
            case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    /** Member of an object; empty when there is none. */
    JsonTree at(String key) {
        return new JsonTree(value instanceof Map<?, ?> m ? m.get(key) : null);
    }

    boolean isMissing() {
        return value == null;
    }

    List<JsonTree> list() {
        List<JsonTree> out = new ArrayList<>();
        if (value instanceof List<?> l) {
            l.forEach(v -> out.add(new JsonTree(v)));
        }
        return out;
    }

    /** Numbers of a list. */
    List<Integer> ints() {
        return list().stream().map(v -> (int) v.number()).toList();
    }

    double number() {
        return ((Number) Objects.requireNonNull(value)).doubleValue();
    }

    long integer() {
        return ((Number) Objects.requireNonNull(value)).longValue();
    }

    String text() {
        return value == null ? "" : value.toString();
    }

    boolean isTrue() {
        return Boolean.TRUE.equals(value);
    }

    /** Keys of an object. */
    List<String> keys() {
        List<String> out = new ArrayList<>();
        if (value instanceof Map<?, ?> m) {
            m.keySet().forEach(k -> out.add(String.valueOf(k)));
        }
        return out;
    }
}
