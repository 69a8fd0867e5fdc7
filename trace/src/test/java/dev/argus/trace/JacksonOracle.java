package dev.argus.trace;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** The same events as another engine reads them. */
final class JacksonOracle {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(StreamReadFeature.AUTO_CLOSE_SOURCE).build();

    private JacksonOracle() {}

    /**
     * Scalar members of every object of {@code traceEvents} or of the list, and of their {@code args} (as {@code args.key}), as
     * texts; the last of equal keys, and none where that is {@code null}.
     */
    static List<Map<String, String>> events(InputStream json) throws IOException {
        List<Map<String, String>> out = new ArrayList<>();
        try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (in.nextToken() == JsonToken.START_ARRAY) {
                list(in, out);
            } else {
                while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                    boolean events = in.currentName().equals("traceEvents");
                    if (in.nextToken() == JsonToken.START_ARRAY && events) {
                        list(in, out);
                    } else {
                        in.skipChildren();
                    }
                }
            }
            while (in.nextToken() != null) {
                in.skipChildren();
            }
        }
        return out;
    }

    private static void list(JsonParser in, List<Map<String, String>> out) {
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (in.currentToken() == JsonToken.START_OBJECT) {
                Map<String, String> members = new HashMap<>();
                object(in, "", members);
                out.add(members);
            } else {
                in.skipChildren();
            }
        }
    }

    private static void object(JsonParser in, String prefix, Map<String, String> members) {
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = prefix + in.currentName();
            JsonToken token = in.nextToken();
            if (token == JsonToken.START_OBJECT && name.equals("args")) {
                object(in, "args.", members);
            } else if (token.isStructStart() || token == JsonToken.VALUE_NULL) {
                in.skipChildren();
                members.remove(name);
            } else {
                members.put(name, in.getString());
            }
        }
    }

    /** Nanoseconds of the microseconds of a member. */
    static long nanos(Map<String, String> event, String member) {
        return new BigDecimal(event.getOrDefault(member, "0"))
                .movePointRight(3)
                .setScale(0, RoundingMode.HALF_EVEN)
                .longValue();
    }
}
