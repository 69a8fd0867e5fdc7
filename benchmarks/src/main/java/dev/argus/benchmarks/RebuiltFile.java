package dev.argus.benchmarks;

import dev.argus.stats.QuantileFunction;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** What summaries rebuild, one JSON line per kernel, stream and window, so that anyone can check it against the trace. */
final class RebuiltFile implements AutoCloseable {
    private static final int QUANTILES = 1000;

    private final @Nullable Writer out;

    RebuiltFile(@Nullable Path path) throws IOException {
        out = path == null ? null : Files.newBufferedWriter(path);
    }

    void add(String file, KernelTrace.Key key, long window, long count, QuantileFunction rebuilt) throws IOException {
        if (out == null) {
            return;
        }
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), new Unclosed(out))) {
            json.writeStartObject();
            json.writeStringProperty("file", file);
            json.writeStringProperty("kernel", key.name());
            json.writeNumberProperty("stream", key.stream());
            json.writeNumberProperty("window", window);
            json.writeNumberProperty("count", count);
            json.writeName("quantilesNanos");
            json.writeStartArray();
            for (int i = 0; i < QUANTILES; i++) {
                json.writeNumber(Math.round(1000 * rebuilt.at((i + 0.5) / QUANTILES)) / 1000.0);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        out.write('\n');
    }

    @Override
    public void close() throws IOException {
        if (out != null) {
            out.close();
        }
    }

    /** Passes on all but the end. */
    private static final class Unclosed extends Writer {
        private final Writer to;

        Unclosed(Writer to) {
            this.to = to;
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            to.write(text, from, length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
