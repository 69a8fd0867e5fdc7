package dev.argus.wire.json;

import dev.argus.model.RankSet;
import java.io.IOException;
import java.util.List;

/** Members that several documents have. */
public final class Members {
    private Members() {}

    /** A member that is {@code null} below 0: unknown is never -1. */
    public static void natural(JsonWriter json, String name, long number) throws IOException {
        json.name(name);
        if (number >= 0) {
            json.value(number);
        } else {
            json.nullValue();
        }
    }

    /** The member {@code steps}, first and last, {@code null} when unknown. */
    public static void steps(JsonWriter json, long first, long last) throws IOException {
        json.name("steps");
        if (first < 0 || last < 0) {
            json.nullValue();
        } else {
            json.beginArray().value(first).value(last).endArray();
        }
    }

    /** The member {@code ranks}, all of them. */
    public static void ranks(JsonWriter json, RankSet ranks) throws IOException {
        json.name("ranks").beginArray();
        for (int i = 0; i < ranks.size(); i++) {
            json.value(ranks.get(i));
        }
        json.endArray();
    }

    /** A member that is a list of texts. */
    public static void strings(JsonWriter json, String name, List<String> texts) throws IOException {
        json.name(name).beginArray();
        for (String text : texts) {
            json.value(text);
        }
        json.endArray();
    }
}
