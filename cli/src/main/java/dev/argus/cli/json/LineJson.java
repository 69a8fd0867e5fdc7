package dev.argus.cli.json;

import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A flat object on one line of JSON. */
public final class LineJson {
    private final StringBuilder out = new StringBuilder();
    private final JsonWriter json;

    /** Begins with its schema. */
    public LineJson(String schema) {
        json = new JsonWriter(out, 0);
        quietly(json::beginObject);
        with("schema", schema);
    }

    private interface Writing {
        void write() throws IOException;
    }

    private LineJson quietly(Writing writing) {
        try {
            writing.write();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringBuilder does not throw
        }
        return this;
    }

    /** A text, or null. */
    public LineJson with(String name, @Nullable String value) {
        return quietly(() -> json.name(name).value(value));
    }

    /** A number. */
    public LineJson with(String name, long value) {
        return quietly(() -> json.name(name).value(value));
    }

    /** The line, with its end; once. */
    public String line() {
        quietly(json::endObject);
        return out.append('\n').toString();
    }
}
