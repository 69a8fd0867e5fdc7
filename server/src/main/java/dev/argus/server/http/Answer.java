package dev.argus.server.http;

import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is answered: bytes that are all there, a stream, or nothing more because the handler has answered itself. */
public final class Answer {
    /** Media type of JSON. */
    public static final String JSON = "application/json";

    /** Media type of pages. */
    public static final String HTML = "text/html; charset=utf-8";

    /** Writes a document. */
    @FunctionalInterface
    public interface Document {
        /** Writes it as one value. */
        void write(JsonWriter json) throws IOException;
    }

    /** Writes a body whose length is not known, or that is too long to be held. */
    @FunctionalInterface
    public interface Stream {
        /**
         * Writes it.
         *
         * @param out where to; not closed
         * @param goesOn to be called whenever something was written: a client that takes nothing for long is dropped
         */
        void write(OutputStream out, Runnable goesOn) throws IOException;
    }

    /** The handler has answered itself. */
    static final Answer DONE = new Answer(0, "", null, null);

    private final int status;
    private final String type;
    private final byte @Nullable [] bytes;
    private final @Nullable Stream stream;
    private final Map<String, String> headers = new TreeMap<>();

    private Answer(int status, String type, byte @Nullable [] bytes, @Nullable Stream stream) {
        this.status = status;
        this.type = type;
        this.bytes = bytes;
        this.stream = stream;
    }

    /** Bytes. */
    public static Answer bytes(int status, String type, byte[] bytes) {
        return new Answer(status, type, bytes, null);
    }

    /** Text as UTF-8. */
    public static Answer text(int status, String type, String text) {
        return bytes(status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A stream. */
    public static Answer stream(String type, Stream stream) {
        return new Answer(200, type, null, stream);
    }

    /** A document with status 200. */
    public static Answer json(Document document) {
        return json(200, document);
    }

    /** A document. */
    public static Answer json(int status, Document document) {
        StringBuilder text = new StringBuilder();
        try {
            document.write(new JsonWriter(text, 0));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text(status, JSON, text.append('\n').toString());
    }

    /** Sets a header; one line of printable ASCII. */
    public Answer header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** The status. */
    public int status() {
        return status;
    }

    /** The media type. */
    public String type() {
        return type;
    }

    byte @Nullable [] bytes() {
        return bytes;
    }

    @Nullable
    Stream stream() {
        return stream;
    }

    Map<String, String> headers() {
        return headers;
    }
}
