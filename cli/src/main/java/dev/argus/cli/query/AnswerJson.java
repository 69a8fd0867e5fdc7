package dev.argus.cli.query;

import dev.argus.model.SafeText;
import dev.argus.storage.QueryResult;
import java.io.IOException;
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
import tools.jackson.core.json.JsonFactory;

/** Reads what a server answered; it may be anything. */
final class AnswerJson {
    private static final int MOST_DEPTH = 8;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build())
            .build();

    private AnswerJson() {}

    /**
     * One object.
     *
     * @param from what it is from, for the error
     * @throws IOException if it is none
     */
    static Map<String, @Nullable Object> object(byte[] json, String from) throws IOException {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                return members(parser);
            }
        } catch (JacksonException broken) {
            throw new IOException(from + " is no JSON: " + SafeText.of(broken.getOriginalMessage(), 200), broken);
        }
        throw new IOException(from + " is no JSON object");
    }

    private static Map<String, @Nullable Object> members(JsonParser parser) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            members.put(name, value(parser, parser.nextToken()));
        }
        return members;
    }

    private static @Nullable Object value(JsonParser parser, @Nullable JsonToken token) {
        return switch (token) {
            case START_OBJECT -> members(parser);
            case START_ARRAY -> items(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case null, default -> null;
        };
    }

    private static List<@Nullable Object> items(JsonParser parser) {
        List<@Nullable Object> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken();
                token != null && token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            items.add(value(parser, token));
        }
        return items;
    }

    /**
     * An answer to a question.
     *
     * @throws IOException if it is something else
     */
    static QueryResult answer(byte[] json) throws IOException {
        Map<String, @Nullable Object> members = object(json, "the answer");
        List<String> columns = texts(members.get("columns"));
        List<List<@Nullable Object>> rows = new ArrayList<>();
        if (!(members.get("rows") instanceof List<?> all)) {
            throw new IOException("the answer has no rows");
        }
        for (Object row : all) {
            if (!(row instanceof List<?> values) || values.size() != columns.size()) {
                throw new IOException("the answer has a row that is none of " + columns.size() + " values");
            }
            rows.add(new ArrayList<>(values));
        }
        return new QueryResult(columns, texts(members.get("types")), rows, Boolean.TRUE.equals(members.get("cut")));
    }

    private static List<String> texts(@Nullable Object list) throws IOException {
        if (!(list instanceof List<?> all)) {
            throw new IOException("the answer has no columns");
        }
        return all.stream().map(String::valueOf).toList();
    }
}
