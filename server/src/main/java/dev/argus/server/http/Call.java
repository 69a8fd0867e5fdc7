package dev.argus.server.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.argus.server.access.Asked;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A request that was let through: its parameters, checked, and its body. Belongs to one thread. */
public final class Call {
    private final HttpExchange exchange;
    private final Asked asked;
    private final Map<String, String> values;
    private final List<String> types;

    Call(HttpExchange exchange, Asked asked, Map<String, String> values, List<String> types) {
        this.exchange = exchange;
        this.asked = asked;
        this.values = values;
        this.types = types;
    }

    /** The exchange, for handlers that answer themselves with {@link #done()}. */
    public HttpExchange exchange() {
        return exchange;
    }

    /** What of it decided whether it is let through. */
    public Asked asked() {
        return asked;
    }

    /** The answer of a handler that has answered by the exchange itself. */
    public Answer done() {
        return Answer.DONE;
    }

    /** A parameter that is always there. */
    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new NoSuchElementException(name);
        }
        return value;
    }

    /** A parameter, null when it was not given. */
    public @Nullable String textOrNull(String name) {
        return values.get(name);
    }

    /** A number that is always there. */
    public long whole(String name) {
        return Long.parseLong(text(name));
    }

    /** A number that fits an int and is always there. */
    public int count(String name) {
        return Math.toIntExact(whole(name));
    }

    /** A number, empty when it was not given. */
    public OptionalLong wholeOrNone(String name) {
        String value = values.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    }

    /** A header, null when it was not given. */
    public @Nullable String header(String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    /** The media type that the client likes best of those that the route declares; the first of equal ones. */
    public String type() throws Problem {
        return Accepted.best(header("Accept"), types);
    }

    /**
     * Reads the whole body.
     *
     * @param type media type that it must have
     * @param most most bytes
     */
    public byte[] body(String type, int most) throws Problem, IOException {
        return stream(type, most).readAllBytes();
    }

    /**
     * The body as a stream, which throws a {@link BodyException} where the body is too long or ends before its time.
     *
     * @param type media type that it must have
     * @param most most bytes
     */
    public InputStream stream(String type, long most) throws Problem {
        Headers headers = exchange.getRequestHeaders();
        String given = headers.getFirst("Content-Type");
        String plain = given == null ? "" : given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!plain.equals(type)) {
            throw new Problem(415, "the body has another Content-Type", type);
        }
        if (headers.getFirst("Content-Encoding") != null) {
            throw new Problem(415, "the body has a Content-Encoding", "none");
        }
        if (length() > most) {
            throw tooLong(most);
        }
        return new BodyStream(exchange.getRequestBody(), most, length());
    }

    /** Length of the body as told; -1 when it is not. */
    public long length() {
        String length = header("Content-Length");
        try {
            return length == null ? -1 : Long.parseLong(length.strip());
        } catch (NumberFormatException refusedByTheServerBefore) {
            return -1;
        }
    }

    /** What is said of a body that is too long. */
    static Problem tooLong(long most) {
        return new Problem(413, "the body is too long", "at most " + most + " bytes");
    }
}
